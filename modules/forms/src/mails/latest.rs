//! The latest real cases, for previews of the texts of mails.

use festival_core::admin::audit::Entry;
use festival_core::admin::{PreviewCase, PreviewContext};
use festival_core::db::Test;
use festival_core::entity::Datum;
use festival_core::mail::Values;
use festival_core::settings::Settings;
use festival_core::{Result, edition::Edition};

use super::payment::{self, PaymentNotice};
use super::receipt::{self, MailValues};
use crate::scope;
use crate::submissions::{Submission, SubmissionKind, SubmissionReader, contact, delegate, edition_of, film};

/// The reason in a preview about a payment that was not rejected.
const SAMPLE_REASON: &str = "₹1,000 is missing";
/// The answer in a preview about a message.
const SAMPLE_ANSWER: &str = "thank you for your message.";

/// The receipt for the latest submission of a kind.
pub(super) async fn receipt(context: PreviewContext, kind: &'static SubmissionKind) -> Result<Option<PreviewCase>> {
    let latest = latest(&context, kind).await?;
    Ok(latest.map(|latest| case(&latest.0, form_values(&context, &latest).receipt)))
}

/// The notice of the latest submission of a kind.
pub(super) async fn note(context: PreviewContext, kind: &'static SubmissionKind) -> Result<Option<PreviewCase>> {
    let latest = latest(&context, kind).await?;
    Ok(latest.map(|latest| case(&latest.0, form_values(&context, &latest).note)))
}

/// A mail about the payment of the latest film, or else of the latest registration.
pub(super) async fn payment(context: PreviewContext, notice: PaymentNotice) -> Result<Option<PreviewCase>> {
    let latest = match latest(&context, film()).await? {
        None => latest(&context, delegate()).await?,
        film => film,
    };
    let Some((submission, edition, settings)) = latest else { return Ok(None) };
    let reason = match (notice, submission.text("payment_reason")) {
        (PaymentNotice::NotFound, _) => "",
        (PaymentNotice::Rejected, "") => SAMPLE_REASON,
        (PaymentNotice::Rejected, reason) => reason,
    };
    let values = payment::values((&context.site, &settings), &submission, &edition, reason);
    Ok(Some(case(&submission, values)))
}

/// An answer to the latest message.
pub(super) async fn answer(context: PreviewContext) -> Result<Option<PreviewCase>> {
    let Some((message, edition, settings)) = latest(&context, contact()).await? else { return Ok(None) };
    let text = format!("{}\n\n{SAMPLE_ANSWER}", super::answer::greeting(&message));
    let values = super::answer::values((&context.site, &settings), &message, &edition, &text);
    Ok(Some(case(&message, values)))
}

type Latest = (Submission, Edition, std::sync::Arc<Settings>);

fn form_values(context: &PreviewContext, (submission, edition, settings): &Latest) -> MailValues {
    let (new, files) = receipt::restored(submission, edition.clone(), context.site.clock.now());
    receipt::values((&context.site, settings), &new, (submission.id, submission.reference()), &files)
}

fn case(submission: &Submission, values: Values) -> PreviewCase {
    PreviewCase {
        label: submission.reference().to_owned(),
        values,
        disclosure: Entry::new("view", submission.kind.entity.table).id(submission.id),
    }
}

/// Returns the latest submission of a kind that the account may see, with its edition and the settings in force.
async fn latest(context: &PreviewContext, kind: &'static SubmissionKind) -> Result<Option<Latest>> {
    let site = &context.site;
    let settings = site.in_force().await?;
    let mut connection = site.db.read().await?;
    let erased = Datum::Text("erased".to_owned());
    let select = kind.select_quarantined(false).filter("status", Test::IsNot, erased);
    let select = scope::within(&mut connection, &context.scope(), kind, select).await?;
    let Some((id, _)) = select.newest(&mut connection, 1).await?.pop() else { return Ok(None) };
    // Read again with its files.
    let select = kind.select().filter("id", Test::Is, Datum::Integer(id));
    let found = SubmissionReader::new(&site.secrets, kind, &select).next(&mut connection).await?;
    let Some(submission) = found.and_then(|mut submissions| submissions.pop()) else { return Ok(None) };
    let edition = edition_of(&mut connection, &submission).await?;
    Ok(Some((submission, edition, settings)))
}
