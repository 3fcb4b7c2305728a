//! The screens of bank statements: upload, preview, queues, decisions, undo.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use festival_core::admin::Permission::To;
use festival_core::admin::{Action, AdminRequest, Input, Page, Reply, Screen};
use festival_core::checks::AcceptedKinds;
use festival_core::edition::{self, Edition};
use festival_core::entity::trim;
use festival_core::settings::Settings;
use festival_core::upload::{AcceptedFile, Accepts};
use festival_core::{Error, FieldError, Registry, Result, templates, time_text};
use serde_json::{Value, json};

use super::answers::{Answer, PastImport, imports};
use super::clues::fold;
use super::grid::MAX_BYTES;
use super::import::{Request, columns_of, import};
use super::ledger::Ledger;
use super::queue::Queue;
use super::report::totals;
use super::store::{Report, Source, sum};
use super::stored::{MatchState, StoredLine, Submitted, kind_of};
use crate::decider::Decider;
use crate::review::GROUP;
use crate::role::PEOPLE;

const PATH: &str = "/admin/statements";
/// Folder of uploaded files in the private store, which are deleted after an hour.
const FOLDER: &str = "imports";
/// Maximum number of lines on a page.
const MAX_LINES: usize = 200;
/// Maximum length of a reason and of the name of an account, in characters.
const MAX_TEXT: usize = 200;

/// Registers the screens.
pub(super) fn register(registry: &mut Registry) {
    registry.templates(templates!["statements", "statement-import"]);
    let (view, edit) = (To(&PEOPLE, Action::View), To(&PEOPLE, Action::Edit));
    registry.screen(Screen::get(PATH, view, show).first_in_menu(GROUP, "Bank statements"));
    registry.screen(Screen::post(PATH, edit, receive).accepts(Accepts {
        texts: vec!["bank".to_owned(), "map".to_owned()],
        files: vec![AcceptedFile::new("statement", AcceptedKinds::Table).max_bytes(MAX_BYTES as u64)],
        tolerate_errors: true,
        ..Accepts::default()
    }));
    registry.screen(Screen::post("/admin/statements/import", edit, confirm));
    registry.screen(Screen::post("/admin/statements/{id}/undo", edit, undo));
    registry.screen(Screen::post("/admin/statements/{id}/decision", edit, decide));
}

/// Who works on the statements of the current edition, by a request.
struct Desk<'r> {
    request: &'r AdminRequest,
    edition: Edition,
    decider: Decider,
    settings: Arc<Settings>,
}

impl<'r> Desk<'r> {
    /// # Errors
    /// [`Error::Closed`] if the account sees a part of the submissions only: a statement shows payments of all.
    async fn of(request: &'r AdminRequest) -> Result<Self> {
        if request.scope().is_limited() {
            let sentence = "Bank statements show payments of all submissions; your account is limited to some.";
            return Err(Error::Closed(sentence.into()));
        }
        let edition = edition::chosen(&mut *request.read().await?, None).await?;
        Ok(Self { request, edition, decider: Decider::of(request)?, settings: request.site.in_force().await? })
    }

    fn ledger(&self) -> Ledger<'_> {
        let (site, settings) = (&*self.request.site, &*self.settings);
        Ledger { site, settings, decider: &self.decider, edition: &self.edition }
    }
}

/// Handles `GET /admin/statements`.
async fn show(request: AdminRequest) -> Result<Reply> {
    Ok(page(&request).await?.into())
}

