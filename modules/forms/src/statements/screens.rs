//! The screens of bank statements beside their list: imports and their undo, sums.

use festival_core::admin::Permission::To;
use festival_core::admin::audit::Entry;
use festival_core::admin::collections;
use festival_core::admin::{Action, AdminRequest, Input, Page, Reply, Screen};
use festival_core::checks::AcceptedKinds;
use festival_core::entity::trim;
use festival_core::upload::{AcceptedFile, Accepts};
use festival_core::{Error, FieldError, Registry, Result, templates, time_text};
use serde_json::json;

use super::action::TELL;
use super::list::{HOME, LineList};
use super::queue::SETTLED;
use super::read::MAX_BYTES;
use super::report::totals;
use super::settle::Claim;
use super::statement::Problem;
use super::store::{Ledger, Report, Source};
use super::stored::{self, LINES, MatchState, StoredLine};
use super::{claims, decide, layout};
use crate::review::GROUP;
use crate::role::PEOPLE;
use crate::submissions::{PAYMENTS, label_of};

const IMPORT: &str = "/admin/statements/import";
/// Folder of uploaded files in the private store, which are deleted after an hour.
const FOLDER: &str = "imports";
/// Maximum number of lines that the preview of an import names.
const MAX_LINES: usize = 200;
/// Maximum length of the name of an account, in characters.
const MAX_TEXT: usize = 200;

/// Registers the screens.
pub(super) fn register(registry: &mut Registry) {
    registry.templates(templates!["statement-line", "statement-import", "statement-preview", "statement-sums"]);
    let (view, edit) = (To(&PEOPLE, Action::View), To(&PEOPLE, Action::Edit));
    registry
        .screen(
            Screen::get(HOME, view, |request| collections::show(request, &LineList))
                .first_in_menu(GROUP, "Bank statements"),
        )
        .screen(Screen::post("/admin/statements/file", To(&PEOPLE, Action::Export), |request| {
            collections::download(request, &LineList)
        }))
        .screen(Screen::post("/admin/statements/selected", edit, decide::submit))
        .screen(Screen::get("/admin/statements/sums", view, sums))
        .screen(Screen::get(IMPORT, view, show))
        .screen(Screen::post(IMPORT, edit, receive).accepts(Accepts {
            texts: vec!["bank".to_owned(), "map".to_owned()],
            files: vec![AcceptedFile::new("statement", AcceptedKinds::Table).max_bytes(MAX_BYTES as u64)],
            tolerate_errors: true,
            ..Accepts::default()
        }))
        .screen(Screen::post("/admin/statements/import/now", edit, confirm))
        .screen(Screen::post("/admin/statements/import/{id}/undo", edit, undo))
        .screen(Screen::get("/admin/statements/{id}", view, decide::show));
}

/// Handles `GET sums`: the sums of the lines, each table of which adds up to the statement.
async fn sums(request: AdminRequest) -> Result<Reply> {
    let mut connection = request.read().await?;
    let (ledger, edition) = Ledger::of_request(&request, &mut connection).await?;
    let lines = stored::lines(&mut connection, edition.id).await?;
    let claims = claims::read(&request.site, &ledger.settings, &mut connection, edition.id).await?;
    // What is said of the submission that a line has settled; of others, where they wait.
    let settled = |line: &StoredLine, describe: fn(&Claim) -> String| {
        let settled: Vec<_> = line.matched(MatchState::Settled).filter(|_| line.queue == SETTLED).collect();
        let paid = claims.iter().find(|claim| settled.contains(&claim.submission));
        (paid.is_none(), paid.map_or_else(|| line.queue.label.to_owned(), describe))
    };
    let day = |line: &StoredLine| (line.line.day, line.line.day.strftime("%-d %B %Y").to_string());
    let named: Vec<_> = lines.iter().flat_map(|line| &line.matches).map(|found| found.submission).collect();
    let missing = claims.iter().filter(|claim| claim.state == "unchecked" && !named.contains(&claim.submission));
    let missing: Vec<&String> = missing.map(|claim| &claim.reference).collect();
    let tables = [
        ("Where it waits", totals(&lines, StoredLine::place)),
        ("Payment", totals(&lines, |line| settled(line, |claim| label_of(PAYMENTS, &claim.state)))),
        ("Category", totals(&lines, |line| settled(line, |claim| claim.category.clone()))),
        ("Day", totals(&lines, day)),
    ];
    let tables = tables.map(|(by, rows)| json!({ "by": by, "rows": rows }));
    let page = Reply::page("statement-sums", "Sums of bank statements").crumb("Bank statements", HOME);
    let page = match missing.is_empty() {
        true => page.shows_nobody(),
        false => page.shows_people(Entry::new("view", LINES).after(json!({ "sums": edition.year }))),
    };
    Ok(page
        .with("editions", &edition.choices)
        .with("tables", if lines.is_empty() { Vec::new() } else { tables.to_vec() })
        .with("all", totals(&lines, |_| ((), "All, money that went out subtracted".to_owned())))
        .with("without", missing)
        .into())
}

/// Handles `GET import`: the form, and past imports.
async fn show(request: AdminRequest) -> Result<Reply> {
    Ok(page(&request).await?.into())
}

