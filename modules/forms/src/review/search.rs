//! Submissions in the search of the back office.

use festival_core::admin::Action;
use festival_core::admin::search::{Hit, MAX_HITS, SearchContext, SearchGroup, list_address};
use festival_core::{Result, time_text};

use super::list_query::{long_columns, search_in};
use crate::scope::within;
use crate::submissions::{Submission, SubmissionKind};

/// The submissions of a kind that match the words, newest first, from every edition that the account may see.
pub(super) async fn find(context: SearchContext, kind: &'static SubmissionKind) -> Result<Vec<SearchGroup>> {
    let mut connection = context.site.db.read().await?;
    let all = kind.select_quarantined(false);
    let long_columns = long_columns(&mut connection, kind, &all).await?;
    let select = within(&mut connection, &context.scope(), kind, all).await?;
    let select = search_in(select, kind, (&context.text, long_columns), |resource| context.may(resource, Action::View));
    let rows = select.newest(&mut connection, 0, MAX_HITS).await?;
    // If there are few matches, there is no second search to count them.
    let total = match rows.len() as i64 {
        length if length < i64::from(MAX_HITS) => length,
        _ => select.count(&mut connection).await?,
    };
    let hit = |(id, values)| {
        let submission = Submission::new(&context.site.secrets, kind, id, values);
        let received = time_text::short(submission.text("created_at"), &context.site.time_zone);
        Hit {
            title: submission.title().to_owned(),
            beside: format!("{}, {received}", submission.reference()),
            href: submission.path(),
        }
    };
    Ok(vec![SearchGroup {
        label: kind.list_title(),
        hits: rows.into_iter().map(hit).collect(),
        total,
        href: Some(list_address(&kind.list_path(), &context.text)),
        people: Some(kind.entity.table),
    }])
}
