//! The pages of an import: upload, and preview.

use serde_json::{Value, json};

use super::form::{ImportForm, MAPPING};
use super::table::{MAX_BYTES, MAX_ROWS, Table};
use crate::back_office::AdminRequest;
use crate::entities::form::chosen_edition;
use crate::entities::paths::{home, row_path};
use crate::identity::token;
use crate::serving::frame::capitalized;
use crate::serving::input::{Choice, Input};
use crate::serving::reply::{Page, Reply};
use festival_base::error::Result;
use festival_base::text::shortened;
use festival_records::edition::EDITION;
use festival_records::entity::{Entity, table};
use festival_records::importing::{self, Difference, Outcome, Question, Reader, Refusal, RowOutcome};

/// Value of the attribute `accept` of the file input.
const ACCEPT: &str = ".csv,.tsv,.txt,.xlsx,.ods,.json,.zip,text/csv,text/tab-separated-values,application/json";
/// Lines on a page of the preview.
const LINES_PER_PAGE: usize = 50;
/// Maximum number of errors and of notes in the preview.
const MAX_SHOWN_ERRORS: usize = 200;

/// Returns a hash of a planned outcome: the import is written only if it still equals the one of the preview.
pub(super) fn fingerprint(outcome: &Outcome) -> String {
    let mut text = String::new();
    for row in &outcome.rows {
        text.push_str(&format!("{} {:?} {:?} {:?}\n", row.line, row.outcome, row.title, row.differences));
    }
    for question in &outcome.questions {
        text.push_str(&format!("{} {:?}\n", question.key, question.decision));
    }
    for error in &outcome.errors {
        text.push_str(&format!("{error}\n"));
    }
    for error in &outcome.blanked {
        text.push_str(&format!("{error}\n"));
    }
    for note in &outcome.notes {
        text.push_str(&format!("{note}\n"));
    }
    token::hash("import", &text)
}

/// Returns the page with the upload form.
pub(super) async fn upload_page(request: &AdminRequest, entity: &'static Entity) -> Result<Page> {
    let mut input = Input::new("file", "table", "Spreadsheet").required();
    input.accept = ACCEPT;
    let hint = format!(
        "CSV, TSV, XLSX, ODS or JSON, or a ZIP archive with one and its files; at most {} MB and {MAX_ROWS} rows.",
        MAX_BYTES >> 20
    );
    let mut inputs = vec![input.hint(hint)];
    let year = if request.form.has("edition") { request.form.get("edition") } else { request.query.get("edition") };
    if entity.per_edition {
        inputs.push(edition_input(request, entity, year).await?);
    }
    Ok(base_page(request, entity).inputs(inputs))
}

/// Returns the input for the edition to import into.
async fn edition_input(request: &AdminRequest, entity: &'static Entity, year: &str) -> Result<Input> {
    let mut connection = request.read().await?;
    let current = chosen_edition(&mut connection, entity, year).await?.map(|edition| edition.id);
    let editions = table::choices(&mut connection, &EDITION, None).await?;
    let chosen = editions.iter().find(|choice| Some(choice.id) == current).map(|choice| choice.key.clone());
    let chosen = chosen.unwrap_or_default();
    let choices = editions.into_iter().map(|choice| Choice::new(choice.key, choice.name, &chosen)).collect();
    Ok(Input::choice("edition", "Edition", choices).value(chosen).required())
}

/// Returns the page without upload or preview.
fn base_page(request: &AdminRequest, entity: &'static Entity) -> Page {
    let matching = request.admin.contents.reader_of(entity).map_or(importing::MATCHED_BY_KEY, Reader::matching);
    Reply::page("entity-import", format!("Import {}", entity.plural))
        .crumb(capitalized(entity.plural), home(entity))
        .with("home", home(entity))
        .with("plural", entity.plural)
        .with("singular", entity.singular)
        .with("matching", matching)
        .with("staged", Value::Null)
        .with("error", "")
        .with("result", Value::Null)
        .with("save_mapping", Value::Null)
}

/// Returns the page with the columns of the table and, if it can be read, the preview of the import.
pub(super) async fn page(
    request: &AdminRequest,
    entity: &'static Entity,
    form: &ImportForm,
    table: Result<Table, String>,
    outcome: Option<Outcome>,
) -> Result<Page> {
    let mut page = base_page(request, entity);
    let mut mappings = Value::Null;
    let mut save_mapping = None;
    let (header, fields, reading) = match table {
        Ok(table) => {
            mappings = mapping_links(entity, form, &table);
            save_mapping = table.has_own_columns.then(|| form.save_input());
            (table.header, table.fields, table.reading)
        }
        Err(message) => (Vec::new(), Vec::new(), Err(Refusal::from(message))),
    };
    // Those of a refused table, too: what was recognised need not be chosen again.
    let recognised = reading.as_ref().map_or_else(|refusal| &refusal.columns, |parsed| &parsed.columns);
    let columns: Vec<Value> = header
        .iter()
        .enumerate()
        .map(|(index, (header, example))| {
            let column = recognised.get(index);
            let chosen = match (column, &form.options.columns) {
                (Some(column), _) => column.field.unwrap_or_default(),
                (None, Some(chosen)) => chosen.get(index).map_or("", String::as_str),
                (None, None) => "",
            };
            let choices: Vec<Choice> = fields.iter().map(|(name, label)| Choice::new(*name, *label, chosen)).collect();
            json!({
                "number": index + 1,
                "header": header,
                "example": example,
                "why": column.map_or("", |column| column.why.as_str()),
                "choices": choices,
            })
        })
        .collect();
    let ignored = recognised.iter().filter(|column| column.field.is_none()).count();
    let for_all: Vec<Input> = importing::for_all(entity)
        .map(|field| {
            let value = form.options.for_all.get(field.name).cloned().unwrap_or_default();
            Input::text(format!("all-{}", field.name), format!("{} for rows without one", field.label)).value(value)
        })
        .collect();
    let year = if entity.per_edition { edition_input(request, entity, &form.year).await?.choices } else { Vec::new() };
    page = page
        .with(
            "error",
            reading.as_ref().err().map(|refusal| sentence(&refusal.reason, &form.staged.name)).unwrap_or_default(),
        )
        .with(
            "staged",
            json!({
                "ticket": form.staged.ticket.text(),
                "name": form.staged.name,
                "edition": form.year,
                "edition_name": year.iter().find(|choice| choice.chosen).map(|choice| choice.label.clone()),
                "first_row_is_data": form.options.no_header,
                // Opened if the user has to choose.
                "columns_open": reading.is_err() || ignored > 0,
                "ignored": ignored,
                "column_count": columns.len(),
                "columns": columns,
                "mappings": mappings,
                "for_all": for_all,
                "rules": form.rules(entity),
            }),
        );
    if let Some(outcome) = outcome {
        page = page
            .with("result", result(entity, &outcome, form.page))
            .with("save_mapping", save_mapping)
            .inputs(form.inputs());
    }
    Ok(page)
}

