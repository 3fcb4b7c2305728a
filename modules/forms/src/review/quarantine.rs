//! The quarantine: submissions that look like the work of a bot, for a person to review. A released one becomes a
//! submission like any other, and its sender gets the receipt that was held back.

use festival_core::admin::audit::Entry;
use festival_core::admin::{AdminRequest, Reply};
use festival_core::db::{Test, update_rows};
use festival_core::entity::Datum;
use festival_core::{Error, Result, time_text};
use serde_json::{Value, json};

use super::events;
use crate::decider::Decider;
use crate::description::SENDER;
use crate::mails::{SubmissionMails, receipt};
use crate::scope::within;
use crate::submissions::{KEPT_IN_QUARANTINE, KINDS, Submission, SubmissionKind};

/// Rows per page.
const PAGE_SIZE: u16 = 100;

/// Handles `GET /admin/quarantine`: all kinds in one list, newest first. `?before=` limits a page to submissions before
/// that time, `?all=1` includes reviewed ones.
pub(super) async fn list(request: AdminRequest) -> Result<Reply> {
    let with_reviewed = request.query.get("all") == "1";
    let before = request.query.get("before");
    let mut connection = request.read().await?;
    let mut rows: Vec<(String, Value)> = Vec::new();
    for kind in &KINDS {
        let mut select = kind.select_quarantined(true);
        if !with_reviewed {
            select = select.filter("status", Test::IsNot, Datum::Text(KEPT_IN_QUARANTINE.key.into()));
        }
        if !before.is_empty() {
            select = select.filter("created_at", Test::Before, Datum::Text(before.to_owned()));
        }
        let select = within(&mut connection, &request.scope(), kind, select).await?;
        for (id, values) in select.newest(&mut connection, PAGE_SIZE + 1).await? {
            let submission = Submission::new(&request.site.secrets, kind, id, values);
            let at = submission.text("created_at");
            let row = json!({
                "href": submission.path(),
                "kind": kind.entity.singular,
                "reference": submission.reference(),
                "title": submission.title(),
                "received": time_text::short(at, &request.site.time_zone),
                "apart": submission.text("status") == KEPT_IN_QUARANTINE.key,
            });
            rows.push((at.to_owned(), row));
        }
    }
    rows.sort_by(|a, b| b.0.cmp(&a.0));
    let mut count = rows.len().min(usize::from(PAGE_SIZE));
    // Rows of the same millisecond stay on one page, because the next page starts before it.
    while count > 0 && rows.get(count).is_some_and(|next| next.0 == rows[count - 1].0) {
        count += 1;
    }
    let has_more = rows.len() > count;
    rows.truncate(count);
    let page_link = |before: &str| request.address(&request.path, &[("before", before)]);
    let older = rows.last().filter(|_| has_more).map(|(at, _)| page_link(at));
    Ok(Reply::page("quarantine", "Quarantine")
        .lists_people("quarantine", rows.len(), json!({ "all": with_reviewed, "before": before }))
        .with("newest", (!before.is_empty()).then(|| page_link("")))
        .with("older", older)
        .with("rows", rows.into_iter().map(|(_, row)| row).collect::<Vec<_>>())
        .with("all", with_reviewed)
        .into())
}

/// Handles `POST {id}/quarantine`: releases a submission, or keeps it in quarantine.
pub(super) async fn decide(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let id = request.id()?;
    let is_released = match request.form.get("action") {
        "release" => true,
        "keep" => false,
        _ => return Err(Error::BadRequest("Please choose what is to be done.".into())),
    };
    let settings = request.site.in_force().await?;
    let mut write = request.write_private().await?;
    let submission = events::lock(&mut write, &request, (kind, id)).await?;
    let page = submission.path();
    if !submission.flag("is_quarantined") {
        return Ok(Reply::redirect(page).problem("Somebody has released it already.").into());
    }
    let reference = submission.reference();
    let (action, mut message, label) = match is_released {
        true => ("release", format!("{reference} is released."), "Released"),
        false => ("keep apart", format!("{reference} stays in quarantine."), "Kept apart"),
    };
    if is_released {
        let released = [("is_quarantined", Datum::Integer(0)), ("status", Datum::Text("new".into()))];
        update_rows(&mut write, kind.entity.table, &released, &[id]).await?;
        let may_send = receipt::may_send(&mut write, submission.text(kind.email_of(SENDER)), request.now()).await?;
        let mails = SubmissionMails::about(&request.site, &settings, &mut write, &submission).await?;
        mails.enqueue_receipt(&mut write, may_send).await?;
        message.push_str(match may_send {
            true => " Its sender gets a receipt.",
            false => " Its sender gets no receipt, because this address got several mails within ten minutes.",
        });
    } else {
        let status = Datum::Text(KEPT_IN_QUARANTINE.key.into());
        update_rows(&mut write, kind.entity.table, &[("status", status)], &[id]).await?;
    }
    events::add(&mut write, &Decider::of(&request)?, &submission, "quarantine", label).await?;
    request.commit(write, Entry::new(action, kind.entity.table).id(id)).await?;
    Ok(Reply::redirect(if is_released { page } else { "/admin/quarantine".to_owned() }).done(message).into())
}
