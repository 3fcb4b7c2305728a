//! Plans an import: checks the rows of a table and compares them with the stored rows, without writing anything and
//! without blocking other writers.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::Serialize;
use sqlx::AnyConnection;

use super::names::Names;
use super::{CellError, ID, Import, MatchStatus, Matches, NewTarget, ParsedSheet, Question, Reader, Row, RowMatch};
use crate::editing::{self, Current};
use crate::entity::{Datum, Entity, Field, Kind, Listing, Record, table};
use crate::text::shortened;
use festival_base::db;
use festival_base::deadline;
use festival_base::error::{Error, FieldError, Result};

/// Rows that are compared with the stored ones at a time.
const CHUNK_SIZE: usize = 500;

/// What a line of the table does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RowOutcome {
    /// It adds a row.
    New,
    /// It changes a stored row.
    Changed,
    /// It equals a stored row.
    Unchanged,
    /// It does nothing until somebody decides.
    Undecided,
    /// It was left out by decision.
    LeftOut,
}

/// A line of the table and what it does.
#[derive(Clone, Debug)]
pub struct RowChange {
    /// The line in the file, from 1.
    pub line: u64,
    /// The id of the stored row; `None` for a new one.
    pub id: Option<i64>,
    /// The title of the row.
    pub title: String,
    /// What is done.
    pub outcome: RowOutcome,
    /// The fields that change, or would change if an undecided line is about [`Self::similar`]; empty for a new row.
    pub differences: Vec<Difference>,
    /// The id of a stored row that a new one resembles, or that an undecided one may be.
    pub similar: Option<i64>,
}

/// A field that changes, as people read it.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// The label of the field.
    pub label: &'static str,
    /// The stored value.
    pub before: String,
    /// The new value.
    pub after: String,
}

/// What an import does, or did.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Line by line.
    pub rows: Vec<RowChange>,
    /// Cells that cannot be used, in the order of the lines; these lines do nothing.
    pub errors: Vec<CellError>,
    /// What only a person can decide, answered or not.
    pub questions: Vec<Question>,
    /// The id of the import, if anything was written.
    pub id: Option<i64>,
    /// Titles of the rows that are created because others refer to them.
    pub new_targets: Vec<String>,
    /// Remarks for people.
    pub notes: Vec<String>,
}

impl Outcome {
    /// Lines with this outcome.
    pub fn count(&self, outcome: RowOutcome) -> usize {
        self.rows.iter().filter(|row| row.outcome == outcome).count()
    }

    /// The questions without an answer.
    pub fn open_questions(&self) -> impl Iterator<Item = &Question> {
        self.questions.iter().filter(|question| question.decision.is_none())
    }
}

/// An import that is ready to be written. In its records, references to rows that it creates are keys; all others are ids.
pub(super) struct Plan {
    pub(super) outcome: Outcome,
    /// The [`db::data_version`] that the plan is based on.
    pub(super) version: i64,
    pub(super) targets: Vec<NewTarget>,
    pub(super) new: Vec<Record>,
    pub(super) changed: Vec<ChangedRow>,
}

/// A row to overwrite.
pub(super) struct ChangedRow {
    pub(super) current: Current,
    pub(super) record: Record,
}

/// Plans an import from what `connection` reads.
pub(super) async fn plan(
    import: &Import<'_>,
    connection: &mut AnyConnection,
    reader: &dyn Reader,
    sheet: &ParsedSheet,
) -> Result<Plan> {
    let version = db::data_version(connection).await?;
    let Matches { rows: matches, new_targets, questions, notes } =
        reader.match_rows(import, connection, &sheet.rows).await?.unwrap_or_default();
    let mut names = Names::load(connection, import.entity, import.edition).await?;
    for target in &new_targets {
        names.add(import.entity, target);
    }
    let mut planner = Planner {
        import,
        names,
        headers: sheet.columns.iter().filter_map(|column| Some((column.field?, column.header.clone()))).collect(),
        position: last_position(import, connection).await?,
        keys: None,
        lines: HashMap::new(),
        files: HashSet::new(),
        plan: Plan {
            outcome: Outcome { errors: sheet.errors.clone(), questions, ..Outcome::default() },
            version,
            targets: Vec::new(),
            new: Vec::new(),
            changed: Vec::new(),
        },
    };
    let has_matches = !matches.is_empty();
    for (index, rows) in sheet.rows.chunks(CHUNK_SIZE).enumerate() {
        let matches = if has_matches { &matches[index * CHUNK_SIZE..][..rows.len()] } else { &[] };
        planner.plan_chunk(connection, rows, matches).await?;
        deadline::progress();
        (import.progress)(rows.len());
    }
    let mut plan = planner.plan;
    // A target that only rows with errors name is not created.
    let records = || plan.new.iter().chain(plan.changed.iter().map(|row| &row.record));
    let is_used = |target: &NewTarget| records().any(|record| target.is_used_by(import.entity, record));
    plan.targets = new_targets.into_iter().filter(is_used).collect();
    plan.outcome.new_targets = plan.targets.iter().map(|target| target.title().to_owned()).collect();
    let created =
        plan.targets.iter().map(|target| format!("the {} \"{}\" is new", target.entity.singular, target.title()));
    plan.outcome.notes = sheet.notes.iter().cloned().chain(created).chain(notes).collect();
    plan.outcome.errors.sort_by_key(|error| error.line);
    Ok(plan)
}

