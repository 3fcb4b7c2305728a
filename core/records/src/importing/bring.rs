//! Rows of a table become rows of an entity: checked, written with their history, and said line by line.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use super::names::Names;
use super::{CellError, ID, Job, Reader, Reading, Row};
use crate::editing::{self, Action, Current, Words};
use crate::entity::{Datum, Entity, Field, Kind, Listing, Record, table};
use crate::text::shortened;
use festival_base::error::{Error, FieldError, Result};

/// What a line does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// A new row.
    New,
    /// Another content for a row.
    Changed,
    /// Nothing.
    Unchanged,
}

/// What a line did.
#[derive(Clone, Debug)]
pub struct RowChange {
    /// The line.
    pub line: u64,
    /// The row.
    pub id: i64,
    /// What people call it.
    pub title: String,
    /// What was done.
    pub what: What,
    /// The fields that changed.
    pub differences: Vec<Difference>,
}

/// A field that changed.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// What it is called.
    pub label: &'static str,
    /// What it held.
    pub before: String,
    /// What it holds.
    pub after: String,
}

/// What a table did.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Line by line.
    pub rows: Vec<RowChange>,
    /// What could not be used; these lines did nothing.
    pub errors: Vec<CellError>,
    /// What there is to say besides.
    pub notes: Vec<String>,
}

impl Outcome {
    /// How many lines did this.
    pub fn count(&self, what: What) -> usize {
        self.rows.iter().filter(|row| row.what == what).count()
    }
}

/// Rows on their way in: those that keep the rules, and what is wrong with the others.
#[derive(Debug)]
pub struct Incoming {
    /// The rows that are left. Whoever knows better which rows of the entity they mean may say so.
    pub rows: Vec<Row>,
    /// Somebody did: a row without an id is another one, even where the key is the same.
    pub met: bool,
    headers: Headers,
    outcome: Outcome,
}

/// What the columns of the fields are called in the table.
type Headers = BTreeMap<&'static str, String>;

impl Incoming {
    /// Looks at every value of a table.
    pub fn check(job: &Job<'_>, reading: Reading) -> Self {
        let headers: Headers =
            reading.columns.iter().filter_map(|column| Some((column.field?, column.header.clone()))).collect();
        let mut outcome = Outcome { errors: reading.errors, notes: reading.notes, ..Outcome::default() };
        let mut rows = reading.rows;
        rows.retain(|row| match read(job, row) {
            Ok(_) => true,
            Err(wrong) => {
                outcome.errors.extend(named(job.entity, &headers, row, wrong));
                false
            }
        });
        Self { rows, met: false, headers, outcome }
    }

    /// Writes the rows and their history. Lines that cannot be used do nothing and are named in the outcome; whether
    /// the others stand is for the caller to say, with commit or rollback. `step` is called for each line.
    pub async fn write(self, job: &mut Job<'_>, step: &(dyn Fn() + Sync)) -> Result<Outcome> {
        let Self { rows, met, headers, mut outcome } = self;
        let names = Names::load(job.connection, job.entity, job.edition).await?;
        let position = last_position(job).await?;
        let mut writer = Writer { names, met, position, seen: HashMap::new(), files: HashSet::new() };
        for row in rows {
            match writer.row(job, &row).await {
                Ok(change) => outcome.rows.push(change),
                Err(Error::Invalid(wrong)) => outcome.errors.extend(named(job.entity, &headers, &row, wrong)),
                Err(error) => return Err(error),
            }
            step();
        }
        outcome.errors.sort_by_key(|error| error.line);
        Ok(outcome)
    }
}

/// Brings a table in: checks it, lets its reader find the rows that it means, writes them.
pub async fn bring(job: &mut Job<'_>, reader: &dyn Reader, reading: Reading) -> Result<Outcome> {
    let mut incoming = Incoming::check(job, reading);
    if let Some(notes) = reader.meet(job, &mut incoming.rows).await? {
        incoming.met = true;
        incoming.outcome.notes.extend(notes);
    }
    incoming.write(job, &|| ()).await
}

/// The values that a row says, with their places in a record. References are still names.
fn read(job: &Job<'_>, row: &Row) -> Result<Vec<(usize, Datum)>, Vec<FieldError>> {
    let (mut read, mut wrong) = (Vec::new(), Vec::new());
    for (place, field) in job.entity.columns().enumerate() {
        let said = row.values.get(field.name).map(String::as_str);
        // A new row says something of every field, if only that it is empty.
        let all = row.id.is_none();
        let Some(text) = said.or(all.then_some("")) else { continue };
        match field.parse(text, &job.records.time_zone) {
            Ok(datum) => read.push((place, datum)),
            Err(message) => wrong.push(FieldError::new(field.name, message)),
        }
    }
    if wrong.is_empty() { Ok(read) } else { Err(wrong) }
}

/// What is wrong with a row, at its columns.
fn named(entity: &'static Entity, headers: &Headers, row: &Row, wrong: Vec<FieldError>) -> Vec<CellError> {
    let cell = |wrong: FieldError| {
        let field = entity.field(&wrong.field);
        let value = match (&*wrong.field, row.id) {
            (ID, Some(id)) => id.to_string(),
            (name, _) => row.values.get(name).cloned().unwrap_or_default(),
        };
        let text = crate::entity::trim(&value);
        let header = headers.get(&*wrong.field).cloned();
        let header = header.unwrap_or_else(|| field.map_or(wrong.field.clone(), |field| field.label.to_owned()));
        let expected = match field {
            Some(_) if text.is_empty() => "a value: it must be filled".to_owned(),
            Some(field) if wrong.message == field.wrong(text) => field.expects(),
            _ => wrong.message,
        };
        CellError { line: row.line, header, value: shortened(text), expected }
    };
    wrong.into_iter().map(cell).collect()
}

