//! A table that comes in: chosen, read and shown line by line, then brought in with one click.
//!
//! Between the two steps the file waits in the private store, for an hour, for the session that sent it. What is
//! shown is a rehearsal in a transaction that is given up; what is done is the same again, and only if it would still
//! do what was shown.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::form::chosen_edition;
use super::waiting::{Ticket, Waiting};
use super::{capital, editor, home, row_path};
use crate::admin::audit::Entry;
use crate::admin::input::{Choice, Input};
use crate::admin::reply::{Page, Reply};
use crate::admin::screen::Screen;
use crate::admin::token;
use crate::admin::visit::{Fields, Visit};
use crate::app::App;
use crate::db::Write;
use crate::edition::EDITION;
use crate::entity::{Entity, table};
use crate::error::{Error, FieldError, Result};
use crate::importing::{self, Job, Outcome, Reading, Said, What, shortened};
use crate::sheet::{self, Limits};
use crate::upload::{AcceptedFile, Accepts, Takes};

/// The largest table, in bytes, and its most rows. Longer lists are for the command line.
const LARGEST: usize = 20 << 20;
const MOST_ROWS: usize = 10_000;
/// How many lines are shown, and how many wrong values.
const SHOWN: usize = 300;
const WRONG_SHOWN: usize = 200;
/// The kinds of files that can be chosen.
const ACCEPT: &str = ".csv,.tsv,.txt,.xlsx,text/csv,text/tab-separated-values";

/// `screen`, which takes a table.
pub(super) fn taking_a_table(screen: Screen) -> Screen {
    screen.accepts(Accepts {
        texts: vec!["edition".to_owned()],
        files: vec![AcceptedFile::new("table", Takes::Table).largest(LARGEST as u64)],
        keep_the_rest: true,
        ..Accepts::default()
    })
}

/// What somebody asks of a table that waits.
struct Asked {
    waiting: Waiting,
    year: String,
    said: Said,
}

impl Asked {
    fn read(fields: &Fields, entity: &'static Entity, ticket: Ticket) -> Self {
        let mut columns = Vec::new();
        for (name, field) in fields.iter() {
            let number = name.strip_prefix("column-").and_then(|number| number.parse::<usize>().ok());
            let Some(number) = number.filter(|number| (1..=Limits::default().columns).contains(number)) else {
                continue;
            };
            if columns.len() < number {
                columns.resize(number, String::new());
            }
            columns[number - 1] = field.to_owned();
        }
        let for_all: BTreeMap<&'static str, String> = importing::for_all(entity)
            .map(|field| (field.name, fields.get(&format!("all-{}", field.name)).trim().to_owned()))
            .filter(|(_, text)| !text.is_empty())
            .collect();
        Self {
            waiting: Waiting { ticket, name: fields.get("name").chars().take(80).collect() },
            year: fields.get("edition").to_owned(),
            said: Said {
                columns: (!columns.is_empty()).then_some(columns),
                for_all,
                no_header: fields.get("first-row") == "data",
            },
        }
    }

    /// The same again, as the form sends it that does what was shown.
    fn inputs(&self) -> Vec<Input> {
        let mut inputs = vec![
            Input::hidden("file", self.waiting.ticket.text()),
            Input::hidden("name", &self.waiting.name),
            Input::hidden("edition", &self.year),
        ];
        if self.said.no_header {
            inputs.push(Input::hidden("first-row", "data"));
        }
        for (index, field) in self.said.columns.iter().flatten().enumerate() {
            inputs.push(Input::hidden(format!("column-{}", index + 1), field));
        }
        for (field, text) in &self.said.for_all {
            inputs.push(Input::hidden(format!("all-{field}"), text));
        }
        inputs
    }
}

/// A table that was read.
struct Table {
    /// Its header, and the first thing that each column says.
    header: Vec<(String, String)>,
    /// The fields that a column can fill.
    fields: Vec<(&'static str, &'static str)>,
    /// What it means, or why it is refused.
    reading: Result<Reading, String>,
}