/// The highest position of a row of the edition; 0 without rows or positions.
async fn last_position(import: &Import<'_>, connection: &mut AnyConnection) -> Result<i64> {
    let Some(field) = import.entity.field("position") else { return Ok(0) };
    let listing = Listing { edition: import.edition, sort: Some((field, true)), ..Listing::first(1) };
    let last = table::list(connection, import.records.db.backend(), import.entity, &listing).await?;
    let index = import.entity.position("position").unwrap_or_default();
    Ok(match last.rows.first().and_then(|row| row.record.get(index)) {
        Some(Datum::Integer(position)) => *position,
        _ => 0,
    })
}

/// The state of planning.
struct Planner<'a> {
    import: &'a Import<'a>,
    names: Names,
    /// Headers of the columns in the table, by field.
    headers: BTreeMap<&'static str, String>,
    /// The position of the last row.
    position: i64,
    /// Ids of the rows of each key, loaded on first use; the rows that the plan adds have negative ids.
    keys: Option<HashMap<Vec<Datum>, BTreeSet<i64>>>,
    /// The line that changes a row, by the id of the row.
    lines: HashMap<i64, u64>,
    /// Files that are known to be in the media store.
    files: HashSet<String>,
    plan: Plan,
}

impl Planner<'_> {
    async fn plan_chunk(&mut self, connection: &mut AnyConnection, rows: &[Row], matches: &[RowMatch]) -> Result<()> {
        let id_of = |index: usize, row: &Row| matches.get(index).map_or(row.id, |known| known.id);
        let status = |known: Option<&RowMatch>| known.map_or(MatchStatus::Decided, |known| known.status);
        let open = matches.iter().filter(|known| known.status == MatchStatus::Open).filter_map(|known| known.similar);
        let decided = rows.iter().enumerate().filter_map(|(index, row)| id_of(index, row));
        let ids: Vec<i64> = decided.chain(open).collect();
        let current = editing::find_many(connection, self.import.entity, &ids).await?;
        for (index, row) in rows.iter().enumerate() {
            let known = matches.get(index);
            let planned = match (status(known), id_of(index, row)) {
                (MatchStatus::Open, _) => Ok(self.undecided(row, known, &current)),
                (MatchStatus::Skipped, _) => Ok(self.described(row, RowOutcome::LeftOut)),
                (MatchStatus::Decided, Some(id)) => {
                    self.change(connection, row, known, (id, current.get(&id).cloned())).await
                }
                (MatchStatus::Decided, None) => self.add(connection, row, known).await,
            };
            match planned {
                Ok(change) => self.plan.outcome.rows.push(change),
                Err(Error::Invalid(wrong)) => {
                    let errors = self.cell_errors(row, wrong);
                    self.plan.outcome.errors.extend(errors);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The title of a row; of one without, that of the first row that it refers to.
    fn title(&self, record: &Record) -> String {
        let entity = self.import.entity;
        let has_title = entity.position(entity.title().name).is_some_and(|index| record[index] != Datum::Null);
        let reference = entity.columns().zip(record).find(|(field, datum)| {
            matches!(field.kind, Kind::Reference(_)) && matches!(datum, Datum::Integer(_) | Datum::Reference(_))
        });
        match reference.filter(|_| !has_title) {
            Some((field, datum)) => self.names.name(field, datum),
            None => editing::title_of(entity, record),
        }
    }

    /// A line that does nothing, by the title that the table gives it.
    fn described(&self, row: &Row, outcome: RowOutcome) -> RowChange {
        let entity = self.import.entity;
        let reference = entity.columns().find(|field| matches!(field.kind, Kind::Reference(_)));
        let mut named = std::iter::once(entity.title()).chain(reference).filter_map(|field| row.values.get(field.name));
        let title = named.find(|name| !name.is_empty()).cloned().unwrap_or_default();
        RowChange { line: row.line, id: None, title, outcome, differences: Vec::new(), similar: None }
    }

    /// A line that waits for an answer, with its differences from the row that it may be about.
    fn undecided(&self, row: &Row, known: Option<&RowMatch>, current: &HashMap<i64, Current>) -> RowChange {
        let mut change = self.described(row, RowOutcome::Undecided);
        change.similar = known.and_then(|known| known.similar);
        let like = change.similar.and_then(|id| current.get(&id));
        if let (Some(like), Ok(values)) = (like, self.values(row, known, false)) {
            let mut record = like.record.clone();
            values.into_iter().for_each(|(index, datum)| record[index] = datum);
            change.differences = self.differences(&like.record, &record);
        }
        change
    }

    async fn add(&mut self, connection: &mut AnyConnection, row: &Row, known: Option<&RowMatch>) -> Result<RowChange> {
        let entity = self.import.entity;
        // A new row has a value for every field, an empty one if need be.
        let mut record: Record = self.values(row, known, true)?.into_iter().map(|(_, datum)| datum).collect();
        self.check_files(None, &record).await?;
        if known.is_none() {
            self.check_key(connection, &record, None).await?;
        }
        let has_position = row.values.get("position").is_some_and(|text| !text.trim().is_empty());
        if let (Some(index), false) = (entity.position("position"), has_position) {
            self.position = (self.position + 10).min(1_000_000);
            record[index] = Datum::Integer(self.position);
        }
        let title = self.title(&record);
        self.plan.new.push(record);
        Ok(RowChange {
            line: row.line,
            id: None,
            title,
            outcome: RowOutcome::New,
            differences: Vec::new(),
            similar: known.and_then(|known| known.similar),
        })
    }

    async fn change(
        &mut self,
        connection: &mut AnyConnection,
        row: &Row,
        known: Option<&RowMatch>,
        (id, current): (i64, Option<Current>),
    ) -> Result<RowChange> {
        let entity = self.import.entity;
        let at_id = |sentence: String| Error::Invalid(vec![FieldError::new(ID, sentence)]);
        if let Some(line) = self.lines.insert(id, row.line) {
            return Err(at_id(format!("one line for each {}: line {line} is about it already", entity.singular)));
        }
        let current = current.filter(|current| current.edition == self.import.edition);
        let current = current.ok_or_else(|| {
            let year = if entity.per_edition { " of this edition" } else { "" };
            at_id(format!("the number of a {}{year}, or nothing for a new one", entity.singular))
        })?;
        let mut record = current.record.clone();
        for (index, datum) in self.values(row, known, false)? {
            record[index] = datum;
        }
        for (index, field) in entity.columns().enumerate() {
            let Some(picture) = field.picture().and_then(|picture| entity.position(picture)) else { continue };
            // The stored text describes the picture that the table replaces.
            if record[picture] != current.record[picture] && !row.values.contains_key(field.name) {
                record[index] = Datum::Null;
            }
        }
        let mut change = RowChange {
            line: row.line,
            id: Some(id),
            title: self.title(&record),
            outcome: RowOutcome::Unchanged,
            differences: Vec::new(),
            similar: None,
        };
        if record == current.record {
            return Ok(change);
        }
        self.check_files(Some(&current), &record).await?;
        // Rows with one key that an import brought in can be changed.
        if entity.key_of(&record) != entity.key_of(&current.record) {
            self.check_key(connection, &record, Some(&current)).await?;
        }
        change.outcome = RowOutcome::Changed;
        change.differences = self.differences(&current.record, &record);
        self.plan.changed.push(ChangedRow { current, record });
        Ok(change)
    }

    /// Parses the values of a row, each with its index in a record: of every field if `all`, else of those that it has.
    fn values(&self, row: &Row, known: Option<&RowMatch>, all: bool) -> Result<Vec<(usize, Datum)>> {
        let (mut values, mut wrong) = (Vec::new(), Vec::new());
        for (index, field) in self.import.entity.columns().enumerate() {
            let decided = known.and_then(|known| known.values.get(field.name));
            let text = decided.or_else(|| row.values.get(field.name)).map(String::as_str);
            let Some(text) = text.or(all.then_some("")) else { continue };
            // An empty cell neither publishes a draft nor moves a row.
            if !all && !field.default.is_empty() && text.trim().is_empty() {
                continue;
            }
            let datum = field.parse(text, &self.import.records.time_zone).and_then(|datum| match &datum {
                Datum::Reference(key) if decided.is_some() => self.names.find_key(field, key),
                Datum::Reference(name) => self.names.find(field, name),
                _ => Ok(datum),
            });
            match datum {
                Ok(datum) => values.push((index, datum)),
                Err(message) => wrong.push(FieldError::new(field.name, message)),
            }
        }
        if wrong.is_empty() { Ok(values) } else { Err(Error::Invalid(wrong)) }
    }

    /// Reserves the key of a record, or refuses it if another row has the key.
    async fn check_key(
        &mut self,
        connection: &mut AnyConnection,
        record: &Record,
        current: Option<&Current>,
    ) -> Result<()> {
        let Import { entity, edition, .. } = *self.import;
        let keys = match &mut self.keys {
            Some(keys) => keys,
            empty => empty.insert(table::keys(connection, entity, edition).await?),
        };
        // The n-th row that is added has the id -n.
        let id = current.map_or(-1 - self.plan.new.len() as i64, |current| current.id);
        let key = entity.key_of(record);
        if !key.contains(&Datum::Null) {
            let rows = keys.entry(key).or_default();
            if rows.iter().any(|other| *other != id) {
                return Err(editing::duplicate_key(entity));
            }
            rows.insert(id);
        }
        if let Some(rows) = current.and_then(|current| keys.get_mut(&entity.key_of(&current.record))) {
            rows.remove(&id);
        }
        Ok(())
    }

    fn differences(&self, before: &Record, after: &Record) -> Vec<Difference> {
        let text = |field: &Field, datum: &Datum| match (field.kind, datum) {
            (Kind::Reference(_), Datum::Integer(_) | Datum::Reference(_)) => self.names.name(field, datum),
            _ => field.display(datum, &self.import.records.time_zone),
        };
        let pairs = self.import.entity.columns().zip(before.iter().zip(after));
        pairs
            .filter(|(_, (before, after))| before != after)
            .map(|(field, (before, after))| Difference {
                label: field.label,
                before: text(field, before),
                after: text(field, after),
            })
            .collect()
    }

    /// Refuses a file that is not in the media store: a table cannot send files.
    async fn check_files(&mut self, current: Option<&Current>, record: &Record) -> Result<()> {
        for (index, field) in self.import.entity.columns().enumerate() {
            let Datum::Text(key) = &record[index] else { continue };
            let is_file = matches!(field.kind, Kind::Image | Kind::Document | Kind::Video);
            let is_new = current.is_none_or(|current| current.record.get(index) != record.get(index));
            if !is_file || !is_new || self.files.contains(key) {
                continue;
            }
            if !self.import.records.media.has_public(key).await? {
                let sentence = "nothing, or a file of this site as its lists name it; send new files with the form";
                return Err(Error::Invalid(vec![FieldError::new(field.name, sentence)]));
            }
            self.files.insert(key.clone());
        }
        Ok(())
    }

    /// Converts the errors of fields to errors of cells.
    fn cell_errors(&self, row: &Row, wrong: Vec<FieldError>) -> Vec<CellError> {
        let cell = |wrong: FieldError| {
            let field = self.import.entity.field(&wrong.field);
            let value = match (&*wrong.field, row.id) {
                (ID, Some(id)) => id.to_string(),
                (name, _) => row.values.get(name).cloned().unwrap_or_default(),
            };
            let text = crate::entity::trim(&value);
            let header = self.headers.get(&*wrong.field).cloned();
            let header = header.unwrap_or_else(|| field.map_or(wrong.field.clone(), |field| field.label.to_owned()));
            let expected = match field {
                Some(_) if text.is_empty() => "a value: it must be filled".to_owned(),
                Some(field) if wrong.message == field.invalid_message(text) => field.expectation(),
                _ => wrong.message,
            };
            CellError { line: row.line, header, value: shortened(text), expected }
        };
        wrong.into_iter().map(cell).collect()
    }
}

impl NewTarget {
    /// Its title.
    pub(super) fn title(&self) -> &str {
        self.values.get(self.entity.title().name).map_or(&self.key, String::as_str)
    }

    /// Whether a record of `entity` refers to it.
    fn is_used_by(&self, entity: &Entity, record: &Record) -> bool {
        entity.columns().zip(record).any(|(field, datum)| self.is_referenced_by(field, datum))
    }

    /// Whether the value of a field refers to it.
    pub(super) fn is_referenced_by(&self, field: &Field, datum: &Datum) -> bool {
        let is_target = matches!(field.kind, Kind::Reference(target) if target.table == self.entity.table);
        is_target && matches!(datum, Datum::Reference(key) if *key == self.key)
    }
}