/// The position behind all rows of the edition.
async fn last_position(job: &mut Job<'_>) -> Result<i64> {
    let Some(field) = job.entity.field("position") else { return Ok(0) };
    let listing = Listing { edition: job.edition, sort: Some((field, true)), ..Listing::first(1) };
    let last = table::list(job.connection, job.records.db.backend(), job.entity, &listing).await?;
    let place = job.entity.position("position").unwrap_or_default();
    Ok(match last.rows.first().and_then(|row| row.record.get(place)) {
        Some(Datum::Integer(position)) => *position,
        _ => 0,
    })
}

/// What is known while rows come in.
struct Writer {
    names: Names,
    met: bool,
    /// The position of the last row.
    position: i64,
    /// The line that was about a row.
    seen: HashMap<i64, u64>,
    /// Files that were looked for and are here.
    files: HashSet<String>,
}

impl Writer {
    async fn row(&mut self, job: &mut Job<'_>, row: &Row) -> Result<RowChange> {
        let mut said = read(job, row).map_err(Error::Invalid)?;
        let mut wrong = Vec::new();
        for (place, datum) in &mut said {
            let (Some(field), Datum::Reference(text)) = (job.entity.columns().nth(*place), &*datum) else { continue };
            match self.names.find(field, text) {
                Ok(id) => *datum = Datum::Integer(id),
                Err(words) => wrong.push(FieldError::new(field.name, words)),
            }
        }
        if !wrong.is_empty() {
            return Err(Error::Invalid(wrong));
        }
        match row.id {
            Some(id) => self.change(job, row, id, said).await,
            None => self.add(job, row, said).await,
        }
    }

    async fn add(&mut self, job: &mut Job<'_>, row: &Row, said: Vec<(usize, Datum)>) -> Result<RowChange> {
        let mut record: Record = said.into_iter().map(|(_, datum)| datum).collect();
        let said = row.values.get("position").is_some_and(|text| !text.trim().is_empty());
        if let (Some(place), false) = (job.entity.position("position"), said) {
            self.position = (self.position + 10).min(1_000_000);
            record[place] = Datum::Integer(self.position);
        }
        self.check_files(job, None, &record).await?;
        if !self.met {
            editing::taken(job.connection, job.entity, job.edition, &record, None).await?;
        }
        let id = editing::add(job.records, job.connection, job.entity, job.edition, &record, job.editor).await?;
        let title = editing::title_of(job.entity, &record);
        Ok(RowChange { line: row.line, id, title, what: What::New, differences: Vec::new() })
    }

    async fn change(&mut self, job: &mut Job<'_>, row: &Row, id: i64, said: Vec<(usize, Datum)>) -> Result<RowChange> {
        let at_id = |words: String| Error::Invalid(vec![FieldError::new(ID, words)]);
        if let Some(line) = self.seen.insert(id, row.line) {
            return Err(at_id(format!("one line for each {}: line {line} is about it already", job.entity.singular)));
        }
        let current = editing::find(job.connection, job.entity, id).await?;
        let current = current.filter(|current| current.edition == job.edition);
        let current = current.ok_or_else(|| {
            let year = if job.entity.per_edition { " of this edition" } else { "" };
            at_id(format!("the number of a {}{year}, or nothing for a new one", job.entity.singular))
        })?;
        let mut record = current.record.clone();
        for (place, datum) in said {
            record[place] = datum;
        }
        self.check_files(job, Some(&current), &record).await?;
        let differences = self.differences(job, &current.record, &record);
        let (is, by) = ((&record, &Words::new()), (Action::Changed, job.editor));
        let changed = editing::write(job.records, job.connection, job.entity, &current, is, by).await?.is_some();
        let title = editing::title_of(job.entity, &record);
        let what = if changed { What::Changed } else { What::Unchanged };
        Ok(RowChange { line: row.line, id, title, what, differences })
    }

    fn differences(&self, job: &Job<'_>, before: &Record, after: &Record) -> Vec<Difference> {
        let say = |field: &Field, datum: &Datum| match (field.kind, datum) {
            (Kind::Reference(_), Datum::Integer(id)) => self.names.name(field, *id),
            _ => field.say(datum, &job.records.time_zone),
        };
        let pairs = job.entity.columns().zip(before.iter().zip(after));
        pairs
            .filter(|(_, (before, after))| before != after)
            .map(|(field, (before, after))| Difference {
                label: field.label,
                before: say(field, before),
                after: say(field, after),
            })
            .collect()
    }

    /// A file that a row names is here already: a table brings none along.
    async fn check_files(&mut self, job: &mut Job<'_>, current: Option<&Current>, record: &Record) -> Result<()> {
        for (place, field) in job.entity.columns().enumerate() {
            let Datum::Text(key) = &record[place] else { continue };
            let is_file = matches!(field.kind, Kind::Image | Kind::Document | Kind::Video);
            let is_new = current.is_none_or(|current| current.record.get(place) != record.get(place));
            if !is_file || !is_new || self.files.contains(key) {
                continue;
            }
            if job.records.media.open_public(key).await.is_err() {
                let words = "nothing, or a file of this site as its lists name it; send new files with the form";
                return Err(Error::Invalid(vec![FieldError::new(field.name, words)]));
            }
            self.files.insert(key.clone());
        }
        Ok(())
    }
}