async fn page(request: &AdminRequest) -> Result<Page> {
    let mut connection = request.read().await?;
    let (ledger, _) = Ledger::of_request(request, &mut connection).await?;
    let sql = "SELECT id, bank, file_name, who, at, new_lines, undone_at FROM statement_imports WHERE edition_id = $1 ORDER BY id DESC";
    let rows: Vec<(i64, String, String, String, String, i64, String)> =
        sqlx::query_as(sql).bind(ledger.edition).fetch_all(&mut *connection).await?;
    let past = rows.into_iter().map(|(id, bank, file, who, at, lines, undone_at)| {
        let at = time_text::short(&at, &request.site.time_zone);
        let is_undone = !undone_at.is_empty();
        json!({ "id": id, "bank": bank, "file": file, "who": who, "at": at, "lines": lines, "is_undone": is_undone })
    });
    Ok(Reply::page("statement-import", "Import a bank statement")
        .crumb("Bank statements", HOME)
        .shows_nobody()
        .inputs(upload_inputs(request))
        .with("may_edit", request.may(&PEOPLE, Action::Edit))
        .with("imports", past.collect::<Vec<_>>()))
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

/// Handles `POST import`: stores the file, and shows what its import would do.
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
        let assigned = [&*self.map].into_iter().filter(|text| !text.is_empty());
        let assigned = layout::assigned(assigned).map_err(Error::BadRequest)?;
        let mut write = request.write_private().await?;
        let (ledger, _) = Ledger::of_request(request, &mut write).await?;
        let source = Source { bytes, file_name: &self.name, bank: &self.bank, assigned };
        let report = ledger.import(&mut write, source).await?;
        let is_kept = keeps && (report.problems.is_empty() || request.form.get("skip") == "yes");
        if is_kept {
            write.commit().await?;
        }
        Ok((report, is_kept))
    }
}

/// The page that says what an import would do.
fn preview(upload: &Upload, report: &Report) -> Page {
    let problem = |problem: &Problem| json!({ "line": problem.line, "text": problem.text });
    let problems = |all: &[Problem]| all.iter().take(MAX_LINES).map(problem).collect::<Vec<_>>();
    let line = |line: &StoredLine| {
        json!({
            "line": line.line.line,
            "title": line.title(),
            "narration": line.line.narration,
            "label": line.queue.label,
            "reason": line.reason,
            "claims": line.references(),
        })
    };
    let hidden = [("file", &upload.key), ("name", &upload.name), ("bank", &upload.bank), ("map", &upload.map)];
    let mut inputs: Vec<Input> = hidden.into_iter().map(|(name, value)| Input::hidden(name, value)).collect();
    if report.verified > 0 {
        let tell = Input::new("flag", TELL, "Tell the senders by mail whose payments are verified");
        inputs.push(tell.hint("The mails go out at once, each with the number of the receipt."));
    }
    if !report.problems.is_empty() {
        inputs.push(Input::new("flag", "skip", "Import the other lines all the same"));
    }
    Reply::page("statement-preview", "Import a bank statement")
        .crumb("Bank statements", HOME)
        .lists_people(LINES, report.lines.len(), json!({ "file": upload.name }))
        .inputs(inputs)
        .with("name", &upload.name)
        .with("summary", report.summary())
        .with("queues", totals(&report.lines, StoredLine::place))
        .with("errors", problems(&report.problems))
        .with("notes", problems(&report.notes))
        .with("lines", report.lines.iter().take(MAX_LINES).map(line).collect::<Vec<_>>())
        .with("more", report.lines.len().saturating_sub(MAX_LINES))
}

/// Handles `POST import/now`.
async fn confirm(request: AdminRequest) -> Result<Reply> {
    let text = |name: &str| request.form.get(name).to_owned();
    let upload = Upload { key: text("file"), name: text("name"), bank: bank(&request), map: text("map") };
    let (report, is_kept) = upload.import(&request, true).await?;
    if !is_kept {
        let errors = vec![FieldError::new("skip", "Some lines are wrong. Correct the file, or tick this.")];
        return Ok(preview(&upload, &report).refused(Error::Invalid(errors))?.into());
    }
    request.site.media.delete_private(&upload.key).await?;
    Ok(Reply::redirect(HOME).done(format!("{}.", report.summary())).into())
}

/// Handles `POST import/{id}/undo`.
async fn undo(request: AdminRequest) -> Result<Reply> {
    let mut write = request.write_private().await?;
    let (ledger, _) = Ledger::of_request(&request, &mut write).await?;
    let (restored, kept) = match ledger.undo(&mut write, request.id()?).await {
        Err(Error::Conflict(sentence)) => return Ok(Reply::redirect(IMPORT).problem(sentence).into()),
        undone => undone?,
    };
    write.commit().await?;
    let kept = match kept {
        0 => String::new(),
        kept => format!(" {kept} stay as they are, because somebody has decided about them since."),
    };
    let done = format!("The import is undone. {restored} verified payments are as they were.{kept}");
    Ok(Reply::redirect(IMPORT).done(done).into())
}
