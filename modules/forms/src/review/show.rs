//! One submission on one page: what was sent, its files beside it, what was decided, and the forms to decide more.

use festival_core::admin::audit::Entry;
use festival_core::admin::{Action, AdminRequest, Choice, Input, Page, Reply, Scope, nothing_here};
use festival_core::db::{Select, Test};
use festival_core::entity::Datum;
use festival_core::{Error, Result, time_text};
use serde_json::{Value, json};
use sqlx::{AnyConnection, Row as _};

use super::role::{PEOPLE, is_open};
use super::scope::{self, SECTIONS, within};
use super::{events, list_query, payment, view};
use crate::description::FILM_FORMS;
use crate::submissions::{Kind, State, Submission, label_of, page as read_page};
use crate::submit::tables;

/// The statement of everything about one submission, if it is in `scope`.
pub(super) async fn select(connection: &mut AnyConnection, scope: &Scope, (kind, id): (&Kind, i64)) -> Result<Select> {
    let select = Select::new(kind.entity.table, kind.columns()).only("id", Test::Is, Datum::Integer(id));
    within(connection, scope, kind, select).await
}

/// The submission with this id, if it is there for whoever asks.
pub(super) async fn find<'a>(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    kind: &Kind,
    select: &'a Select,
) -> Result<Submission<'a>> {
    let found = read_page(connection, &request.site.secrets, kind, select, 0, 1).await?;
    let submission = found.and_then(|(_, mut submissions)| submissions.pop()).ok_or_else(nothing_here)?;
    if is_open(request, kind, &submission) { Ok(submission) } else { Err(nothing_here()) }
}

pub(super) async fn show(request: AdminRequest, kind: &'static Kind) -> Result<Reply> {
    let id = request.id()?;
    Ok(page(&request, kind, id).await?.into())
}

/// The page again, with what was wrong; what was typed stands in its forms.
pub(super) async fn refused(request: &AdminRequest, kind: &'static Kind, id: i64, error: Error) -> Result<Reply> {
    Ok(page(request, kind, id).await?.refused(error)?.into())
}

/// Where to go on to after something was saved: the next in the list for who goes through it, else the same page.
pub(super) async fn onward(request: &AdminRequest, kind: &'static Kind, id: i64) -> Result<String> {
    let mut next = None;
    if request.form.get("then") == "next" {
        let mut connection = request.read().await?;
        let asked = list_query::read(request, &mut connection, kind).await?;
        next = asked.select.neighbours(&mut connection, id).await?.0;
    }
    Ok(request.address(&format!("{}/{}", kind.home(), next.unwrap_or(id)), &[]))
}

async fn page(request: &AdminRequest, kind: &'static Kind, id: i64) -> Result<Page> {
    let mut connection = request.read().await?;
    let select = select(&mut connection, &request.scope(), (kind, id)).await?;
    let submission = find(request, &mut connection, kind, &select).await?;
    let asked = list_query::read(request, &mut connection, kind).await?;
    let (older, newer) = match submission.flag("is_quarantined") {
        // It stands in no list that one could go through.
        true => (None, None),
        false => asked.select.neighbours(&mut connection, id).await?,
    };
    let alike = alike(request, &mut connection, kind, id).await?;
    let events = events::list(&mut connection, kind, id).await?;
    let people = request.may(&PEOPLE, Action::View);
    let money = if kind.has_payment() && people {
        Some(payment::block(request, &mut connection, kind, &submission).await?)
    } else {
        None
    };
    let home = kind.home();
    let to = |id: i64| request.address(&format!("{home}/{id}"), &[]);
    let act = |what: &str| request.address(&format!("{home}/{id}/{what}"), &[]);
    let title = submission.text(kind.title);
    let title = if title.is_empty() { submission.text("reference") } else { title };
    let status = submission.text("status");
    let may_edit = request.may(kind.resource, Action::Edit);
    let mark = events::mark(&events);
    Ok(Reply::page("submission", title)
        .shows_people(Entry::new("view", kind.entity.table).id(id))
        .crumb(name_of_list(kind), request.address(&home, &[]))
        .with("reference", submission.text("reference"))
        .with("original", Some(submission.text("title_original")).filter(|text| !text.is_empty() && *text != title))
        .with("received", time_text::short(submission.text("created_at"), &request.site.time_zone))
        .with("consent", consent(request, &mut connection, &submission).await?)
        .with("status", label_of(kind.states, status))
        .with("tone", tone(kind.states, status))
        .with("remarks", view::remarks(request, kind, &submission, &alike))
        .with("sections", view::sections(request, kind, &submission))
        .with("files", files(request, kind, &submission, money.is_some()))
        .with("money", money)
        .with("quarantined", submission.flag("is_quarantined"))
        .with("older", older.map(to))
        .with("newer", newer.map(to))
        .with("status_action", act("status"))
        .with("payment_action", act("payment"))
        .with("note_action", act("note"))
        .with("quarantine_action", act("quarantine"))
        .with("status_inputs", status_inputs(request, kind, &submission, mark))
        .with("payment_inputs", payment::inputs(request, &submission, mark))
        .with("note_inputs", [note_input(request)])
        .with("may_edit", may_edit)
        .with("may_note", request.may(kind.resource, Action::Review))
        .with("events", past(request, &events)))
}