async fn page(request: &AdminRequest) -> Result<Page> {
    let desk = Desk::of(request).await?;
    let mut connection = request.read().await?;
    let imports = imports(&mut connection, desk.edition.id).await?;
    let overview = desk.ledger().overview(&mut connection).await?;
    drop(connection);
    let chosen = Queue::find(request.query.get("queue"));
    let is_shown = |line: &&StoredLine| chosen.map_or(line.queue.is_open(), |queue| line.queue == queue);
    let shown: Vec<&StoredLine> = overview.lines.iter().filter(is_shown).collect();
    let rows: Result<Vec<Value>> = shown.iter().take(MAX_LINES).map(|line| row(line, &overview.references)).collect();
    let total =
        |label: String, lines: Vec<&StoredLine>| json!({ "label": label, "count": lines.len(), "sum": sum(lines) });
    let mut days: BTreeMap<jiff::civil::Date, Vec<&StoredLine>> = BTreeMap::new();
    let mut categories: BTreeMap<String, Vec<&StoredLine>> = BTreeMap::new();
    for line in overview.lines.iter().filter(|line| line.line.amount.hundredths > 0) {
        days.entry(line.line.day).or_default().push(line);
        let settled = line.matches.iter().find(|found| found.state == MatchState::Settled);
        let category = settled.and_then(|found| overview.categories.get(&found.submission));
        categories.entry(category.map_or_else(|| "Not settled".to_owned(), Clone::clone)).or_default().push(line);
    }
    let queues = totals(&overview.lines).into_iter().map(|total| {
        json!({
            "label": total.queue.label(),
            "count": total.count,
            "sum": total.sum,
            "href": format!("{PATH}?queue={}", total.queue.key()),
            "is_open": total.queue.is_open(),
            "is_chosen": chosen == Some(total.queue),
        })
    });
    let may_edit = request.may(&PEOPLE, Action::Edit);
    Ok(Reply::page("statements", "Bank statements")
        .lists_people("statements", shown.len(), json!({ "queue": request.query.get("queue") }))
        .inputs(upload_inputs(request))
        .with("may_edit", may_edit)
        .with("queues", queues.collect::<Vec<_>>())
        .with("all", json!({ "count": overview.lines.len(), "sum": sum(&overview.lines) }))
        .with("received", sum(overview.lines.iter().filter(|line| line.line.amount.hundredths > 0)))
        .with(
            "days",
            days.into_iter()
                .map(|(day, lines)| total(day.strftime("%-d %B %Y").to_string(), lines))
                .collect::<Vec<_>>(),
        )
        .with("categories", categories.into_iter().map(|(label, lines)| total(label, lines)).collect::<Vec<_>>())
        .with("title", chosen.map_or("To decide", Queue::label))
        .with("lines", rows?)
        .with("more", shown.len().saturating_sub(MAX_LINES))
        .with("without", overview.without_payment)
        .with("imports", imports.iter().map(|import| past(request, import)).collect::<Vec<_>>()))
}

fn upload_inputs(request: &AdminRequest) -> Vec<Input> {
    let mut file = Input::new("file", "statement", "Statement").required();
    file.accept = ".csv,.tsv,.txt,.xls,.xlsx,.ods,.xml,.sta,.940,.ofx";
    let hint =
        format!("As the bank offers it: CSV, XLS, XLSX, MT940, camt.053 or OFX; at most {} MB.", MAX_BYTES >> 20);
    vec![
        file.hint(hint),
        Input::text("bank", "Account")
            .hint("Only if there are several. Always write it in the same way.")
            .value(request.form.get("bank")),
        Input::text("map", "A column that is not recognised")
            .hint("Its header and what it holds, such as Paid to us=credit. It is remembered for the account.")
            .value(request.form.get("map")),
    ]
}

fn past(request: &AdminRequest, import: &PastImport) -> Value {
    json!({
        "id": import.id,
        "bank": import.bank,
        "file": import.file_name,
        "who": import.who,
        "at": time_text::short(&import.at, &request.site.time_zone),
        "lines": import.new_lines,
        "is_undone": import.is_undone,
    })
}

/// A line as the page shows it.
fn row(line: &StoredLine, references: &HashMap<Submitted, String>) -> Result<Value> {
    let claim = |found: &super::stored::Match| {
        let kind = kind_of(found.submission)?;
        Ok(json!({
            "value": format!("{}:{}", found.submission.0, found.submission.1),
            "href": format!("{}/{}", kind.list_path(), found.submission.1),
            "reference": references.get(&found.submission).map_or("deleted", String::as_str),
            "is_settled": found.state == MatchState::Settled,
        }))
    };
    let claims: Result<Vec<Value>> =
        line.matches.iter().filter(|found| found.state != MatchState::Refused).map(claim).collect();
    Ok(json!({
        "id": line.id,
        "day": line.line.day.strftime("%-d %B %Y").to_string(),
        "amount": line.line.amount.text(),
        "narration": line.line.narration,
        "number": line.line.number,
        "queue": line.queue.key(),
        "label": line.queue.label(),
        "reason": line.reason,
        "claims": claims?,
        "is_open": line.queue.is_open(),
        "may_reopen": line.queue == Queue::Dismissed,
    }))
}

