//! Seeding: writes the rows of a file into the tables. It may be repeated.
//!
//! For each row, the table `seeds` stores hashes of the file's values and of the stored values. Seeding again
//! - inserts rows that are new in the file,
//! - updates rows that the file changed, unless somebody else changed them,
//! - leaves rows that an organiser changed or deleted, and reports them.
//!
//! Texts may contain dates that move with the festival: see [`crate::date_placeholder`].

mod remains;

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::civil::Date;
use jiff::{Span, ToSpan as _};
use sqlx::AnyConnection;

use crate::Records;
use crate::date_placeholder::{self, Shift, move_stored};
use crate::edition::{self, EDITION};
use crate::entity::{Datum, Entity, Kind, Record, Values, hash, table};
use festival_base::db::timestamp_text;
use festival_base::error::{Error, Result};
use festival_base::settings::{self, InForce, did_you_mean};

pub use remains::{Remains, find_remains};

/// A seed file with access to its pictures.
pub struct Seed {
    /// The text of the file, in TOML: `[edition]`, one `[[table]]` per row, and optional settings in `[settings]`.
    pub text: String,
    /// Reads a picture or document by its path relative to the file; `None` if it does not exist.
    pub read: Box<dyn Fn(&str) -> Option<Vec<u8>> + Send + Sync>,
}

/// The number of rows of one table by what seeding did with them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Inserted.
    pub inserted: usize,
    /// Updated, because the file changed.
    pub updated: usize,
    /// Not changed in the file since they were seeded.
    pub unchanged: usize,
    /// Left as an organiser changed or created them.
    pub kept: usize,
    /// Not restored, because an organiser deleted them.
    pub deleted: usize,
}

