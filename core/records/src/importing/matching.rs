//! Matches the rows of a list with stored rows by their titles or keys.

use std::collections::{HashMap, HashSet};

use sqlx::AnyConnection;

use super::likeness::{fold, is_alike};
use super::parse::RowParser;
use super::{Candidate, Decision, ID, Import, Matches, Questions, Row, RowMatch};
use crate::editing::{self, Current};
use crate::entity::{Datum, Field, Kind, table, trim};
use festival_base::error::Result;

/// Matches rows of an entity whose key is its title: a row without an id is about the stored row of the same title.
///
/// # Errors
/// If the database cannot be read.
pub async fn match_by_title(import: &Import<'_>, connection: &mut AnyConnection, rows: &[Row]) -> Result<Matches> {
    let title = import.entity.title().name;
    let stored = table::keys(connection, import.entity, import.edition).await?;
    let mut lines: HashMap<&str, u64> = HashMap::new();
    let mut matches = Matches { checks_keys: true, ..Matches::default() };
    for row in rows {
        let name = trim(&row.values[title]);
        let same = stored.get(&[Datum::Text(name.to_owned())][..]).and_then(|ids| ids.first().copied());
        let id = row.id.or(same);
        if let Some(line) = lines.insert(name, row.line).filter(|_| id.is_none()) {
            matches.notes.push(format!("line {}: \"{name}\" is also in line {line}", row.line));
        }
        matches.rows.push(RowMatch { id, ..RowMatch::default() });
    }
    Ok(matches)
}

/// Number of lines with ids that are compared with stored rows at a time; the first batch shows whose ids they are.
const COMPARED_IDS: usize = 500;

/// Matches the rows of a list with ids; `None` if less than half of its first ids name a row here: lists of other sites
/// have ids, too. If most of them name rows that do not resemble their lines, the list may merely be numbered, and
/// there is a question about each such line.
///
/// # Errors
/// If the database cannot be read.
pub(super) async fn match_by_id(
    parser: &RowParser<'_>,
    connection: &mut AnyConnection,
    rows: &[Row],
) -> Result<Option<Matches>> {
    let Import { entity, decisions, options, .. } = *parser.import;
    let given: Vec<(usize, i64)> = rows.iter().enumerate().filter_map(|(index, row)| Some((index, row.id?))).collect();
    let first = &given[..given.len().min(COMPARED_IDS)];
    let is_chosen = options.mappings.iter().any(|mapping| mapping.field == ID);
    let stored = stored_here(parser, connection, first).await?;
    let of_rows = first.iter().filter(|(_, id)| stored.contains_key(id)).count();
    let is_about =
        |(index, id): &(usize, i64)| stored.get(id).is_some_and(|it| may_be_about(parser, &rows[*index], it));
    let about = first.iter().filter(|line| is_about(line)).count();
    if is_chosen || about * 2 >= first.len() {
        return Ok(Some(Matches::default()));
    }
    if of_rows * 2 < first.len() {
        return Ok(None);
    }
    let by_id = |row: &Row| RowMatch { id: row.id, ..RowMatch::default() };
    let mut matches = Matches { rows: rows.iter().map(by_id).collect(), ..Matches::default() };
    let mut questions = Questions::new(decisions, entity.singular);
    for lines in given.chunks(COMPARED_IDS) {
        let stored = stored_here(parser, connection, lines).await?;
        for (index, id) in lines {
            let row = &rows[*index];
            let Some(other) = stored.get(id).filter(|stored| !may_be_about(parser, row, stored)) else { continue };
            let label = format!("\"{}\"", editing::title_of(entity, &other.record));
            let title = &row.values[entity.title().name];
            let text = format!("\"{title}\" has the id of {label}. Is it that {}?", entity.singular);
            matches.rows[*index] = questions.ask(row.line, text, vec![Candidate { id: *id, label }], Decision::Skip);
        }
    }
    Ok(Some(Matches { questions: questions.asked, ..matches }))
}

/// The rows of the edition that the ids of lines name.
async fn stored_here(
    parser: &RowParser<'_>,
    connection: &mut AnyConnection,
    lines: &[(usize, i64)],
) -> Result<HashMap<i64, Current>> {
    let ids: Vec<i64> = lines.iter().map(|(_, id)| *id).collect();
    let mut stored = editing::find_many(connection, parser.import.entity, &ids).await?;
    stored.retain(|_, current| current.edition == parser.import.edition);
    Ok(stored)
}

/// Whether a line may be about a stored row: it has its title, no title at all, or the same in most other texts.
fn may_be_about(parser: &RowParser<'_>, row: &Row, stored: &Current) -> bool {
    let entity = parser.import.entity;
    let zone = &parser.import.records.time_zone;
    let title = trim(&row.values[entity.title().name]);
    if title.is_empty() || fold(title) == fold(&editing::title_of(entity, &stored.record)) {
        return true;
    }
    let (mut filled, mut same) = (0, 0);
    for (field, datum) in entity.columns().zip(&stored.record) {
        // Many rows have the same of these.
        if matches!(field.kind, Kind::Flag | Kind::Choice(_) | Kind::Integer { .. } | Kind::Reference(_)) {
            continue;
        }
        let Some(text) = row.values.get(field.name).filter(|text| !text.trim().is_empty()) else { continue };
        let is_same = field.parse(&parser.canonical(field, text), zone).is_ok_and(|given| given == *datum);
        filled += 1;
        same += usize::from(is_same);
    }
    same * 2 > filled
}

