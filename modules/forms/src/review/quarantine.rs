//! What looked like the work of a machine: kept apart, and looked at by a person. Released, it is a submission like any
//! other, and its sender gets the receipt that was held back.

use festival_core::admin::audit::Entry;
use festival_core::admin::{AdminRequest, Reply};
use festival_core::db::Write;
use festival_core::db::{Select, Test};
use festival_core::edition;
use festival_core::entity::Datum;
use festival_core::settings::Settings;
use festival_core::{Error, Result, time_text};
use serde_json::{Value, json};

use super::scope::within;
use super::{events, show};
use crate::mails;
use crate::submissions::{KINDS, Kind, Submission};
use crate::submit::{NewSubmission, StoredSubmission, tables};

/// Rows on a page.
const PAGE: u16 = 100;
/// The status of what somebody looked at and left here.
const APART: &str = "apart";

/// All kinds in one list, from the newest to the oldest; `?before=` is the moment from which a page goes on.
pub(super) async fn list(request: AdminRequest) -> Result<Reply> {
    let looked_at = request.query.get("all") == "1";
    let before = request.query.get("before");
    let mut connection = request.read().await?;
    let mut rows: Vec<(String, Value)> = Vec::new();
    for kind in &KINDS {
        let mut select =
            Select::new(kind.entity.table, kind.columns()).only("is_quarantined", Test::Is, Datum::Integer(1));
        if !looked_at {
            select = select.only("status", Test::IsNot, Datum::Text(APART.into()));
        }
        if !before.is_empty() {
            select = select.only("created_at", Test::Before, Datum::Text(before.to_owned()));
        }
        let select = within(&mut connection, &request.scope(), kind, select).await?;
        for (id, values) in select.newest(&mut connection, 0, PAGE + 1).await? {
            let submission = Submission::new(&request.site.secrets, kind, &select, id, values);
            let at = submission.text("created_at");
            let row = json!({
                "href": format!("{}/{id}", kind.home()),
                "kind": kind.entity.singular,
                "reference": submission.text("reference"),
                "title": submission.text(kind.title),
                "received": time_text::short(at, &request.site.time_zone),
                "apart": submission.text("status") == APART,
            });
            rows.push((at.to_owned(), row));
        }
    }
    rows.sort_by(|one, other| other.0.cmp(&one.0));
    let mut shown = rows.len().min(usize::from(PAGE));
    // What came in the same millisecond stands on the same page: the next one begins before it.
    while shown > 0 && rows.get(shown).is_some_and(|next| next.0 == rows[shown - 1].0) {
        shown += 1;
    }
    let more = rows.len() > shown;
    rows.truncate(shown);
    let to = |before: &str| request.address(&request.path, &[("before", before)]);
    let older = rows.last().filter(|_| more).map(|(at, _)| to(at));
    Ok(Reply::page("quarantine", "Quarantine")
        .lists_people("quarantine", rows.len(), json!({ "all": looked_at, "before": before }))
        .with("newest", (!before.is_empty()).then(|| to("")))
        .with("older", older)
        .with("rows", rows.into_iter().map(|(_, row)| row).collect::<Vec<_>>())
        .with("all", looked_at)
        .into())
}

pub(super) async fn decide(request: AdminRequest, kind: &'static Kind) -> Result<Reply> {
    let id = request.id()?;
    let release = match request.form.get("deed") {
        "release" => true,
        "keep" => false,
        _ => return Err(Error::BadRequest("Please choose what is to be done.".into())),
    };
    let settings = request.site.in_force().await?;
    let mut write = request.write_private().await?;
    events::lock(&mut write, &request, (kind, id)).await?;
    let select = show::select(&mut write, &request.scope(), (kind, id)).await?;
    let submission = show::find(&request, &mut write, kind, &select).await?;
    let page = format!("{}/{id}", kind.home());
    if !submission.flag("is_quarantined") {
        return Ok(Reply::redirect(page).problem("Somebody has released it already.").into());
    }
    let reference = submission.text("reference");
    let (deed, words, after) = match release {
        true => ("release", format!("{reference} is released, and its sender gets a receipt."), "Released"),
        false => ("keep apart", format!("{reference} stays apart."), "Kept apart"),
    };
    if release {
        sqlx::query(tables::of(kind.entity)?.release).bind(id).execute(&mut *write).await?;
        send_letters(&mut write, (&request, &settings), kind, &submission).await?;
    } else {
        sqlx::query(tables::of(kind.entity)?.set_status).bind(APART).bind(id).execute(&mut *write).await?;
    }
    events::add(&mut write, &request, (kind, id), "quarantine", ("", after)).await?;
    request.audit(&mut write, Entry::new(deed, kind.entity.table).id(id)).await?;
    write.commit().await?;
    Ok(Reply::redirect(if release { page } else { "/admin/quarantine".to_owned() }).done(words).into())
}

/// Puts the mails into the outbox that were held back when it came.
async fn send_letters(
    write: &mut Write,
    (request, settings): (&AdminRequest, &Settings),
    kind: &Kind,
    submission: &Submission<'_>,
) -> Result<()> {
    let year: i64 =
        sqlx::query_scalar(tables::of(kind.entity)?.year).bind(submission.id).fetch_one(&mut **write).await?;
    let edition = edition::find_by_year(write, year).await?;
    let edition = edition.ok_or_else(|| Error::internal("a submission without an edition"))?;
    let draft = NewSubmission::of_stored(kind, submission, edition, request.now());
    let files: Vec<_> = kind
        .entity
        .fields
        .iter()
        .filter_map(|field| submission.file(field).map(|file| (field.name, file)))
        .map(|(name, file)| (name, file.name.as_str(), u64::try_from(file.size).unwrap_or_default(), file.remark()))
        .collect();
    let kept = StoredSubmission {
        id: submission.id,
        reference: submission.text("reference").to_owned(),
        received: draft.now,
        is_late: draft.is_late,
    };
    mails::enqueue(write, (&request.site, settings), &draft, &kept, &files).await
}