/// Handles `POST /admin/statements`: stores the file, and shows what its import would do.
async fn receive(mut request: AdminRequest) -> Result<Reply> {
    let mut errors = std::mem::take(&mut request.field_errors);
    let Some(mut staged) = request.files.remove("statement") else {
        errors.push(FieldError::new("statement", "Choose a file"));
        return Ok(page(&request).await?.refused(Error::Invalid(errors))?.into());
    };
    let name: String = staged.name.chars().take(MAX_TEXT).collect();
    let key = request.site.media.commit_private(FOLDER, &mut staged).await?;
    let upload = Upload { key, name, bank: bank(&request), map: trim(request.form.get("map")).to_owned() };
    match upload.import(&request, false).await {
        Ok((report, _)) => Ok(preview(&upload, &report).into()),
        Err(error @ Error::BadRequest(_)) => {
            let errors = vec![FieldError::new("statement", error.to_string())];
            Ok(page(&request).await?.refused(Error::Invalid(errors))?.into())
        }
        Err(error) => Err(error),
    }
}

fn bank(request: &AdminRequest) -> String {
    trim(request.form.get("bank")).chars().filter(|c| !c.is_control()).take(MAX_TEXT).collect()
}

/// An uploaded file with its choices.
struct Upload {
    /// Its key in the private store.
    key: String,
    name: String,
    bank: String,
    map: String,
}

impl Upload {
    /// Imports the file, and keeps the result if `keeps` and no line is wrong, or the form says that the others are to be
    /// imported. Returns whether it was kept.
    async fn import(&self, request: &AdminRequest, keeps: bool) -> Result<(Report, bool)> {
        let desk = Desk::of(request).await?;
        let is_own =
            self.key.strip_prefix(FOLDER).is_some_and(|rest| rest.starts_with('/') && rest.ends_with(".table"));
        let expired = || Error::Conflict("The file is no longer there. Upload it again.".into());
        let file = match request.site.media.open_private(&self.key).await {
            Err(Error::NotFound(_)) => return Err(expired()),
            file => file?,
        };
        if !is_own {
            return Err(expired());
        }
        let bytes = file.read().await?;
        let assigned = columns_of([self.map.as_str()].into_iter().filter(|text| !text.is_empty()))?;
        let mut write = request.write_private().await?;
        let source = Source { bank: &self.bank, file_name: &self.name };
        let report = import(&desk.ledger(), &mut write, Request { bytes, source, assigned }).await?;
        let is_kept = keeps && (report.problems.is_empty() || request.form.get("skip") == "yes");
        if is_kept {
            write.commit().await?;
        }
        Ok((report, is_kept))
    }
}

/// The page that says what an import would do.
fn preview(upload: &Upload, report: &Report) -> Page {
    let texts = |problems: &[super::statement::Problem]| {
        problems
            .iter()
            .take(MAX_LINES)
            .map(|problem| json!({ "line": problem.line, "text": problem.text }))
            .collect::<Vec<_>>()
    };
    let line = |line: &StoredLine| {
        json!({
            "line": line.line.line,
            "day": line.line.day.strftime("%-d %B %Y").to_string(),
            "amount": line.line.amount.text(),
            "narration": line.line.narration,
            "label": line.queue.label(),
            "reason": line.reason,
            "claims": report.references_of(line),
        })
    };
    let queues = totals(&report.lines).into_iter();
    let queues = queues.map(|total| json!({ "label": total.queue.label(), "count": total.count, "sum": total.sum }));
    let hidden = [("file", &upload.key), ("name", &upload.name), ("bank", &upload.bank), ("map", &upload.map)];
    let mut inputs: Vec<Input> = hidden.into_iter().map(|(name, value)| Input::hidden(name, value)).collect();
    if !report.problems.is_empty() {
        inputs.push(Input::new("flag", "skip", "Import the other lines all the same"));
    }
    Reply::page("statement-import", "Import a bank statement")
        .crumb("Bank statements", PATH)
        .lists_people("statements", report.lines.len(), json!({ "file": upload.name }))
        .inputs(inputs)
        .with("name", &upload.name)
        .with("summary", report.summary())
        .with("queues", queues.collect::<Vec<_>>())
        .with("errors", texts(&report.problems))
        .with("notes", texts(&report.notes))
        .with("lines", report.lines.iter().take(MAX_LINES).map(line).collect::<Vec<_>>())
        .with("more", report.lines.len().saturating_sub(MAX_LINES))
        .with("is_empty", report.lines.is_empty())
}