pub(super) async fn show(visit: Visit, entity: &'static Entity) -> Result<Reply> {
    let Some(ticket) = Ticket::read(&visit, entity, visit.query.get("file")) else {
        if visit.query.has("file") {
            return Ok(gone(entity));
        }
        return Ok(upload(&visit, entity).await?.into());
    };
    let asked = Asked::read(&visit.query, entity, ticket);
    let Some(table) = read(&visit, entity, &asked).await? else { return Ok(gone(entity)) };
    let mut outcome = None;
    if let Some((header, reading)) = readable(&table) {
        let (write, brought) = bring(&visit, entity, &asked, &header, reading).await?;
        write.rollback().await?;
        outcome = Some(brought);
    }
    Ok(page(&visit, entity, &asked, table, outcome).await?.into())
}

pub(super) async fn take(mut visit: Visit, entity: &'static Entity) -> Result<Reply> {
    let mut wrong = std::mem::take(&mut visit.wrong);
    let Some(staged) = visit.files.remove("table") else {
        wrong.push(FieldError::new("table", "Please choose a file"));
        return Ok(upload(&visit, entity).await?.refused(Error::Invalid(wrong))?.into());
    };
    let Waiting { ticket, name } = Waiting::begin(&visit, entity, staged).await?;
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("file", &ticket.text())
        .append_pair("name", &name.chars().take(80).collect::<String>())
        .append_pair("edition", visit.form.get("edition"))
        .finish();
    Ok(Reply::redirect(format!("{}/import?{query}", home(entity))).into())
}

pub(super) async fn carry_out(visit: Visit, entity: &'static Entity) -> Result<Reply> {
    let Some(ticket) = Ticket::read(&visit, entity, visit.form.get("file")) else { return Ok(gone(entity)) };
    let asked = Asked::read(&visit.form, entity, ticket);
    let Some(table) = read(&visit, entity, &asked).await? else { return Ok(gone(entity)) };
    let Some((header, reading)) = readable(&table) else {
        return Ok(page(&visit, entity, &asked, table, None).await?.into());
    };
    let (mut write, outcome) = bring(&visit, entity, &asked, &header, reading).await?;
    let is_as_shown = token::same(&mark(&outcome), visit.form.get("mark"));
    if !is_as_shown || (!outcome.errors.is_empty() && visit.form.get("skip") != "yes") {
        write.rollback().await?;
        let words = "What is there changed since you looked. Nothing was written. This is what the list would do now.";
        let page = page(&visit, entity, &asked, table, Some(outcome)).await?;
        return Ok(page.refused(Error::Conflict(words.into()))?.into());
    }
    let (new, changed) = (outcome.count(What::New), outcome.count(What::Changed));
    let done = json!({ "new": new, "changed": changed, "left_out": outcome.errors.len() });
    visit.audit(&mut write, Entry::new("import", entity.table).after(done)).await?;
    write.commit().await?;
    asked.waiting.end(&visit).await;
    let list = match &*asked.year {
        "" => home(entity),
        year => format!(
            "{}?{}",
            home(entity),
            form_urlencoded::Serializer::new(String::new()).append_pair("edition", year).finish()
        ),
    };
    Ok(Reply::redirect(list).done(format!("The list is in: {new} new, {changed} changed.")).into())
}

/// The way back where the file does not wait any more.
fn gone(entity: &Entity) -> Reply {
    let words = "The file is not here any more: it waits for an hour, for the browser that sent it. Choose it again.";
    Reply::redirect(format!("{}/import", home(entity))).problem(words).into()
}

/// Reads the table that waits; `None` where it does not wait any more, a sentence where it is no table.
async fn read(visit: &Visit, entity: &'static Entity, asked: &Asked) -> Result<Option<Result<Table, String>>> {
    let Some(bytes) = asked.waiting.open(visit).await? else { return Ok(None) };
    let (app, said, name) = (visit.app.clone(), asked.said.clone(), asked.waiting.name.clone());
    let read = move || read_bytes(&app, entity, &bytes, &name, &said);
    // Reading takes a while, and the threads of requests are few.
    Ok(Some(tokio::task::spawn_blocking(read).await.map_err(Error::internal)?))
}

