//! A release: prepared decisions become the states of the submissions, and each film-maker gets one letter, all in one
//! transaction.

use festival_core::admin::audit::Entry;
use festival_core::admin::{Action, AdminRequest, Input, Page, Reply};
use festival_core::db::{Write, timestamp_text};
use festival_core::edition::{self, EDITION};
use festival_core::entity::table;
use festival_core::mail;
use festival_core::submissions::Changed;
use festival_core::{Error, Result, editing};
use jiff::SignedDuration;
use serde_json::{Value, json};
use sqlx::AnyConnection;

use crate::decision::OUTCOMES;
use crate::letters::{Decided, Letters, decided};
use crate::list::HOME;
use crate::outline::FILM_SUBMISSION;
use crate::role::SELECTION;
use crate::status::{FILMS, create_public};

pub(crate) const RELEASE: &str = "/admin/selection-release";

/// How long letters wait before they are sent: until then they can be held back and recalled.
const GRACE: SignedDuration = SignedDuration::from_mins(10);

/// The status of a submission by the outcome.
fn status(outcome: &str) -> &'static str {
    match outcome {
        "selected" => "selected",
        "waiting" => "shortlisted",
        _ => "not-selected",
    }
}

/// A text that changes with every change of what is prepared.
fn fingerprint(prepared: &[Decided]) -> String {
    let text = |it: &Decided| format!("{} {} {:?} {}", it.outcome, it.prepared_at, it.confirm_by, it.message);
    editing::fingerprint(&prepared.iter().map(|it| (it.id, text(it))).collect())
}

/// What a chair should look at before the release.
fn oddities(prepared: &[Decided]) -> Vec<Value> {
    let all: [(&str, fn(&&Decided) -> bool); 4] = [
        ("Decided without a review", |it| it.reviews == 0),
        ("Selected, and the payment is not verified", |it| it.outcome == "selected" && it.payment != "verified"),
        ("Selected without a last day to confirm", |it| it.outcome == "selected" && it.confirm_by.is_none()),
        ("No e-mail address: there will be no letter", |it| it.correspondence_email.is_empty()),
    ];
    let odd = all.map(|(text, is_odd)| (text, prepared.iter().filter(is_odd).collect::<Vec<_>>()));
    let odd = odd.into_iter().filter(|(_, entries)| !entries.is_empty());
    odd.map(|(text, entries)| json!({ "text": text, "entries": entries })).collect()
}

pub(crate) async fn show(request: AdminRequest) -> Result<Reply> {
    Ok(page(&request).await?.into())
}

async fn page(request: &AdminRequest) -> Result<Page> {
    let settings = request.site.in_force().await?;
    let mut connection = request.read().await?;
    let edition = edition::current(&mut connection).await?;
    let prepared = decided(&mut connection, edition.id, 0).await?;
    let waiting = waiting_letters(&mut connection, edition.id).await?;
    drop(connection);
    let letters = Letters { site: &request.site, settings: &settings, edition: &edition };
    let mut groups = Vec::new();
    for state in OUTCOMES {
        let count = prepared.iter().filter(|it| it.outcome == state.key).count();
        if let Some(first) = prepared.iter().find(|it| it.outcome == state.key) {
            let letter = letters.preview(first)?;
            groups.push(json!({ "label": state.label, "count": count, "letter": letter }));
        }
    }
    Ok(Reply::page("selection-release", "Release decisions")
        .crumb("Entries", HOME)
        .with("count", prepared.len())
        .with("groups", groups)
        .with("odd", oddities(&prepared))
        .with("lacks_links", request.site.hosts.public_url().is_none())
        .with("letters", waiting.len())
        .with("held", waiting.iter().filter(|letter| letter.is_held == 1).count())
        .with("may_edit", request.may(&SELECTION, Action::Edit))
        .inputs([Input::hidden("fingerprint", fingerprint(&prepared))])
        .lists_people(FILM_SUBMISSION.table, prepared.len(), json!({ "release": true })))
}

/// Handles `POST`: releases, or holds, continues or recalls letters that wait.
pub(crate) async fn submit(request: AdminRequest) -> Result<Reply> {
    let done = match request.form.get("then") {
        "hold" => hold(&request, true).await,
        "continue" => hold(&request, false).await,
        "recall" => recall(&request).await,
        _ => release(&request).await,
    };
    match done {
        Ok(message) => Ok(Reply::redirect(RELEASE).done(message).into()),
        Err(error) => Ok(page(&request).await?.refused(error)?.into()),
    }
}

async fn release(request: &AdminRequest) -> Result<String> {
    // Before the transaction: waiting for a second connection while holding one may deadlock.
    let settings = request.site.in_force().await?;
    let mut write = request.write_private().await?;
    let edition = edition::current(&mut write).await?;
    table::lock(&mut write, &EDITION, &[edition.id]).await?;
    let prepared = decided(&mut write, edition.id, 0).await?;
    if prepared.is_empty() {
        return Err(Error::Conflict("Nothing is prepared that was not released already.".into()));
    }
    if request.form.get("fingerprint") != fingerprint(&prepared) {
        let message =
            "What is prepared has changed since you opened this page. Nothing was released. Look at it again.";
        return Err(Error::Conflict(message.into()));
    }
    let letters = Letters { site: &request.site, settings: &settings, edition: &edition };
    let letters = store(&mut write, request, letters, &prepared).await?;
    write.commit().await?;
    let count = prepared.len();
    Ok(format!("Decisions released: {count}. Letters: {letters}, sent in 10 minutes."))
}

