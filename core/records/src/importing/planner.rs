//! Plans what each row of a table does: checks its values and compares them with the stored row.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use sqlx::AnyConnection;

use super::outcome::{Outcome, RowChange, RowOutcome};
use super::parse::{RowParser, has_position};
use super::{ID, Import, MatchStatus, Row, RowMatch};
use crate::editing::{self, Current};
use crate::entity::{Datum, Kind, Record, table};
use festival_base::error::{Error, FieldError, Result};

/// A row to add.
pub(super) struct NewRow {
    /// Its index in the table.
    pub(super) index: usize,
    /// Its position, if the table does not say one.
    pub(super) position: i64,
}

/// A row to overwrite. References to rows that the import creates are keys, all others are ids.
pub(super) struct ChangedRow {
    pub(super) current: Current,
    pub(super) record: Record,
    /// When it will be published, as stored.
    pub(super) publish_at: Option<String>,
}

/// The state of planning.
pub(super) struct Planner<'a> {
    pub(super) parser: RowParser<'a>,
    /// The position of the last row.
    position: i64,
    checks_keys: bool,
    /// Ids of the rows of each key, loaded on first use; the rows that the plan adds have negative ids.
    keys: Option<HashMap<Vec<Datum>, BTreeSet<i64>>>,
    /// The line that changes a row, by the id of the row.
    lines: HashMap<i64, u64>,
    /// Files that are known to be in the media store.
    files: HashSet<String>,
    pub(super) outcome: Outcome,
    pub(super) new: Vec<NewRow>,
    pub(super) changed: Vec<ChangedRow>,
    /// The rows that the import creates and that others refer to: the field and the key.
    pub(super) references: HashSet<(&'static str, String)>,
}

impl<'a> Planner<'a> {
    /// `position` is that of the last row that is stored. New rows must have keys of their own if the plan
    /// `checks_keys`.
    pub(super) fn new(parser: RowParser<'a>, position: i64, outcome: Outcome, checks_keys: bool) -> Self {
        let files = parser.import.options.files.keys().cloned().collect();
        Self {
            parser,
            position,
            checks_keys,
            keys: None,
            lines: HashMap::new(),
            files,
            outcome,
            new: Vec::new(),
            changed: Vec::new(),
            references: HashSet::new(),
        }
    }

