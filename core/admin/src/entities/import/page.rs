//! The pages of an import: the one that takes a file, and the one that shows what a table is and would do.

use serde_json::{Value, json};

use super::form::ImportForm;
use super::table::Table;
use super::{ACCEPT, LARGEST, MOST_ROWS};
use crate::entities::form::chosen_edition;
use crate::entities::{capital, home, row_path};
use crate::input::{Choice, Input};
use crate::reply::{Page, Reply};
use crate::request::AdminRequest;
use crate::token;
use festival_base::error::Result;
use festival_records::edition::EDITION;
use festival_records::entity::{Entity, table};
use festival_records::importing::{self, Outcome, RowOutcome};
use festival_records::text::shortened;

/// How many lines are shown, and how many wrong values.
const SHOWN: usize = 300;
const WRONG_SHOWN: usize = 200;

/// What tells an outcome from any other: whoever clicks says what they saw.
pub(super) fn mark(outcome: &Outcome) -> String {
    let mut text = String::new();
    for row in &outcome.rows {
        text.push_str(&format!("{} {:?} {:?} {:?}\n", row.line, row.outcome, row.title, row.differences));
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
pub(super) async fn upload(request: &AdminRequest, entity: &'static Entity) -> Result<Page> {
    let mut input = Input::new("file", "table", "The list").required();
    input.accept = ACCEPT;
    let hint = format!("CSV, TSV or XLSX, at most {} MB and {MOST_ROWS} rows.", LARGEST >> 20);
    let mut inputs = vec![input.hint(hint)];
    let year = if request.form.has("edition") { request.form.get("edition") } else { request.query.get("edition") };
    if entity.per_edition {
        inputs.push(edition_input(request, entity, year).await?);
    }
    Ok(begin(entity).inputs(inputs))
}

/// The edition that the rows come into.
async fn edition_input(request: &AdminRequest, entity: &'static Entity, year: &str) -> Result<Input> {
    let mut connection = request.read().await?;
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
pub(super) async fn page(
    request: &AdminRequest,
    entity: &'static Entity,
    form: &ImportForm,
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
            let chosen = match (known, &form.options.columns) {
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
            let value = form.options.for_all.get(field.name).cloned().unwrap_or_default();
            Input::text(format!("all-{}", field.name), format!("{} of all rows that name none", field.label))
                .value(value)
        })
        .collect();
    let year = if entity.per_edition { edition_input(request, entity, &form.year).await?.choices } else { Vec::new() };
    page = page.with("refusal", reading.err().map(|sentence| capital(&sentence)).unwrap_or_default()).with(
        "waiting",
        json!({
            "ticket": form.waiting.ticket.text(),
            "name": form.waiting.name,
            "edition": form.year,
            "edition_name": year.iter().find(|choice| choice.chosen).map(|choice| choice.label.clone()),
            "first_row_is_data": form.options.no_header,
            "columns": columns,
            "for_all": for_all,
        }),
    );
    if let Some(outcome) = outcome {
        page = page.with("result", result(entity, &outcome)).inputs(form.inputs());
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
    let (new, changed) = (outcome.count(RowOutcome::New), outcome.count(RowOutcome::Changed));
    let touched = || outcome.rows.iter().filter(|row| row.outcome != RowOutcome::Unchanged);
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
                "is_new": row.outcome == RowOutcome::New,
                "title": row.title,
                "href": row.id.map(|id| row_path(entity, id)),
                "differences": differences,
            })
        })
        .collect();
    json!({
        "mark": mark(outcome),
        "new": new,
        "changed": changed,
        "unchanged": outcome.count(RowOutcome::Unchanged),
        "touched": lines(new + changed),
        "wrong": outcome.errors.len(),
        "errors": outcome.errors.iter().take(WRONG_SHOWN).collect::<Vec<_>>(),
        "more_errors": outcome.errors.len().saturating_sub(WRONG_SHOWN),
        "notes": outcome.notes.iter().take(WRONG_SHOWN).map(|note| capital(note)).collect::<Vec<_>>(),
        "more_rows": (new + changed).saturating_sub(SHOWN),
        "rows": rows,
    })
}
