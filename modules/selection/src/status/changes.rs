//! Corrections that senders propose: differences that the desk applies or declines.

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

use super::links::{DELEGATES, FILMS, KINDS, Kind, Opened};
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
    fn submission(&self) -> (Kind, i64) {
        self.film_submission_id.map_or((DELEGATES, self.delegate_id.unwrap_or_default()), |id| (FILMS, id))
    }

    /// The label of its field, and when it was proposed.
    fn described(&self, site: &Site) -> Result<(&'static str, String)> {
        let field = self.submission().0.submissions(site)?.entity().field(&self.field);
        Ok((field.map_or("", |field| field.label), time_text::short(&self.proposed_at, &site.time_zone)))
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
    let open = open_of(&mut *context.site.db.read().await?, kind, context.id).await?;
    let line = |it: &Correction| it.described(&context.site).map(|(label, proposed)| format!("{label}: {proposed}"));
    let panel = |lines| Panel {
        heading: "Corrections by the sender",
        lines,
        links: vec![(format!("{LIST}?of={}/{}", kind.slug, context.id), "See and decide".to_owned())],
    };
    let lines = open.iter().map(line).collect::<Result<Vec<_>>>()?;
    Ok(Some(lines).filter(|lines| !lines.is_empty()).map(panel).into_iter().collect())
}

async fn pending(context: DashboardContext) -> Result<Vec<PendingTask>> {
    let count = sqlx::query_scalar("SELECT count(*) FROM selection_corrections WHERE state = 'open'");
    let count = count.fetch_one(&mut *context.read().await?).await?;
    let task =
        PendingTask::counted(count, "correction by a sender to decide", "corrections by senders to decide", LIST);
    Ok(task.into_iter().collect())
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
    let mut rows = Vec::new();
    for correction in &open {
        let (kind, id) = correction.submission();
        let found = kind.submissions(&request.site)?.find(&request.site, &mut connection, id).await?;
        let (label, proposed) = correction.described(&request.site)?;
        rows.extend(found.map(|submitted| {
            json!({
                "id": correction.id,
                "href": format!("/admin/{}/{id}", kind.slug),
                "reference": submitted.reference,
                "title": submitted.title,
                "label": label,
                "before": correction.before_text,
                "after": correction.after_text,
                "proposed": proposed,
            })
        }));
    }
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
    let (state, action, done) = match request.form.get("decision") {
        "apply" => ("applied", "accept correction", "The correction is applied."),
        "decline" => ("declined", "decline correction", "The correction is declined. The text stays as it was sent."),
        _ => return Err(Error::BadRequest("Apply the correction or decline it.".into())),
    };
    let who = request.account()?.name.clone();
    let mut write = request.write_private().await?;
    let decide = sqlx::query_as(AssertSqlSafe(format!(
        "UPDATE selection_corrections SET state = $1, decided_at = $2, decided_by = $3 \
         WHERE id = $4 AND state = 'open' RETURNING {COLUMNS}"
    )));
    let decide = decide.bind(state).bind(timestamp_text(request.now())).bind(&who).bind(id);
    let found: Option<Correction> = decide.fetch_optional(&mut *write).await?;
    let Some(correction) = found else {
        return Ok(Reply::redirect(back).problem("Somebody else has decided this correction already.").into());
    };
    let (kind, submission) = correction.submission();
    if state == "applied" {
        let submissions = kind.submissions(&request.site)?;
        let field = submissions.entity().field(&correction.field).ok_or_else(nothing_here)?;
        let change = Changed::Text(field, &correction.after_text);
        submissions.change(&request.site, &mut write, submission, change, &who).await?;
    }
    let change = |text: &str| Value::Object([(correction.field.clone(), text.into())].into_iter().collect());
    let entry = Entry::new(action, kind.table).id(submission);
    let entry = entry.before(change(&correction.before_text)).after(change(&correction.after_text));
    request.commit(write, entry).await?;
    Ok(Reply::redirect(back).done(done).into())
}
