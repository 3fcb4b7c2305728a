//! Plans what each row of a table does: checks its values and compares them with the stored row.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sqlx::AnyConnection;

use super::names::Names;
use super::plan::{ChangedRow, NewRow, Plan, RowChange, RowOutcome};
use super::{EmptyCells, ID, Import, MatchStatus, ParsedSheet, Row, RowMatch};
use crate::editing::{self, Current, IS_PUBLISHED};
use crate::entity::{Datum, Field, Kind, Record, table};
use festival_base::db::timestamp_text;
use festival_base::error::{Error, FieldError, Result};

/// The values of a row, parsed.
#[derive(Default)]
struct Parsed {
    /// Each with its index in a record.
    values: Vec<(usize, Datum)>,
    /// When the row is to be published, as stored; `None`: the row does not say.
    publish_at: Option<Option<String>>,
    /// What is wrong with the values that count as empty.
    blanked: Vec<FieldError>,
}

/// The state of planning.
pub(super) struct Planner<'a> {
    pub(super) import: &'a Import<'a>,
    pub(super) names: Names,
    /// Headers of the columns in the table, by field.
    pub(super) headers: BTreeMap<&'static str, String>,
    /// The position of the last row.
    pub(super) position: i64,
    /// Ids of the rows of each key, loaded on first use; the rows that the plan adds have negative ids.
    keys: Option<HashMap<Vec<Datum>, BTreeSet<i64>>>,
    /// The line that changes a row, by the id of the row.
    lines: HashMap<i64, u64>,
    /// Files that are known to be in the media store.
    files: HashSet<String>,
    pub(super) plan: Plan,
}

impl<'a> Planner<'a> {
    /// `position` is that of the last row that is stored.
    pub(super) fn new(import: &'a Import<'a>, names: Names, sheet: &ParsedSheet, position: i64, plan: Plan) -> Self {
        Self {
            import,
            names,
            headers: sheet.columns.iter().filter_map(|column| Some((column.field?, column.header.clone()))).collect(),
            position,
            keys: None,
            lines: HashMap::new(),
            files: HashSet::new(),
            plan,
        }
    }