    /// Plans some rows of the table, the first of which has this index, with their matches; without any, the ids of the
    /// rows decide.
    pub(super) async fn plan_chunk(
        &mut self,
        connection: &mut AnyConnection,
        (first, rows): (usize, &[Row]),
        matches: &[RowMatch],
    ) -> Result<()> {
        let id_of = |index: usize, row: &Row| matches.get(index).map_or(row.id, |known| known.id);
        let status = |known: Option<&RowMatch>| known.map_or(MatchStatus::Decided, |known| known.status);
        let open = matches.iter().filter(|known| known.status == MatchStatus::Open).filter_map(|known| known.similar);
        let decided = rows.iter().enumerate().filter_map(|(index, row)| id_of(index, row));
        let ids: Vec<i64> = decided.chain(open).collect();
        let current = editing::find_many(connection, self.parser.import.entity, &ids).await?;
        for (index, row) in rows.iter().enumerate() {
            let known = matches.get(index);
            let planned = match (status(known), id_of(index, row)) {
                (MatchStatus::Open, _) => Ok(self.undecided(row, known, &current)),
                (MatchStatus::Skipped, _) => Ok(self.described(row, RowOutcome::LeftOut)),
                (MatchStatus::Decided, Some(id)) => {
                    let is_elsewhere = |it: &&Current| it.edition != self.parser.import.edition;
                    match current.get(&id).filter(is_elsewhere) {
                        Some(_) => self.add_or_change(connection, (first + index, row), known).await,
                        None => self.change(connection, row, known, (id, current.get(&id))).await,
                    }
                }
                (MatchStatus::Decided, None) => self.add(connection, (first + index, row), known).await,
            };
            match planned {
                Ok(change) => self.outcome.rows.push(change),
                Err(Error::Invalid(wrong)) => {
                    let errors = self.cell_errors(row, wrong);
                    self.outcome.errors.extend(errors);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// A line that does nothing, by the title that the table gives it.
    fn described(&self, row: &Row, outcome: RowOutcome) -> RowChange {
        let value = |name: &str| row.values[name].to_owned();
        let entity = self.parser.import.entity;
        let reference = entity.columns().find(|field| matches!(field.kind, Kind::Reference(_)));
        let mut named = std::iter::once(entity.title()).chain(reference).map(|field| value(field.name));
        let title = named.find(|name| !name.is_empty()).unwrap_or_default().into();
        let zone = &self.parser.import.records.time_zone;
        let details = self.details(|field| {
            let text = self.parser.canonical(field, &row.values[field.name]);
            let moment = field.parse(&text, zone).ok().filter(|_| matches!(field.kind, Kind::DateTime));
            moment.map_or_else(|| value(field.name), |datum| self.display(field, &datum))
        });
        let differences = Box::default();
        RowChange { line: row.line, id: None, title, details: details.into(), outcome, differences, similar: None }
    }

    /// A line that waits for an answer, with its differences from the row that it may be about.
    fn undecided(&self, row: &Row, known: Option<&RowMatch>, current: &HashMap<i64, Current>) -> RowChange {
        let mut change = self.described(row, RowOutcome::Undecided);
        change.similar = known.and_then(|known| known.similar);
        let like = change.similar.and_then(|id| current.get(&id));
        if let (Some(like), Ok(parsed)) = (like, self.parser.parse(row, known, false)) {
            let mut record = like.record.clone();
            parsed.values.into_iter().for_each(|(index, datum)| record[index] = datum);
            let publish_at = parsed.publish_at.as_ref().unwrap_or(&like.publish_at);
            change.differences = self.differences(like, &record, publish_at.as_deref()).into();
        }
        change
    }

    /// Plans a row whose id is that of a row of another edition, such as a film that returns: it is about the row of
    /// this edition with its key, or adds one.
    async fn add_or_change(
        &mut self,
        connection: &mut AnyConnection,
        (index, row): (usize, &Row),
        known: Option<&RowMatch>,
    ) -> Result<RowChange> {
        let key = self.parser.key(row);
        let same = self.keys(connection).await?.get(&key.unwrap_or_default());
        match same.and_then(|ids| ids.iter().copied().find(|id| *id > 0)) {
            Some(id) => {
                let current = editing::find(connection, self.parser.import.entity, id).await?;
                self.change(connection, row, known, (id, current.as_ref())).await
            }
            None => self.add(connection, (index, row), known).await,
        }
    }

    /// The rows of the edition by their keys.
    async fn keys(&mut self, connection: &mut AnyConnection) -> Result<&mut HashMap<Vec<Datum>, BTreeSet<i64>>> {
        let Import { entity, edition, .. } = *self.parser.import;
        Ok(match &mut self.keys {
            Some(keys) => keys,
            empty => empty.insert(table::keys(connection, entity, edition).await?),
        })
    }

    async fn add(
        &mut self,
        connection: &mut AnyConnection,
        (index, row): (usize, &Row),
        known: Option<&RowMatch>,
    ) -> Result<RowChange> {
        let position = (self.position + 10).min(1_000_000);
        let (record, publish_at, blanked) = self.parser.new_record(row, known, position)?;
        self.check_files(None, &record).await?;
        if self.checks_keys {
            self.check_key(connection, &record, None).await?;
        }
        if !has_position(row) {
            self.position = position;
        }
        self.note_references(&record);
        self.report_blanked(row, blanked);
        let is_described = self.parser.import.options.describe_new;
        // The record is made again when it is written: a list is in memory once.
        self.new.push(NewRow { index, position });
        Ok(RowChange {
            line: row.line,
            id: None,
            title: self.title(&record).into(),
            details: self.record_details(&record).into(),
            outcome: RowOutcome::New,
            differences: match is_described {
                true => self.values(row, &record, publish_at.as_deref()).into(),
                false => Box::default(),
            },
            similar: known.and_then(|known| known.similar),
        })
    }

    /// Notes to which rows that the import creates a record refers.
    fn note_references(&mut self, record: &Record) {
        for (field, datum) in self.parser.import.entity.columns().zip(record) {
            if let Datum::Reference(key) = datum
                && !self.references.contains(&(field.name, key.clone()))
            {
                self.references.insert((field.name, key.clone()));
            }
        }
    }

    async fn change(
        &mut self,
        connection: &mut AnyConnection,
        row: &Row,
        known: Option<&RowMatch>,
        (id, current): (i64, Option<&Current>),
    ) -> Result<RowChange> {
        let entity = self.parser.import.entity;
        let at_id = |sentence: String| Error::Invalid(vec![FieldError::new(ID, sentence)]);
        if let Some(line) = self.lines.insert(id, row.line) {
            return Err(at_id(format!("one line for each {}: line {line} is about it already", entity.singular)));
        }
        let current = current.ok_or_else(|| {
            let year = if entity.per_edition { " of this edition" } else { "" };
            at_id(format!("the number of a {}{year}, or nothing for a new one", entity.singular))
        })?;
        let parsed = self.parser.parse(row, known, false)?;
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
            title: self.title(&record).into(),
            details: self.record_details(&record).into(),
            outcome: RowOutcome::Unchanged,
            differences: Box::default(),
            similar: None,
        };
        self.report_blanked(row, parsed.blanked);
        if *record == current.record && publish_at == current.publish_at {
            return Ok(change);
        }
        self.check_files(Some(current), &record).await?;
        // Imported rows that share a key can still be changed.
        if entity.key_of(&record) != entity.key_of(&current.record) {
            self.check_key(connection, &record, Some(current)).await?;
        }
        self.note_references(&record);
        change.outcome = RowOutcome::Changed;
        change.differences = self.differences(current, &record, publish_at.as_deref()).into();
        self.changed.push(ChangedRow { current: current.clone(), record: record.into_owned(), publish_at });
        Ok(change)
    }

    fn report_blanked(&mut self, row: &Row, blanked: Vec<FieldError>) {
        let blanked = self.cell_errors(row, blanked);
        self.outcome.blanked.extend(blanked);
    }

    /// Reserves the key of a record, or refuses it if another row has the key.
    async fn check_key(
        &mut self,
        connection: &mut AnyConnection,
        record: &Record,
        current: Option<&Current>,
    ) -> Result<()> {
        let entity = self.parser.import.entity;
        // The n-th row that is added has the id -n.
        let id = current.map_or(-1 - self.new.len() as i64, |current| current.id);
        let keys = self.keys(connection).await?;
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
        for (index, field) in self.parser.import.entity.columns().enumerate() {
            let Datum::Text(key) = &record[index] else { continue };
            let is_new = current.is_none_or(|current| current.record.get(index) != record.get(index));
            if field.public_file().is_none() || !is_new || self.files.contains(key) {
                continue;
            }
            if !self.parser.import.records.media.has_public(key).await? {
                let sentence = "nothing, or a file of this site as its lists name it; send new files with the form";
                return Err(Error::Invalid(vec![FieldError::new(field.name, sentence)]));
            }
            self.files.insert(key.clone());
        }
        Ok(())
    }
}