/// Releases decisions; returns the number of letters.
///
/// # Errors
/// If the database cannot be written: then the transaction must not be committed.
pub(crate) async fn store(
    write: &mut Write,
    request: &AdminRequest,
    letters: Letters<'_>,
    prepared: &[Decided],
) -> Result<usize> {
    let now = timestamp_text(request.now());
    let due = timestamp_text(request.now().saturating_add(GRACE).unwrap_or(request.now()));
    let (mut entries, mut count) = (Vec::new(), 0);
    for decision in prepared {
        let mut letter = None;
        if !decision.correspondence_email.is_empty() {
            let link = match decision.outcome.as_str() {
                "selected" => create_public(write, letters.site, FILMS, decision.id).await?,
                _ => None,
            };
            let id = mail::enqueue(write, &letters.decision(decision, link)?).await?;
            let delay = sqlx::query("UPDATE outbox SET not_before = $1 WHERE id = $2");
            delay.bind(&due).bind(id).execute(&mut **write).await?;
            letter = Some(id);
            count += 1;
        }
        let release = sqlx::query(
            "UPDATE selection_decisions SET released_at = $1, letter_id = $2, status_before = $3 \
             WHERE film_submission_id = $4",
        );
        let release = release.bind(&now).bind(letter).bind(&decision.status).bind(decision.id);
        release.execute(&mut **write).await?;
        set_status(write, request, decision.id, status(&decision.outcome)).await?;
        let entry = Entry::new("release decision", FILM_SUBMISSION.table).id(decision.id);
        entries.push(entry.after(json!({ "outcome": decision.outcome, "letter": letter.is_some() })));
    }
    request.audit_rows(write, &entries).await?;
    Ok(count)
}

/// Sets the status of a submission, with an entry in its history.
async fn set_status(write: &mut Write, request: &AdminRequest, film: i64, status: &str) -> Result<()> {
    let (submissions, who) = (FILMS.submissions(&request.site)?, &request.account()?.name);
    submissions.change(&request.site, write, film, Changed::Status(status), who).await
}

/// A letter that was not sent yet and is not being sent.
#[derive(sqlx::FromRow)]
struct Waiting {
    film: i64,
    letter: i64,
    status_before: String,
    is_held: i64,
}

async fn waiting_letters(connection: &mut AnyConnection, edition: i64) -> Result<Vec<Waiting>> {
    let waiting = sqlx::query_as(
        "SELECT d.film_submission_id AS film, o.id AS letter, d.status_before, o.is_held FROM selection_decisions d \
         JOIN outbox o ON o.id = d.letter_id WHERE d.edition_id = $1 AND o.sent_at IS NULL AND o.claim IS NULL",
    );
    Ok(waiting.bind(edition).fetch_all(connection).await?)
}

/// Holds the letters that wait, or lets them go on; returns the message about it.
async fn hold(request: &AdminRequest, holds: bool) -> Result<String> {
    let mut write = request.write_private().await?;
    let edition = edition::current(&mut write).await?.id;
    let letters = waiting_letters(&mut write, edition).await?;
    for Waiting { letter, .. } in &letters {
        match holds {
            true => mail::hold(&mut write, request.now(), *letter).await?,
            false => mail::make_due(&mut write, request.now(), *letter).await?,
        };
    }
    let entry = Entry::new(if holds { "hold letters" } else { "continue letters" }, "selection");
    request.commit(write, entry.after(json!({ "letters": letters.len() }))).await?;
    Ok(format!("Letters {}: {}.", if holds { "held back" } else { "on their way" }, letters.len()))
}

/// Takes back the decisions whose letters wait: they are prepared again, and the submissions have the status from before.
async fn recall(request: &AdminRequest) -> Result<String> {
    let mut write = request.write_private().await?;
    let edition = edition::current(&mut write).await?.id;
    table::lock(&mut write, &EDITION, &[edition]).await?;
    let mut count = 0;
    for letter in waiting_letters(&mut write, edition).await? {
        let delete = sqlx::query("DELETE FROM outbox WHERE id = $1 AND sent_at IS NULL AND claim IS NULL");
        if delete.bind(letter.letter).execute(&mut *write).await?.rows_affected() == 0 {
            continue; // It is being sent at this moment.
        }
        let recall = sqlx::query(
            "UPDATE selection_decisions SET released_at = NULL, letter_id = NULL, answer = '', answered_at = NULL \
             WHERE film_submission_id = $1",
        );
        recall.bind(letter.film).execute(&mut *write).await?;
        set_status(&mut write, request, letter.film, &letter.status_before).await?;
        count += 1;
    }
    request.commit(write, Entry::new("recall decisions", "selection").after(json!({ "decisions": count }))).await?;
    Ok(format!("Decisions recalled: {count}."))
}
