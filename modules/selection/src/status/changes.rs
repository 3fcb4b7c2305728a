//! Corrections that senders propose: differences that the desk applies or declines.

use std::collections::BTreeMap;

use festival_core::admin::audit::Entry;
use festival_core::admin::dashboard::{DashboardContext, PendingTask};
use festival_core::admin::{
    Action, AdminRequest, Panel, Permission, Personal, Reply, Resource, Role, RowContext, Screen, nothing_here,
};
use festival_core::db::{Write, timestamp_text};
use festival_core::site::Site;
use festival_core::submissions::Changed;
use festival_core::{Error, Registry, Result, time_text};
use jiff::Timestamp;
use serde_json::{Value, json};
use sqlx::{AnyConnection, AssertSqlSafe, FromRow};

use super::links::{KINDS, Kind, Opened};
use crate::role::CHAIR;

/// The list of corrections.
const LIST: &str = "/admin/selection/corrections";
/// Corrections that the list shows at once.
const MAX_LISTED: i64 = 100;

/// The desk of the forms, by its key: roles are equal if their keys are.
pub(crate) const DESK: Role =
    Role { key: "desk", label: "Desk", noun: "a member of the desk", description: "", grants: &[] };

/// What senders ask for.
const CHANGES: Resource = Resource {
    key: "sender-changes",
    label: "Corrections by senders",
    grants: &[(&DESK, &[Action::View, Action::Edit]), (&CHAIR, &[Action::View, Action::Edit])],
    personal: Personal::StoredMail,
};

/// A correction.
#[derive(Debug, FromRow)]
pub(super) struct Correction {
    id: i64,
    film_submission_id: Option<i64>,
    delegate_id: Option<i64>,
    pub(super) field: String,
    before_text: String,
    pub(super) after_text: String,
    proposed_at: String,
}

const COLUMNS: &str = "id, film_submission_id, delegate_id, field, before_text, after_text, proposed_at";

impl Correction {
    /// The submission that it is about.
    fn submission(&self) -> Option<(Kind, i64)> {
        let [films, delegates] = KINDS;
        self.film_submission_id.map(|id| (films, id)).or(self.delegate_id.map(|id| (delegates, id)))
    }
}

pub(super) fn register(registry: &mut Registry) {
    registry
        .panels(Permission::To(&CHANGES, Action::View), panel)
        .pending_task(Permission::To(&CHANGES, Action::View), pending)
        .screen(Screen::get(LIST, Permission::To(&CHANGES, Action::View), list))
        .screen(Screen::post(LIST, Permission::To(&CHANGES, Action::Edit), decide));
}

/// Returns the open corrections of a submission.
pub(super) async fn open_of(connection: &mut AnyConnection, kind: Kind, id: i64) -> Result<Vec<Correction>> {
    let sql =
        format!("SELECT {COLUMNS} FROM selection_corrections WHERE {} = $1 AND state = 'open' ORDER BY id", kind.owner);
    Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(id).fetch_all(connection).await?)
}

/// Stores a correction: field, its text, the text that is wanted. It takes the place of an open one of the same field.
pub(super) async fn propose(
    write: &mut Write,
    now: Timestamp,
    opened: &Opened,
    (field, before, after): (&str, &str, &str),
) -> Result<()> {
    let (owner, id) = (opened.kind.owner, opened.submitted.id);
    let sql = format!("DELETE FROM selection_corrections WHERE {owner} = $1 AND field = $2 AND state = 'open'");
    sqlx::query(AssertSqlSafe(sql)).bind(id).bind(field).execute(&mut **write).await?;
    let sql = format!(
        "INSERT INTO selection_corrections ({owner}, field, before_text, after_text, proposed_at) VALUES ($1, $2, $3, $4, $5)"
    );
    let insert = sqlx::query(AssertSqlSafe(sql)).bind(id).bind(field).bind(before).bind(after);
    insert.bind(timestamp_text(now)).execute(&mut **write).await?;
    Ok(())
}

/// The panel on the page of a submission.
async fn panel(context: RowContext) -> Result<Vec<Panel>> {
    let Some(kind) = KINDS.into_iter().find(|kind| kind.table == context.table) else { return Ok(Vec::new()) };
    let mut connection = context.site.db.read().await?;
    let open = open_of(&mut connection, kind, context.id).await?;
    if open.is_empty() {
        return Ok(Vec::new());
    }
    let line = |correction: &Correction| {
        let label = label_of(&context.site, kind, &correction.field);
        format!("{label}: {}", time_text::short(&correction.proposed_at, &context.site.time_zone))
    };
    Ok(vec![Panel {
        heading: "Corrections by the sender",
        lines: open.iter().map(line).collect(),
        links: vec![(format!("{LIST}?of={}/{}", kind.slug, context.id), "See and decide".to_owned())],
    }])
}