fn read_bytes(app: &Arc<App>, entity: &'static Entity, bytes: &[u8], name: &str, said: &Said) -> Result<Table, String> {
    let limits = Limits { file_bytes: LARGEST, rows: MOST_ROWS, ..Limits::default() };
    let sheet = sheet::read(bytes, name, &limits).map_err(|error| error.to_string())?;
    let example = |index: usize| {
        let mut cells = sheet.rows.iter().map(|row| row.cells[index].trim());
        shortened(cells.find(|cell| !cell.is_empty()).unwrap_or_default())
    };
    let header = sheet.header.iter().enumerate().map(|(index, header)| (header.trim().to_owned(), example(index)));
    let header = header.collect();
    let reader = importing::reader(app, entity, &sheet.header);
    Ok(Table { header, fields: reader.fields(entity), reading: reader.read(app, entity, sheet, said) })
}

/// The header and the meaning of a table that is not refused.
fn readable(table: &Result<Table, String>) -> Option<(Vec<String>, Reading)> {
    let table = table.as_ref().ok()?;
    let header = table.header.iter().map(|(header, _)| header.clone()).collect();
    Some((header, table.reading.as_ref().ok()?.clone()))
}

/// Brings the table in, in a transaction that is still open.
async fn bring(
    visit: &Visit,
    entity: &'static Entity,
    asked: &Asked,
    header: &[String],
    reading: Reading,
) -> Result<(Write, Outcome)> {
    let reader = importing::reader(&visit.app, entity, header);
    let editor = editor(visit)?;
    let mut write = visit.write().await?;
    let edition = chosen_edition(&mut write, entity, &asked.year).await?;
    let mut job = Job { app: &visit.app, connection: &mut write, entity, edition, editor: &editor };
    let outcome = importing::bring(&mut job, reader, reading).await?;
    Ok((write, outcome))
}

/// What tells an outcome from any other: whoever clicks says what they saw.
fn mark(outcome: &Outcome) -> String {
    let mut text = String::new();
    for row in &outcome.rows {
        text.push_str(&format!("{} {:?} {:?} {:?}\n", row.line, row.what, row.title, row.differences));
    }
    for error in &outcome.errors {
        text.push_str(&format!("{error}\n"));
    }
    for note in &outcome.notes {
        text.push_str(&format!("{note}\n"));
    }
    token::hash("import", &text)
}

/// The page that takes a file.
async fn upload(visit: &Visit, entity: &'static Entity) -> Result<Page> {
    let mut input = Input::new("file", "table", "The list").required();
    input.accept = ACCEPT;
    let hint = format!("CSV, TSV or XLSX, at most {} MB and {MOST_ROWS} rows.", LARGEST >> 20);
    let mut inputs = vec![input.hint(hint)];
    let year = if visit.form.has("edition") { visit.form.get("edition") } else { visit.query.get("edition") };
    if entity.per_edition {
        inputs.push(edition_input(visit, entity, year).await?);
    }
    Ok(begin(entity).inputs(inputs))
}

/// The edition that the rows come into.
async fn edition_input(visit: &Visit, entity: &'static Entity, year: &str) -> Result<Input> {
    let mut connection = visit.read().await?;
    let current = chosen_edition(&mut connection, entity, year).await?;
    let editions = table::choices(&mut connection, &EDITION, None).await?;
    let present = editions.iter().find(|choice| Some(choice.id) == current).map(|choice| choice.key.clone());
    let present = present.unwrap_or_default();
    let choices = editions.into_iter().map(|choice| Choice::new(choice.key, choice.name, &present)).collect();
    Ok(Input::choice("edition", "Edition", choices).required())
}

/// A page of the import with nothing on it yet.
fn begin(entity: &'static Entity) -> Page {
    Reply::page("entity-import", format!("Import {}", entity.plural))
        .crumb(capital(entity.plural), home(entity))
        .with("home", home(entity))
        .with("plural", entity.plural)
        .with("singular", entity.singular)
        .with("waiting", Value::Null)
        .with("refusal", "")
        .with("result", Value::Null)
}