/// Handles `POST /admin/statements/import`.
async fn confirm(request: AdminRequest) -> Result<Reply> {
    let text = |name: &str| request.form.get(name).to_owned();
    let upload = Upload { key: text("file"), name: text("name"), bank: bank(&request), map: text("map") };
    let (report, is_kept) = upload.import(&request, true).await?;
    if !is_kept {
        let errors = vec![FieldError::new("skip", "Some lines are wrong. Correct the file, or tick this.")];
        return Ok(preview(&upload, &report).refused(Error::Invalid(errors))?.into());
    }
    request.site.media.delete_private(&upload.key).await?;
    Ok(Reply::redirect(PATH).done(format!("{}.", report.summary())).into())
}

/// Handles `POST /admin/statements/{id}/undo`.
async fn undo(request: AdminRequest) -> Result<Reply> {
    let desk = Desk::of(&request).await?;
    let mut write = request.write_private().await?;
    let (restored, kept) = match desk.ledger().undo(&mut write, request.id()?).await {
        Err(Error::Conflict(sentence)) => return Ok(Reply::redirect(PATH).problem(sentence).into()),
        undone => undone?,
    };
    write.commit().await?;
    let kept = match kept {
        0 => String::new(),
        kept => format!(" {kept} stay as they are, because somebody has decided about them since."),
    };
    Ok(Reply::redirect(PATH)
        .done(format!("The import is undone. {restored} verified payments are as they were.{kept}"))
        .into())
}

/// Handles `POST /admin/statements/{id}/decision`.
async fn decide(request: AdminRequest) -> Result<Reply> {
    let desk = Desk::of(&request).await?;
    let back = |line: &str| format!("{PATH}?queue={line}");
    let problem = |text: String| Ok(Reply::redirect(back(request.form.get("queue"))).problem(text).into());
    let mut write = request.write_private().await?;
    let mut chosen: Vec<Submitted> = request.form.all("claim").filter_map(submitted).collect();
    let typed = fold(request.form.get("reference"));
    if !typed.is_empty() {
        let references = desk.ledger().overview(&mut write).await?.references;
        match references.into_iter().find(|(_, reference)| fold(reference) == typed) {
            Some((submission, _)) => chosen.push(submission),
            None => return problem(format!("There is no submission {}.", request.form.get("reference"))),
        }
    }
    let reason: String = trim(request.form.get("reason")).chars().filter(|c| !c.is_control()).take(MAX_TEXT).collect();
    let answer = match request.form.get("action") {
        "accept" | "reject" if chosen.is_empty() => {
            return problem("Tick the submissions, or write a reference.".to_owned());
        }
        "reject" if reason.is_empty() => return problem("Write why the payments are rejected.".to_owned()),
        "accept" => Answer::Accept(chosen),
        "reject" => Answer::Reject(chosen, reason),
        "dismiss" => Answer::Dismiss,
        "reopen" => Answer::Reopen,
        _ => return Err(Error::BadRequest("Please choose what is to be done.".into())),
    };
    let line = match desk.ledger().decide(&mut write, (request.id()?, request.form.get("queue")), &answer).await {
        Err(Error::Conflict(sentence)) => return problem(sentence),
        line => line?,
    };
    write.commit().await?;
    Ok(Reply::redirect(PATH).done(format!("{}: {}.", line.line.amount.text(), line.queue.label())).into())
}

/// Reads "film:3".
fn submitted(text: &str) -> Option<Submitted> {
    let (kind, id) = text.split_once(':')?;
    Some((crate::submissions::SubmissionKind::find(kind)?.name, id.parse().ok()?))
}