async fn pending(context: DashboardContext) -> Result<Vec<PendingTask>> {
    let count: i64 = sqlx::query_scalar("SELECT count(*) FROM selection_corrections WHERE state = 'open'")
        .fetch_one(&mut *context.read().await?)
        .await?;
    let task =
        PendingTask::counted(count, "correction by a sender to decide", "corrections by senders to decide", LIST);
    Ok(task.into_iter().collect())
}

fn label_of(site: &Site, kind: Kind, field: &str) -> String {
    let field = site.contents.submissions_in(kind.table).and_then(|submissions| submissions.entity().field(field));
    field.map_or_else(String::new, |field| field.label.to_owned())
}

/// Handles `GET`: all open corrections, or with `?of=film-submissions/17` those of one submission.
async fn list(request: AdminRequest) -> Result<Reply> {
    let of = request.query.get("of").to_owned();
    let mut connection = request.read().await?;
    let open: Vec<Correction> = match of.split_once('/') {
        Some((slug, id)) => {
            let kind = KINDS.into_iter().find(|kind| kind.slug == slug).ok_or_else(nothing_here)?;
            open_of(&mut connection, kind, id.parse().map_err(|_| nothing_here())?).await?
        }
        None => {
            let sql = format!(
                "SELECT {COLUMNS} FROM selection_corrections WHERE state = 'open' ORDER BY id LIMIT {MAX_LISTED}"
            );
            sqlx::query_as(AssertSqlSafe(sql)).fetch_all(&mut *connection).await?
        }
    };
    let mut titles: BTreeMap<(&str, i64), (String, String)> = BTreeMap::new();
    for (kind, id) in open.iter().filter_map(Correction::submission) {
        let found = match request.site.contents.submissions_in(kind.table) {
            Some(submissions) => submissions.find(&request.site, &mut connection, id).await?,
            None => None,
        };
        let found = found.map(|submitted| (submitted.reference, submitted.title)).unwrap_or_default();
        titles.insert((kind.slug, id), found);
    }
    let row = |correction: &Correction| -> Option<Value> {
        let (kind, id) = correction.submission()?;
        let (reference, title) = titles.get(&(kind.slug, id))?;
        Some(json!({
            "id": correction.id,
            "href": format!("/admin/{}/{id}", kind.slug),
            "reference": reference,
            "title": title,
            "label": label_of(&request.site, kind, &correction.field),
            "before": correction.before_text,
            "after": correction.after_text,
            "proposed": time_text::short(&correction.proposed_at, &request.site.time_zone),
        }))
    };
    let rows: Vec<Value> = open.iter().filter_map(row).collect();
    Ok(Reply::page("sender-changes", "Corrections by senders")
        .with("of", &of)
        .with("may_edit", request.may(&CHANGES, Action::Edit))
        .lists_people("selection_corrections", rows.len(), json!({ "of": of }))
        .with("corrections", rows)
        .into())
}

/// Handles `POST`: applies or declines a correction.
async fn decide(request: AdminRequest) -> Result<Reply> {
    let back = match request.form.get("of") {
        "" => LIST.to_owned(),
        of => format!("{LIST}?of={of}"),
    };
    let id: i64 = request.form.get("correction").parse().map_err(|_| nothing_here())?;
    let (state, done) = match request.form.get("decision") {
        "apply" => ("applied", "The correction is applied."),
        "decline" => ("declined", "The correction is declined. The text stays as it was sent."),
        _ => return Err(Error::BadRequest("Apply the correction or decline it.".into())),
    };
    let who = request.account()?.name.clone();
    let mut write = request.write_private().await?;
    let sql = format!(
        "UPDATE selection_corrections SET state = $1, decided_at = $2, decided_by = $3 \
         WHERE id = $4 AND state = 'open' RETURNING {COLUMNS}"
    );
    let found: Option<Correction> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(state)
        .bind(timestamp_text(request.now()))
        .bind(&who)
        .bind(id)
        .fetch_optional(&mut *write)
        .await?;
    let Some(correction) = found else {
        return Ok(Reply::redirect(back).problem("Somebody else has decided this correction already.").into());
    };
    let (kind, submission) = correction.submission().ok_or_else(nothing_here)?;
    if state == "applied" {
        let submissions = request.site.contents.submissions_in(kind.table).ok_or_else(nothing_here)?;
        let field = submissions.entity().field(&correction.field).ok_or_else(nothing_here)?;
        let change = Changed::Text(field, &correction.after_text);
        submissions.change(&request.site, &mut write, submission, change, &who).await?;
    }
    let change = |text: &str| Value::Object([(correction.field.clone(), text.into())].into_iter().collect());
    let entry = Entry::new(if state == "applied" { "accept correction" } else { "decline correction" }, kind.table);
    let entry = entry.id(submission).before(change(&correction.before_text)).after(change(&correction.after_text));
    request.commit(write, entry).await?;
    Ok(Reply::redirect(back).done(done).into())
}