/// The result of seeding.
#[derive(Debug, Default)]
pub struct Report {
    /// The edition's year.
    pub year: i64,
    /// The rows by table, in the order of writing.
    pub tables: Vec<(&'static str, Tally)>,
    /// Tables of the file that were skipped, because their modules are switched off.
    pub switched_off: Vec<String>,
    /// Days by which dates were moved.
    pub moved_days: i64,
    /// The file that the seed's settings were written to, if it has any. The server reads it at start.
    pub settings: Option<PathBuf>,
}

/// Writes the rows of `seed` in one transaction. With `relative_dates`, all dates, also those in texts, move by the
/// same number of whole weeks, so that the festival begins about eight weeks from now.
///
/// # Errors
/// [`Error::BadRequest`] with the location in the file if a row cannot be stored; no row is stored then.
pub async fn seed(records: &Records, in_force: &InForce, seed: &Seed, relative_dates: bool) -> Result<Report> {
    let file: toml::Table = toml::from_str(&seed.text).map_err(|e| Error::BadRequest(format!("the seed file: {e}")))?;
    let edition_values = match file.get("edition") {
        Some(toml::Value::Table(row)) => to_values(row, "edition")?,
        _ => return Err(Error::BadRequest("the seed file needs a section [edition] with year, name and dates".into())),
    };
    let mut report = Report::default();
    let shift = if relative_dates { weeks_to_future(records, &edition_values) } else { Shift::default() };
    report.moved_days = i64::from(shift.days.get_days());
    check_tables(records, &file, &mut report)?;
    let section = match file.get("settings") {
        Some(toml::Value::Table(section)) => Some(section),
        Some(_) => {
            return Err(Error::BadRequest("settings must be written as sections like [settings.product]".into()));
        }
        None => None,
    };
    if let Some(section) = section {
        settings::check_seeded(in_force, section)?;
    }
    let files = store_files(records, &file, seed).await?;

    let mut write = records.db.write().await?;
    let mut seeder = Seeder {
        records,
        connection: &mut write,
        edition: None,
        shift,
        files: &files,
        now: timestamp_text(records.clock.now()),
    };
    let (tally, edition_id) = seeder.write_rows(&EDITION, &[&edition_values]).await?;
    report.tables.push((EDITION.table, tally));
    let year = edition_values.get("year").map_or("", String::as_str);
    report.year = date_placeholder::fill(year, shift)?.parse().unwrap_or_default();
    seeder.edition = edition_id;
    for entity in records.enabled().filter(|entity| entity.table != EDITION.table) {
        let Some(toml::Value::Array(rows)) = file.get(entity.table) else { continue };
        let mut values = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter().enumerate() {
            let toml::Value::Table(row) = row else {
                return Err(Error::BadRequest(format!(
                    "{} must be written as [[{}]] sections",
                    entity.table, entity.table
                )));
            };
            let mut row = to_values(row, &format!("{} number {}", entity.table, index + 1))?;
            // The order in the file is the order on the page.
            if entity.field("position").is_some() {
                row.entry("position".into()).or_insert_with(|| ((index + 1) * 10).to_string());
            }
            values.push(row);
        }
        let (tally, _) = seeder.write_rows(entity, &values.iter().collect::<Vec<_>>()).await?;
        report.tables.push((entity.table, tally));
    }
    if let Some(id) = edition_id {
        let current: i64 =
            sqlx::query_scalar("SELECT count(*) FROM editions WHERE is_current = 1").fetch_one(&mut *write).await?;
        if current == 0 {
            edition::activate(&mut write, id).await?;
        }
    }
    write.commit().await?;
    if let Some(section) = section {
        report.settings = Some(settings::write_seeded(&in_force.file().data_dir, section)?);
    }
    Ok(report)
}

/// Checks that every table of the file is known, and reports those of modules that are switched off.
fn check_tables(records: &Records, file: &toml::Table, report: &mut Report) -> Result<()> {
    for name in file.keys().filter(|name| !["edition", "settings"].contains(&name.as_str())) {
        match records.entities().find(|entity| entity.table == name) {
            Some(entity) if records.is_enabled(entity) => {}
            Some(_) => report.switched_off.push(name.clone()),
            None => {
                let known = records.entities().map(|entity| entity.table);
                let hint =
                    did_you_mean(name, known).map_or(String::new(), |near| format!("; did you mean [[{near}]]?"));
                return Err(Error::BadRequest(format!("the seed file has [[{name}]], which no module knows{hint}")));
            }
        }
    }
    Ok(())
}

/// The values of a TOML row as text, as in a form or a spreadsheet. `location` describes the row in errors.
fn to_values(row: &toml::Table, location: &str) -> Result<Values> {
    row.iter()
        .map(|(name, value)| {
            let text = match value {
                toml::Value::String(text) => text.clone(),
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Boolean(flag) => if *flag { "yes" } else { "no" }.to_owned(),
                toml::Value::Datetime(time) => time.to_string(),
                other => {
                    return Err(Error::BadRequest(format!(
                        "{location}: {name}: {} cannot be stored",
                        other.type_str()
                    )));
                }
            };
            Ok((name.clone(), text))
        })
        .collect()
}

/// Maximum number of days from today to the moved first day, which is 54 to 60 days ahead. The festival is near then,
/// so that the home page leads to its programme; the demonstration's deadline and countdown, seven weeks before its
/// festival, are in the future, and its posts, nine weeks and more before, in the past.
const MAX_DAYS_AHEAD: i64 = 60;

/// The shift in days that moves the edition's first day to at most [`MAX_DAYS_AHEAD`] days from today, in whole weeks
/// so that weekdays stay.
fn weeks_to_future(records: &Records, edition: &Values) -> Shift {
    let Some(first) = edition.get("starts_on").and_then(|day| day.parse::<Date>().ok()) else {
        return Shift::default();
    };
    let today = records.today();
    let days = first.until(today).map_or(0, |span| i64::from(span.get_days())) + MAX_DAYS_AHEAD;
    let days = (days - days.rem_euclid(7)).days();
    Shift { days, years: first.saturating_add(days).year() - first.year() }
}

/// The rows of `entity` in the file.
fn rows_of<'a>(file: &'a toml::Table, entity: &Entity) -> &'a [toml::Value] {
    match file.get(if entity.table == EDITION.table { "edition" } else { entity.table }) {
        Some(toml::Value::Array(rows)) => rows.as_slice(),
        Some(row @ toml::Value::Table(_)) => std::slice::from_ref(row),
        _ => &[],
    }
}