/// From this similarity on, texts are likely to be the same with a slip of the pen.
const LIKELY: f64 = 0.93;
/// Maximum number of comparisons letter by letter; in longer lists there are only questions about other spellings of a
/// key.
const MAX_COMPARISONS: usize = 250_000;

/// Matches the rows of a list without ids by the key of its entity: a row with the key of a stored one is about it, and
/// a person decides about one whose key is nearly the same.
///
/// # Errors
/// If the database cannot be read.
pub(super) async fn match_by_key(
    parser: &RowParser<'_>,
    connection: &mut AnyConnection,
    rows: &[Row],
) -> Result<Matches> {
    let Import { entity, edition, decisions, .. } = *parser.import;
    let stored = table::keys(connection, entity, edition).await?;
    let keys: Vec<Option<Vec<Datum>>> = rows.iter().map(|row| parser.key(row)).collect();
    let same = |key: &Option<Vec<Datum>>| stored.get(key.as_ref()?)?.first().copied();
    let taken: HashSet<i64> = keys.iter().filter_map(same).collect();
    let others = stored.iter().filter_map(|(key, ids)| Some((key, folded(key), *ids.first()?)));
    let mut others: Vec<_> = others.filter(|(_, _, id)| !taken.contains(id)).collect();
    // The first candidate is proposed, so it must always be the same.
    others.sort_unstable_by_key(|(_, _, id)| *id);
    let mut by_spelling: HashMap<&[Datum], Vec<usize>> = HashMap::new();
    for (index, (_, spelling, _)) in others.iter().enumerate() {
        by_spelling.entry(spelling).or_default().push(index);
    }
    let compares =
        keys.iter().filter(|key| same(key).is_none()).count().saturating_mul(others.len()) <= MAX_COMPARISONS;
    let candidate = |index: usize| {
        let (key, _, id) = &others[index];
        Candidate { id: *id, label: format!("\"{}\"", label(parser, key)) }
    };
    let mut matches = Matches::default();
    let mut questions = Questions::new(decisions, entity.singular);
    // The line of each new key, in any spelling.
    let mut lines: HashMap<Vec<Datum>, u64> = HashMap::new();
    for (row, key) in rows.iter().zip(&keys) {
        let mut known = RowMatch { id: same(key), ..RowMatch::default() };
        if let Some(key) = key.as_ref().filter(|_| known.id.is_none())
            && let Some(line) = lines.insert(folded(key), row.line)
        {
            let text =
                format!("line {}: \"{}\" may be the {} of line {line}", row.line, label(parser, key), entity.singular);
            matches.notes.push(text);
        }
        let near: Vec<usize> = match key.as_ref().filter(|_| known.id.is_none()).map(|key| folded(key)) {
            None => Vec::new(),
            Some(key) if compares => (0..others.len()).filter(|index| is_near(&key, &others[*index].1)).collect(),
            Some(key) => by_spelling.get(&key[..]).cloned().unwrap_or_default(),
        };
        let candidates: Vec<Candidate> = near.into_iter().map(candidate).collect();
        if let (Some(key), Some(first)) = (key, candidates.first()) {
            let text = format!("Is \"{}\" the {} {}?", label(parser, key), entity.singular, first.label);
            let proposal = Decision::Same(first.id);
            known = questions.ask(row.line, text, candidates, proposal);
        }
        matches.rows.push(known);
    }
    Ok(Matches { questions: questions.asked, ..matches })
}

/// A key whose texts are the same in different spellings.
fn folded(key: &[Datum]) -> Vec<Datum> {
    let fold_part = |part: &Datum| match part {
        Datum::Text(text) => Datum::Text(fold(text)),
        other => other.clone(),
    };
    key.iter().map(fold_part).collect()
}

/// Whether two folded keys may be the same: apart from a slip of the pen or additional words ("Dr."), with the same
/// numbers.
fn is_near(one: &[Datum], other: &[Datum]) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let holds = |long: &str, short: &str| {
        let parts: HashSet<&str> = long.split(' ').collect();
        short.contains(' ') && short.split(' ').all(|word| parts.contains(word))
    };
    one.iter().zip(other).all(|parts| match parts {
        (Datum::Text(one), Datum::Text(other)) => {
            one == other
                || digits(one) == digits(other)
                    && (is_alike(one, other, LIKELY) || holds(one, other) || holds(other, one))
        }
        (one, other) => one == other,
    })
}

/// A key for people.
fn label(parser: &RowParser<'_>, key: &[Datum]) -> String {
    let entity = parser.import.entity;
    let fields = entity.key.iter().filter_map(|name| entity.field(name));
    let part = |(field, datum): (&Field, &Datum)| match field.kind {
        Kind::Reference(_) => parser.names.name(field, datum),
        _ => field.display(datum, &parser.import.records.time_zone),
    };
    fields.zip(key).map(part).collect::<Vec<_>>().join(", ")
}