/// A message as a sentence: capitalized, unless it begins with the name of the file.
fn sentence(message: &str, file: &str) -> String {
    if message.starts_with(file) { message.to_owned() } else { capitalized(message) }
}

/// The saved mapping that is used, and links to the preview with another one or with what the header says.
fn mapping_links(entity: &Entity, form: &ImportForm, table: &Table) -> Value {
    let link = |name: &str| {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("file", &form.staged.ticket.text())
            .append_pair("name", &form.staged.name)
            .append_pair("edition", &form.year)
            .append_pair(MAPPING, name)
            .finish();
        format!("{}/import?{query}", home(entity))
    };
    let others: Vec<Value> =
        table.other_mappings.iter().map(|name| json!({ "name": name, "href": link(name) })).collect();
    json!({ "used": table.mapping, "by_header": table.mapping.as_ref().map(|_| link("")), "others": others })
}

/// Returns "1 line" or "12 lines"; `None` for 0.
fn lines(count: usize) -> Option<String> {
    match count {
        0 => None,
        1 => Some("1 line".to_owned()),
        count => Some(format!("{count} lines")),
    }
}

/// Returns a difference for the template.
fn difference(it: &Difference) -> Value {
    json!({ "label": it.label, "before": shortened(&it.before), "after": shortened(&it.after) })
}

/// Returns the preview of an import for the template.
fn result(entity: &Entity, outcome: &Outcome, page: usize) -> Value {
    let (new, changed) = (outcome.count(RowOutcome::New), outcome.count(RowOutcome::Changed));
    let pages = (new + changed).div_ceil(LINES_PER_PAGE).max(1);
    let page = page.min(pages);
    let affected = || outcome.rows.iter().filter(|row| matches!(row.outcome, RowOutcome::New | RowOutcome::Changed));
    let rows: Vec<Value> = affected()
        .skip((page - 1) * LINES_PER_PAGE)
        .take(LINES_PER_PAGE)
        .map(|row| {
            let differences: Vec<Value> = row.differences.iter().map(difference).collect();
            json!({
                "line": row.line,
                "is_new": row.outcome == RowOutcome::New,
                "title": row.title,
                "details": row.details,
                "href": row.id.map(|id| row_path(entity, id)),
                "differences": differences,
            })
        })
        .collect();
    let differences = |question: &Question| -> Vec<Value> {
        let row = outcome.rows.iter().find(|row| question.lines == [row.line] && row.outcome == RowOutcome::Undecided);
        row.into_iter().flat_map(|row| &row.differences).map(difference).collect()
    };
    let questions: Vec<Value> = outcome
        .questions
        .iter()
        .map(|question| {
            let chosen = question.decision.map(|decision| decision.to_string()).unwrap_or_default();
            let choices: Vec<Choice> = question
                .choices()
                .into_iter()
                .map(|(decision, label)| Choice::new(decision.to_string(), capitalized(&label), &chosen))
                .collect();
            let lines: Vec<String> = question.lines.iter().map(u64::to_string).collect();
            json!({
                "name": format!("decide-{}", question.key),
                "lines": lines.join(", "),
                "text": question.text,
                "choices": choices,
                "differences": differences(question),
            })
        })
        .collect();
    json!({
        "questions": questions,
        "may_import": new + changed > 0 && outcome.open_questions().next().is_none(),
        "open": outcome.open_questions().count(),
        "undecided": outcome.count(RowOutcome::Undecided),
        "left_out": outcome.count(RowOutcome::LeftOut),
        "fingerprint": fingerprint(outcome),
        "new": new,
        "changed": changed,
        "unchanged": outcome.count(RowOutcome::Unchanged),
        "affected": lines(new + changed),
        "error_count": outcome.errors.len(),
        "errors": outcome.errors.iter().take(MAX_SHOWN_ERRORS).collect::<Vec<_>>(),
        "more_errors": outcome.errors.len().saturating_sub(MAX_SHOWN_ERRORS),
        "notes": outcome.notes.iter().take(MAX_SHOWN_ERRORS).map(|note| capitalized(note)).collect::<Vec<_>>(),
        "blanked": outcome.blanked.iter().take(MAX_SHOWN_ERRORS).collect::<Vec<_>>(),
        "more_blanked": outcome.blanked.len().saturating_sub(MAX_SHOWN_ERRORS),
        "rows": rows,
        "page": page,
        "pages": pages,
        "previous": (page > 1).then(|| page - 1),
        "next": (page < pages).then_some(page + 1),
    })
}
