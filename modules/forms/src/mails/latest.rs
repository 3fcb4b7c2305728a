//! The latest real cases, for previews of the texts of mails.

use festival_core::Result;
use festival_core::admin::audit::Entry;
use festival_core::admin::{PreviewCase, PreviewContext};
use festival_core::db::Test;
use festival_core::entity::Datum;
use festival_core::mail::Values;

use super::submission_mails::SubmissionMails;
use crate::scope;
use crate::submissions::{SubmissionKind, SubmissionReader};

/// The values of a mail about the latest submission that the account may see, of the first of `kinds` with one.
pub(super) async fn case(
    context: PreviewContext,
    kinds: &[&'static SubmissionKind],
    values: fn(&SubmissionMails<'_>) -> Values,
) -> Result<Option<PreviewCase>> {
    let site = &context.site;
    let settings = site.in_force().await?;
    let mut connection = site.db.read().await?;
    for kind in kinds {
        let erased = Datum::Text("erased".to_owned());
        let select = kind.select_quarantined(false).filter("status", Test::IsNot, erased);
        let select = scope::within(&mut connection, &context.scope(), kind, select).await?;
        let Some((id, _)) = select.newest(&mut connection, 1).await?.pop() else { continue };
        // Read again with its files.
        let submission = SubmissionReader::find(&site.secrets, &mut connection, (kind, id)).await?;
        let Some(submission) = submission else { continue };
        let mails = SubmissionMails::about(site, &settings, &mut connection, &submission).await?;
        return Ok(Some(PreviewCase {
            label: submission.reference().to_owned(),
            values: values(&mails),
            disclosure: Entry::new("view", kind.entity.table).id(id),
        }));
    }
    Ok(None)
}
