//! Plans an import: checks the rows of a table and compares them with the stored rows, without writing anything and
//! without blocking other writers.

use sqlx::AnyConnection;

use super::matching::{match_by_id, match_by_key};
use super::names::Names;
use super::outcome::Outcome;
use super::parse::RowParser;
use super::planner::{ChangedRow, NewRow, Planner};
use super::{ID, Import, Matches, NewTarget, ParsedSheet, Reader, Row, RowMatch};
use crate::entity::table;
use festival_base::db;
use festival_base::deadline;
use festival_base::error::Result;

/// Rows that are compared with the stored ones at a time.
const CHUNK_SIZE: usize = 500;

/// An import that is ready to be written.
pub(super) struct Plan<'a> {
    pub(super) outcome: Outcome,
    /// The [`version`] that the plan is based on.
    pub(super) version: (i64, i64),
    pub(super) targets: Vec<NewTarget>,
    pub(super) new: Vec<NewRow>,
    pub(super) changed: Vec<ChangedRow>,
    /// The rows of the table, with what new ones need to be parsed again.
    pub(super) rows: &'a [Row],
    pub(super) matches: Vec<RowMatch>,
    pub(super) parser: RowParser<'a>,
}

/// Plans an import from what `connection` reads.
pub(super) async fn plan<'a>(
    import: &'a Import<'a>,
    connection: &mut AnyConnection,
    registered: Option<&dyn Reader>,
    sheet: &'a ParsedSheet,
) -> Result<Plan<'a>> {
    let version = version(connection).await?;
    let names = Names::load(connection, import.entity, import.edition).await?;
    let mut parser = RowParser::new(import, names, sheet);
    let Matches { rows: matches, new_targets, questions, notes, checks_keys } =
        find_matches(import, connection, registered, (sheet, &parser)).await?;
    for target in &new_targets {
        parser.names.add(import.entity, target);
    }
    let position = table::last_position(connection, import.entity, import.edition).await?;
    let outcome = Outcome {
        rows: Vec::with_capacity(sheet.rows.len()),
        errors: sheet.errors.clone(),
        blanked: sheet.blanked.clone(),
        questions,
        ..Outcome::default()
    };
    let mut planner = Planner::new(parser, position, outcome, checks_keys);
    for (index, rows) in sheet.rows.chunks(CHUNK_SIZE).enumerate() {
        let first = index * CHUNK_SIZE;
        let matches = if matches.is_empty() { &[] } else { &matches[first..][..rows.len()] };
        planner.plan_chunk(connection, (first, rows), matches).await?;
        deadline::progress();
        (import.progress)(rows.len());
    }
    let Planner { parser, mut outcome, new, changed, references, .. } = planner;
    // A target that only rows with errors name is not created.
    let is_used = |target: &NewTarget| {
        let mut fields = import.entity.columns().filter(|field| target.is_target_of(field));
        fields.any(|field| references.contains(&(field.name, target.key.clone())))
    };
    let targets: Vec<NewTarget> = new_targets.into_iter().filter(is_used).collect();
    outcome.new_targets = targets.iter().map(|target| target.title().to_owned()).collect();
    let created = targets.iter().map(|target| format!("the {} \"{}\" is new", target.entity.singular, target.title()));
    outcome.notes = sheet.notes.iter().cloned().chain(created).chain(notes).collect();
    outcome.errors.sort_by_key(|error| error.line);
    outcome.blanked.sort_by_key(|error| error.line);
    Ok(Plan { outcome, version, targets, new, changed, rows: &sheet.rows, matches, parser })
}

/// The stored rows that the rows of a table are about.
async fn find_matches(
    import: &Import<'_>,
    connection: &mut AnyConnection,
    registered: Option<&dyn Reader>,
    (sheet, parser): (&ParsedSheet, &RowParser<'_>),
) -> Result<Matches> {
    if let Some(reader) = registered.filter(|_| !sheet.is_export)
        && let Some(matches) = reader.match_rows(import, connection, &sheet.rows).await?
    {
        return Ok(matches);
    }
    // Where ids can be given, a line without one is a new row.
    let has_ids = parser.headers.contains_key(ID);
    if has_ids && let Some(matches) = match_by_id(parser, connection, &sheet.rows).await? {
        return Ok(Matches { checks_keys: true, ..matches });
    }
    // The list of another edition or site, whose ids mean nothing here.
    let year = if import.entity.per_edition { "of this edition" } else { "here" };
    let note = format!("the column of ids holds no ids of {} {year}, and was not used", import.entity.plural);
    let note = Some(note).filter(|_| has_ids);
    if let Some(reader) = registered.filter(|_| sheet.is_export) {
        let rows: Vec<Row> = sheet.rows.iter().map(|row| Row { id: None, ..row.clone() }).collect();
        if let Some(mut matches) = reader.match_rows(import, connection, &rows).await? {
            matches.notes.extend(note);
            return Ok(matches);
        }
    }
    let mut matches = match_by_key(parser, connection, &sheet.rows).await?;
    matches.notes.extend(note);
    Ok(Matches { checks_keys: true, ..matches })
}

/// What a plan is based on: the version of the data that visitors see, and how much was imported. The parts of a long
/// import change the second only, until its end.
pub(super) async fn version(connection: &mut AnyConnection) -> Result<(i64, i64)> {
    let imported = "SELECT CAST(coalesce(max(id) + sum(created + changed), 0) AS BIGINT) FROM imports";
    let imported = sqlx::query_scalar(imported).fetch_one(&mut *connection).await?;
    Ok((db::data_version(connection).await?, imported))
}