/// Stores every picture and document that the file names in the public media store; returns the keys by the name in the
/// file.
async fn store_files(records: &Records, file: &toml::Table, seed: &Seed) -> Result<BTreeMap<String, String>> {
    let mut keys = BTreeMap::new();
    for entity in records.enabled() {
        let rows = rows_of(file, entity);
        for field in entity.fields.iter().filter(|field| field.public_file().is_some()) {
            for (index, row) in rows.iter().enumerate() {
                let Some(name) = row.get(field.name).and_then(toml::Value::as_str) else { continue };
                if name.is_empty() || keys.contains_key(name) {
                    continue;
                }
                let location = format!("{} number {}: {}", entity.table, index + 1, field.name);
                let bytes = (seed.read)(name)
                    .ok_or_else(|| Error::BadRequest(format!("{location}: the file \"{name}\" is not there")))?;
                let key = records
                    .media
                    .put_public(&entity.slug(), bytes)
                    .await
                    .map_err(|e| Error::BadRequest(format!("{location}: {name}: {}", e.for_terminal())))?;
                keys.insert(name.to_owned(), key);
            }
        }
    }
    Ok(keys)
}

/// What an earlier run stored about a row.
#[derive(sqlx::FromRow)]
struct Known {
    row_id: i64,
    source_hash: String,
    stored_hash: String,
}

/// The state of a run.
struct Seeder<'a> {
    records: &'a Records,
    connection: &'a mut AnyConnection,
    edition: Option<i64>,
    shift: Shift,
    files: &'a BTreeMap<String, String>,
    now: String,
}