/// The page that shows what a table is, and what it would do.
async fn page(
    visit: &Visit,
    entity: &'static Entity,
    asked: &Asked,
    table: Result<Table, String>,
    outcome: Option<Outcome>,
) -> Result<Page> {
    let mut page = begin(entity);
    let (header, fields, reading) = match table {
        Ok(table) => (table.header, table.fields, table.reading),
        Err(sentence) => (Vec::new(), Vec::new(), Err(sentence)),
    };
    let columns: Vec<Value> = header
        .iter()
        .enumerate()
        .map(|(index, (header, example))| {
            let known = reading.as_ref().ok().and_then(|reading| reading.columns.get(index));
            let chosen = match (known, &asked.said.columns) {
                (Some(column), _) => column.field.unwrap_or_default(),
                (None, Some(chosen)) => chosen.get(index).map_or("", String::as_str),
                (None, None) => "",
            };
            let choices: Vec<Choice> = fields.iter().map(|(name, label)| Choice::new(*name, *label, chosen)).collect();
            json!({
                "number": index + 1,
                "header": header,
                "example": example,
                "why": known.map_or("", |column| column.why.as_str()),
                "choices": choices,
            })
        })
        .collect();
    let for_all: Vec<Input> = importing::for_all(entity)
        .map(|field| {
            let value = asked.said.for_all.get(field.name).cloned().unwrap_or_default();
            Input::text(format!("all-{}", field.name), format!("{} of all rows that name none", field.label))
                .value(value)
        })
        .collect();
    let year = if entity.per_edition { edition_input(visit, entity, &asked.year).await?.choices } else { Vec::new() };
    page = page.with("refusal", reading.err().map(|sentence| capital(&sentence)).unwrap_or_default()).with(
        "waiting",
        json!({
            "ticket": asked.waiting.ticket.text(),
            "name": asked.waiting.name,
            "edition": asked.year,
            "edition_name": year.iter().find(|choice| choice.chosen).map(|choice| choice.label.clone()),
            "first_row_is_data": asked.said.no_header,
            "columns": columns,
            "for_all": for_all,
        }),
    );
    if let Some(outcome) = outcome {
        page = page.with("result", result(entity, &outcome)).inputs(asked.inputs());
    }
    Ok(page)
}

/// "1 line", "12 lines"; nothing for none.
fn lines(count: usize) -> Option<String> {
    match count {
        0 => None,
        1 => Some("1 line".to_owned()),
        count => Some(format!("{count} lines")),
    }
}

/// What a table would do, for the template.
fn result(entity: &Entity, outcome: &Outcome) -> Value {
    let (new, changed) = (outcome.count(What::New), outcome.count(What::Changed));
    let touched = || outcome.rows.iter().filter(|row| row.what != What::Unchanged);
    let rows: Vec<Value> = touched()
        .take(SHOWN)
        .map(|row| {
            let differences: Vec<Value> = row
                .differences
                .iter()
                .map(|it| json!({ "label": it.label, "before": shortened(&it.before), "after": shortened(&it.after) }))
                .collect();
            json!({
                "line": row.line,
                "is_new": row.what == What::New,
                "title": row.title,
                "href": row_path(entity, row.id),
                "differences": differences,
            })
        })
        .collect();
    json!({
        "mark": mark(outcome),
        "new": new,
        "changed": changed,
        "unchanged": outcome.count(What::Unchanged),
        "touched": lines(new + changed),
        "wrong": outcome.errors.len(),
        "errors": outcome.errors.iter().take(WRONG_SHOWN).collect::<Vec<_>>(),
        "more_errors": outcome.errors.len().saturating_sub(WRONG_SHOWN),
        "notes": outcome.notes.iter().take(WRONG_SHOWN).map(|note| capital(note)).collect::<Vec<_>>(),
        "more_rows": (new + changed).saturating_sub(SHOWN),
        "rows": rows,
    })
}