/// What the lists of a kind are called.
pub(super) fn name_of_list(kind: &Kind) -> String {
    let plural = kind.entity.plural;
    plural[..1].to_uppercase() + &plural[1..]
}

/// How it is for the sender that something stands at `key`.
pub(super) fn tone(states: &[State], key: &str) -> &'static str {
    states.iter().find(|state| state.key == key).map_or("", |state| state.tone)
}

/// The files; the proof stands with the payment.
fn files(request: &AdminRequest, kind: &Kind, submission: &Submission<'_>, proof_elsewhere: bool) -> Vec<Value> {
    let files = view::files(request, kind, submission).into_iter();
    files.filter(|file| !(proof_elsewhere && file["field"] == payment::PROOF)).collect()
}

/// When the sender agreed, and to which words.
async fn consent(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    submission: &Submission<'_>,
) -> Result<Option<Value>> {
    let (at, version) = (submission.text("consented_at"), submission.text("consent_notice"));
    if at.is_empty() {
        return Ok(None);
    }
    let text: Option<String> = sqlx::query_scalar("SELECT text FROM consent_notices WHERE version = $1")
        .bind(version.to_owned())
        .fetch_optional(connection)
        .await?;
    let paragraphs: Vec<&str> = text.iter().flat_map(|text| text.lines()).collect();
    let at = time_text::short(at, &request.site.time_zone);
    Ok(Some(json!({ "version": version, "at": at, "paragraphs": paragraphs })))
}

/// Other submissions about the same thing.
async fn alike(request: &AdminRequest, connection: &mut AnyConnection, kind: &Kind, id: i64) -> Result<Vec<Value>> {
    let rows = sqlx::query(tables::of(kind.entity)?.alike).bind(id).fetch_all(&mut *connection).await?;
    let scope = request.scope();
    let mut alike = Vec::new();
    for row in rows {
        let (id, reference): (i64, String) = (row.try_get(0)?, row.try_get(1)?);
        if scope::holds(connection, &scope, (kind, id)).await? {
            alike.push(json!({ "href": format!("{}/{id}", kind.home()), "reference": reference }));
        }
    }
    Ok(alike)
}

/// What was typed, or else what is kept.
pub(super) fn typed(request: &AdminRequest, name: &str, kept: &str) -> String {
    if request.form.has(name) { request.form.get(name).to_owned() } else { kept.to_owned() }
}

fn status_inputs(request: &AdminRequest, kind: &Kind, submission: &Submission<'_>, mark: i64) -> Vec<Input> {
    let status = typed(request, "status", submission.text("status"));
    let states = kind.states.iter().map(|state| Choice::new(state.key, state.label, &status));
    let mut inputs = vec![
        Input::hidden("mark", mark.to_string()),
        Input::choice("status", "Status", states.collect()).value(&status).required(),
    ];
    if kind.has_award() {
        let award = typed(request, "award", submission.text("award_category"));
        let open = FILM_FORMS.iter().filter(|form| request.scope().allows(SECTIONS, form.key));
        let mut awards: Vec<Choice> = open.map(|form| Choice::new(form.key, form.award_name(), &award)).collect();
        if award == list_query::UNCLASSIFIED {
            awards.insert(0, Choice::new(list_query::UNCLASSIFIED, "Not known", &award));
        }
        inputs.push(Input::choice("award", "Award", awards).value(award).required());
    }
    inputs
}

fn note_input(request: &AdminRequest) -> Input {
    let input = Input::new("lines", "note", "Note").required();
    input.hint("For the others here. The sender never sees it.").value(request.form.get("note"))
}

/// What was decided and noted, the newest first.
fn past(request: &AdminRequest, events: &[events::Event]) -> Vec<Value> {
    let seen: i64 = request.form.get("mark").parse().unwrap_or(i64::MAX);
    let said = |event: &events::Event| {
        let what = match event.kind.as_str() {
            "status" => "Status",
            "award" => "Award",
            "payment" => "Payment",
            "quarantine" => "Quarantine",
            _ => "Note",
        };
        json!({
            "what": what,
            "before": event.before_text,
            "after": event.after_text,
            "who": event.who,
            "at": time_text::short(&event.at, &request.site.time_zone),
            "is_new": event.id > seen,
        })
    };
    let may_see = |event: &&events::Event| event.kind != "payment" || request.may(&PEOPLE, Action::View);
    events.iter().filter(may_see).map(said).collect()
}