impl Seeder<'_> {
    /// Writes the rows of one table; also returns the id of the last row.
    async fn write_rows(&mut self, entity: &Entity, rows: &[&Values]) -> Result<(Tally, Option<i64>)> {
        let mut tally = Tally::default();
        let mut last = None;
        let mut seen = std::collections::BTreeSet::new();
        let mut prepared = Vec::with_capacity(rows.len());
        for (index, values) in rows.iter().enumerate() {
            let locate = |error: Error| match error {
                Error::Invalid(fields) => {
                    let messages: Vec<String> = fields.iter().map(|f| format!("{}: {}", f.field, f.message)).collect();
                    Error::BadRequest(format!("{} number {}: {}", entity.table, index + 1, messages.join("; ")))
                }
                other => other,
            };
            let filled = date_placeholder::fill_all(values, self.shift).map_err(locate)?;
            let mut record = self.parse(entity, &filled, self.shift.days).map_err(locate)?;
            table::resolve(self.connection, entity, self.edition, &mut record).await.map_err(locate)?;
            let key = entity.key_of(&record);
            // The key of the unmoved values, so that a row is recognised wherever its dates have moved.
            let key_hash = hash(&entity.key_of(&self.unmoved(entity, values).await.map_err(locate)?));
            if !seen.insert(key_hash.clone()) {
                return Err(Error::BadRequest(format!(
                    "{} number {}: another row of the file has the same {}",
                    entity.table,
                    index + 1,
                    entity.key.join(" and ")
                )));
            }
            prepared.push((key, key_hash, record));
        }
        // The years of the history move by fewer years than they are: where the first would take the place of another,
        // the last moves first.
        if let Some((key, key_hash, _)) = prepared.first()
            && let Some(known) = self.find_known(entity, key_hash).await?
            && let Some(holder) = table::find(self.connection, entity, self.edition_of(entity), key).await?
            && known.row_id != holder
        {
            prepared.reverse();
        }
        for (key, key_hash, record) in prepared {
            last = Some(self.write_row(entity, (&key, key_hash), &record, &mut tally).await?);
        }
        Ok((tally, last))
    }

    /// The edition that the entity's rows belong to.
    fn edition_of(&self, entity: &Entity) -> Option<i64> {
        self.edition.filter(|_| entity.per_edition)
    }

    /// What an earlier run stored about a row.
    async fn find_known(&mut self, entity: &Entity, key_hash: &str) -> Result<Option<Known>> {
        let edition = self.edition_of(entity).unwrap_or(0);
        Ok(sqlx::query_as(
            "SELECT row_id, source_hash, stored_hash FROM seeds WHERE entity = $1 AND edition_id = $2 AND key = $3",
        )
        .bind(entity.table)
        .bind(edition)
        .bind(key_hash.to_owned())
        .fetch_optional(&mut *self.connection)
        .await?)
    }

    /// The row with its dates as in the file.
    async fn unmoved(&mut self, entity: &Entity, values: &Values) -> Result<Record> {
        let filled = date_placeholder::fill_all(values, Shift::default())?;
        let mut record = self.parse(entity, &filled, Span::new())?;
        table::resolve(self.connection, entity, self.edition, &mut record).await?;
        Ok(record)
    }

    /// The row as it is stored: dates moved by `shift`, file names replaced by keys.
    fn parse(&self, entity: &Entity, values: &Values, shift: Span) -> Result<Record> {
        let mut record = entity.parse(values, &self.records.time_zone).map_err(Error::Invalid)?;
        for (field, datum) in entity.fields.iter().zip(&mut record) {
            let Datum::Text(text) = datum else { continue };
            match field.kind {
                Kind::Date | Kind::DateTime | Kind::LocalDateTime => *text = move_stored(text, field.kind, shift),
                Kind::Image | Kind::Document | Kind::Video => {
                    if let Some(key) = self.files.get(text.as_str()) {
                        text.clone_from(key);
                    }
                }
                _ => {}
            }
        }
        Ok(record)
    }

    /// Writes one row if it is new, or changed in the file and by nobody else. Returns its id.
    async fn write_row(
        &mut self,
        entity: &Entity,
        (key, key_hash): (&[Datum], String),
        record: &Record,
        tally: &mut Tally,
    ) -> Result<i64> {
        let edition = self.edition_of(entity);
        let source_hash = hash(record);
        let Some(known) = self.find_known(entity, &key_hash).await? else {
            if let Some(id) = table::find(self.connection, entity, edition, key).await? {
                tally.kept += 1; // An organiser created this row before the file had it.
                return Ok(id);
            }
            let id = table::insert_with(self.connection, entity, edition, record, &[], &self.now).await?;
            table::store_search_keys(self.connection, entity, id, record).await?;
            tally.inserted += 1;
            self.store_hashes(entity, &key_hash, id, &source_hash, record).await?;
            return Ok(id);
        };
        let id = known.row_id;
        let stored = table::fetch(self.connection, entity, id).await?;
        match stored {
            None => tally.deleted += 1,
            Some(_) if known.source_hash == source_hash => tally.unchanged += 1,
            Some(stored) if known.stored_hash != hash(&stored) => tally.kept += 1,
            Some(_) => {
                table::update(self.connection, entity, id, record, &self.now).await?;
                table::store_search_keys(self.connection, entity, id, record).await?;
                self.store_hashes(entity, &key_hash, id, &source_hash, record).await?;
                tally.updated += 1;
            }
        }
        Ok(id)
    }

    async fn store_hashes(
        &mut self,
        entity: &Entity,
        key: &str,
        id: i64,
        source_hash: &str,
        record: &Record,
    ) -> Result<()> {
        sqlx::query(
            "INSERT INTO seeds (entity, edition_id, key, row_id, source_hash, stored_hash) VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT (entity, edition_id, key) DO UPDATE SET row_id = excluded.row_id, \
             source_hash = excluded.source_hash, stored_hash = excluded.stored_hash",
        )
        .bind(entity.table)
        .bind(self.edition_of(entity).unwrap_or(0))
        .bind(key.to_owned())
        .bind(id)
        .bind(source_hash.to_owned())
        .bind(hash(record))
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }
}