    /// Plans some rows of the table with their matches; without any, the ids of the rows decide.
    pub(super) async fn plan_chunk(
        &mut self,
        connection: &mut AnyConnection,
        rows: &[Row],
        matches: &[RowMatch],
    ) -> Result<()> {
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
                (MatchStatus::Decided, Some(id)) => self.change(connection, row, known, (id, current.get(&id))).await,
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

    /// A line that does nothing, by the title that the table gives it.
    fn described(&self, row: &Row, outcome: RowOutcome) -> RowChange {
        let value = |name: &str| row.values.get(name).cloned().unwrap_or_default();
        let entity = self.import.entity;
        let reference = entity.columns().find(|field| matches!(field.kind, Kind::Reference(_)));
        let mut named = std::iter::once(entity.title()).chain(reference).map(|field| value(field.name));
        let title = named.find(|name| !name.is_empty()).unwrap_or_default();
        let details = self.details(|field| value(field.name));
        RowChange { line: row.line, id: None, title, details, outcome, differences: Vec::new(), similar: None }
    }

    /// A line that waits for an answer, with its differences from the row that it may be about.
    fn undecided(&self, row: &Row, known: Option<&RowMatch>, current: &HashMap<i64, Current>) -> RowChange {
        let mut change = self.described(row, RowOutcome::Undecided);
        change.similar = known.and_then(|known| known.similar);
        let like = change.similar.and_then(|id| current.get(&id));
        if let (Some(like), Ok(parsed)) = (like, self.parse(row, known, false)) {
            let mut record = like.record.clone();
            parsed.values.into_iter().for_each(|(index, datum)| record[index] = datum);
            let publish_at = parsed.publish_at.as_ref().unwrap_or(&like.publish_at);
            change.differences = self.differences(like, &record, publish_at.as_deref());
        }
        change
    }

    async fn add(&mut self, connection: &mut AnyConnection, row: &Row, known: Option<&RowMatch>) -> Result<RowChange> {
        let entity = self.import.entity;
        // A new row has a value for every field, an empty one if need be.
        let parsed = self.parse(row, known, true)?;
        let mut record: Record = parsed.values.into_iter().map(|(_, datum)| datum).collect();
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
        let details = self.record_details(&record);
        self.report_blanked(row, parsed.blanked);
        self.plan.new.push(NewRow { record, publish_at: parsed.publish_at.flatten() });
        Ok(RowChange {
            line: row.line,
            id: None,
            title,
            details,
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
        (id, current): (i64, Option<&Current>),
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
        let parsed = self.parse(row, known, false)?;
        // Most rows of a repeated list are as they are stored.
        let mut record = Cow::Borrowed(&current.record);
        for (index, datum) in parsed.values {
            if current.record[index] != datum {
                record.to_mut()[index] = datum;
            }
        }
        let publish_at = parsed.publish_at.unwrap_or_else(|| current.publish_at.clone());
        for (index, field) in entity.columns().enumerate() {
            let Some(picture) = field.picture().and_then(|picture| entity.position(picture)) else { continue };
            // The stored text describes the picture that the table replaces.
            if record[picture] != current.record[picture] && !row.values.contains_key(field.name) {
                record.to_mut()[index] = Datum::Null;
            }
        }
        let mut change = RowChange {
            line: row.line,
            id: Some(id),
            title: self.title(&record),
            details: self.record_details(&record),
            outcome: RowOutcome::Unchanged,
            differences: Vec::new(),
            similar: None,
        };
        self.report_blanked(row, parsed.blanked);
        if *record == current.record && publish_at == current.publish_at {
            return Ok(change);
        }
        self.check_files(Some(current), &record).await?;
        // Rows with one key that an import brought in can be changed.
        if entity.key_of(&record) != entity.key_of(&current.record) {
            self.check_key(connection, &record, Some(current)).await?;
        }
        change.outcome = RowOutcome::Changed;
        change.differences = self.differences(current, &record, publish_at.as_deref());
        self.plan.changed.push(ChangedRow { current: current.clone(), record: record.into_owned(), publish_at });
        Ok(change)
    }

    /// Parses the values of a row: of every field if `all`, else of those that it changes.
    fn parse(&self, row: &Row, known: Option<&RowMatch>, all: bool) -> Result<Parsed> {
        let mut parsed = Parsed::default();
        let mut wrong = Vec::new();
        let zone = &self.import.records.time_zone;
        for (index, field) in self.import.entity.columns().enumerate() {
            let decided = known.and_then(|known| known.value(field.name));
            let Some(text) = decided.or_else(|| self.text(row, field, all)) else { continue };
            if field.name == IS_PUBLISHED {
                let publish_at = self.publish_at(text);
                parsed.publish_at = Some(publish_at.clone());
                if publish_at.is_some() {
                    parsed.values.push((index, Datum::Integer(0)));
                    continue;
                }
            }
            let datum = field.parse(text, zone).and_then(|datum| match &datum {
                Datum::Reference(key) if decided.is_some() => self.names.find_key(field, key),
                Datum::Reference(name) => self.names.find(field, name),
                _ => Ok(datum),
            });
            match datum {
                Ok(datum) => parsed.values.push((index, datum)),
                Err(message) if self.import.options.blank_invalid && !field.required => {
                    parsed.blanked.push(FieldError::new(field.name, message));
                    if all {
                        parsed.values.push((index, field.parse("", zone).unwrap_or(Datum::Null)));
                    }
                }
                Err(message) => wrong.push(FieldError::new(field.name, message)),
            }
        }
        if wrong.is_empty() { Ok(parsed) } else { Err(Error::Invalid(wrong)) }
    }

    /// The text that a row gives a field; `None`: nothing, so that a stored value stays.
    fn text<'r>(&self, row: &'r Row, field: &Field, all: bool) -> Option<&'r str> {
        let options = self.import.options;
        let text = row.values.get(field.name).map(String::as_str);
        let filled = text.filter(|text| !text.trim().is_empty());
        if filled.is_some() {
            return filled;
        }
        if all {
            return Some(match options.publish_new {
                Some(publish) if field.name == IS_PUBLISHED => {
                    if publish {
                        "yes"
                    } else {
                        "no"
                    }
                }
                _ => "",
            });
        }
        let clears = match options.empty_cells {
            Some(EmptyCells::Keep) => false,
            Some(EmptyCells::Clear) => self.headers.contains_key(field.name) && !field.required,
            None => text.is_some(),
        };
        // An empty cell neither publishes a draft nor moves a row.
        (clears && field.default.is_empty()).then_some("")
    }

    /// When a row is to be published, as stored, if `text` is a time to come.
    fn publish_at(&self, text: &str) -> Option<String> {
        let records = self.import.records;
        let at = editing::parse_publication(text, &records.time_zone)?;
        (at > timestamp_text(records.clock.now())).then_some(at)
    }

    fn report_blanked(&mut self, row: &Row, blanked: Vec<FieldError>) {
        let blanked = self.cell_errors(row, blanked);
        self.plan.outcome.blanked.extend(blanked);
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
}
