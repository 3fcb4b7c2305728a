//! Pages of lists: the rows that a [`Listing`] asks for.

use std::collections::HashMap;

use sqlx::{AnyConnection, AssertSqlSafe, Row as _};

use super::joins::{key_column, order_by, references};
use super::query::{qualified, record_of};
use crate::entity::{Datum, Entity, Field, Kind, ListedRow, Listing, RowPage};
use crate::search_key;
use festival_base::db::Backend;
use festival_base::error::Result;

/// Maximum number of words of a search; further ones are ignored.
const MAX_WORDS: usize = 8;
/// Maximum length of a list, in rows, in which a search compares all texts. In a longer list it compares
/// [`Entity::searchable`] alone, which an index covers: a synopsis of each of 100,000 films would take seconds.
const MAX_SEARCHED_WHOLE: i64 = 20_000;
/// Maximum number of rows matched by the key of a word whose ids are listed in the statement. Only then does Postgres
/// use its index of the texts: it cannot combine that with a subquery.
const MAX_NAMED_ROWS: usize = 500;

/// A page of rows, with the titles of the rows that they refer to.
///
/// The ids of the page are selected before rows are read and joined. Without a search counting is cheap, so rows are
/// counted first, and a page in the second half is read from the end. A search reads every row, so its page comes
/// first, and matches are counted only if the page does not reveal their number.
///
/// # Errors
/// If the database cannot be read.
pub async fn list(
    connection: &mut AnyConnection,
    backend: Backend,
    entity: &Entity,
    listing: &Listing,
) -> Result<RowPage> {
    let is_short = !listing.search.is_empty() && {
        let all = Listing { search: String::new(), mentions: Vec::new(), filters: Vec::new(), ..listing.clone() };
        let (condition, parameters) = where_clause(backend, entity, &all, &Search::Whole);
        count(connection, entity, &condition, &parameters).await? <= MAX_SEARCHED_WHOLE
    };
    let search = if is_short { Search::Whole } else { Search::ByIndex(few_by_key(connection, entity, listing).await?) };
    let (condition, parameters) = where_clause(backend, entity, listing, &search);
    let mut slice = Slice { offset: listing.offset, limit: listing.limit, is_reversed: false };
    let mut total = None;
    if listing.search.is_empty() {
        let count = count(connection, entity, &condition, &parameters).await?;
        slice = slice.counted_from_nearer_end(count);
        total = Some(count);
    }
    let rows = page(connection, entity, listing, (&condition, &parameters), &slice).await?;
    let length = rows.len() as i64;
    let total = match total {
        Some(total) => total,
        // A page that is not full is the last one.
        None if length < listing.limit && (length > 0 || listing.offset == 0) => listing.offset + length,
        None => count(connection, entity, &condition, &parameters).await?,
    };
    Ok(RowPage { rows, total })
}

/// The highest position of a row of the edition; 0 without rows or positions.
///
/// # Errors
/// If the database cannot be read.
pub async fn last_position(
    connection: &mut AnyConnection,
    backend: Backend,
    entity: &Entity,
    edition: Option<i64>,
) -> Result<i64> {
    let Some((index, field)) = entity.position("position").zip(entity.field("position")) else { return Ok(0) };
    let listing = Listing { edition, sort: Some((field, true)), ..Listing::first(1) };
    let last = list(connection, backend, entity, &listing).await?;
    Ok(match last.rows.first().and_then(|row| row.record.get(index)) {
        Some(Datum::Integer(position)) => *position,
        _ => 0,
    })
}

/// A range of the ordered rows.
struct Slice {
    offset: i64,
    limit: i64,
    /// Whether the offset counts from the end, in reversed order.
    is_reversed: bool,
}

impl Slice {
    /// The same range of `total` rows, counted from the nearer end.
    fn counted_from_nearer_end(self, total: i64) -> Self {
        if self.offset <= total / 2 {
            return self;
        }
        let limit = (total - self.offset).clamp(0, self.limit);
        Self { offset: (total - self.offset - limit).max(0), limit, is_reversed: true }
    }
}

async fn count(connection: &mut AnyConnection, entity: &Entity, condition: &str, parameters: &[Datum]) -> Result<i64> {
    let sql = format!("SELECT count(*) FROM {} t{condition}", entity.table);
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for datum in parameters {
        query = datum.bind(query);
    }
    Ok(query.fetch_one(connection).await?.try_get(0)?)
}

async fn page(
    connection: &mut AnyConnection,
    entity: &Entity,
    listing: &Listing,
    (condition, parameters): (&str, &[Datum]),
    slice: &Slice,
) -> Result<Vec<ListedRow>> {
    let mut columns: Vec<String> = entity.columns().map(|field| qualified("t", field)).collect();
    let mut joins = String::new();
    let references: Vec<(&'static Field, &'static Entity)> = references(entity).collect();
    for (index, (field, target)) in references.iter().enumerate() {
        joins.push_str(&format!(" LEFT JOIN {} r{index} ON r{index}.id = {}", target.table, qualified("t", field)));
        // A row without a title has the name that choices give it.
        let alias = format!("r{index}");
        let (title, key) = (qualified(&alias, target.title()), key_column(target, &alias));
        columns.push(format!("coalesce(CAST({title} AS TEXT), CAST({key} AS TEXT))"));
    }
    let (sort_field, descending) = listing.sort.unwrap_or_else(|| entity.default_order());
    let order = order_by(entity, sort_field, descending, false);
    let sql = format!(
        "SELECT {}, t.id AS own_id, t.updated_at AS own_updated_at FROM {table} t{joins} WHERE t.id IN \
         (SELECT t.id FROM {table} t{}{condition} ORDER BY {} LIMIT {} OFFSET {}) ORDER BY {order}",
        columns.join(", "),
        if matches!(sort_field.kind, Kind::Reference(_)) { joins.as_str() } else { "" },
        order_by(entity, sort_field, descending, slice.is_reversed),
        slice.limit,
        slice.offset,
        table = entity.table,
    );
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for datum in parameters {
        query = datum.bind(query);
    }
    let fetched = query.fetch_all(connection).await?;
    let first_name = entity.columns().count();
    let mut rows = Vec::with_capacity(fetched.len());
    for row in &fetched {
        let mut names = std::collections::BTreeMap::new();
        for (index, (field, _)) in references.iter().enumerate() {
            if let Some(name) = row.try_get::<Option<String>, _>(first_name + index)? {
                names.insert(field.name, name);
            }
        }
        let record = record_of(row, entity)?;
        rows.push(ListedRow { id: row.try_get("own_id")?, record, names, updated_at: row.try_get("own_updated_at")? });
    }
    Ok(rows)
}

/// How a search compares the rows of a list.
enum Search {
    /// All texts are compared.
    Whole,
    /// In a long list, those that an index covers. Holds the ids of the rows matched by key, for words that match few
    /// rows.
    ByIndex(HashMap<String, Vec<i64>>),
}

/// The words of a search that are used.
fn search_terms(listing: &Listing) -> impl Iterator<Item = &str> {
    listing.search.split_whitespace().take(MAX_WORDS)
}

/// The ids of the rows matched by key, for words in plain Latin letters that match few rows.
async fn few_by_key(
    connection: &mut AnyConnection,
    entity: &Entity,
    listing: &Listing,
) -> Result<HashMap<String, Vec<i64>>> {
    let mut few = HashMap::new();
    for word in search_terms(listing).filter(|word| word.is_ascii()) {
        let mut parameters = Vec::new();
        let Some(select) = select_by_key(entity, word, &mut parameters) else { continue };
        let sql = format!("{select} LIMIT {}", MAX_NAMED_ROWS + 1);
        let query = parameters.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, value| value.bind(query));
        let rows = query.fetch_all(&mut *connection).await?;
        if rows.len() <= MAX_NAMED_ROWS {
            let ids = rows.iter().map(|row| row.try_get(0)).collect::<sqlx::Result<_>>()?;
            few.insert(word.to_owned(), ids);
        }
    }
    Ok(few)
}

/// The WHERE clause of a listing, "" without conditions, and its parameters.
fn where_clause(backend: Backend, entity: &Entity, listing: &Listing, search: &Search) -> (String, Vec<Datum>) {
    let mut conditions = Vec::new();
    let mut parameters = Vec::new();
    if let Some(edition) = listing.edition.filter(|_| entity.per_edition) {
        parameters.push(Datum::Integer(edition));
        conditions.push(format!("t.edition_id = ${}", parameters.len()));
    }
    for (field, datum) in &listing.filters {
        if *datum == Datum::Null {
            conditions.push(format!("{} IS NULL", qualified("t", field)));
        } else {
            parameters.push(datum.clone());
            conditions.push(format!("{} = ${}", qualified("t", field), parameters.len()));
        }
    }
    // SQLite's LIKE ignores case, Postgres's does not.
    let like = if backend == Backend::Postgres { "ILIKE" } else { "LIKE" };
    if !listing.mentions.is_empty() {
        let mut matches = vec!["1 = 0".to_owned()];
        for mention in &listing.mentions {
            parameters.push(Datum::Text(contains_pattern(mention)));
            let number = parameters.len();
            let texts = entity.texts();
            matches.extend(texts.map(|field| format!("{} {like} ${number} ESCAPE '\\'", qualified("t", field))));
        }
        conditions.push(format!("({})", matches.join(" OR ")));
    }
    // In a long list a word in other than Latin letters is matched by its key alone: comparing texts as well, for each
    // such word, would take twice as long.
    let is_by_key = |word: &&str| {
        matches!(search, Search::ByIndex(_)) && !word.is_ascii() && !search_key::keys_of_searched(word).is_empty()
    };
    let (by_key, words): (Vec<&str>, Vec<&str>) = search_terms(listing).partition(is_by_key);
    if !by_key.is_empty() {
        conditions.extend(key_condition(entity, &by_key.join(" "), &mut parameters));
    }
    for word in words {
        parameters.push(Datum::Text(contains_pattern(word)));
        let number = parameters.len();
        let (searched, named): (Vec<&Field>, _) = match search {
            Search::Whole => (entity.texts().collect(), None),
            Search::ByIndex(few) => (entity.searchable().collect(), few.get(word)),
        };
        let mut matches: Vec<String> = searched
            .into_iter()
            .map(|field| format!("{} {like} ${number} ESCAPE '\\'", qualified("t", field)))
            .collect();
        match named {
            Some(ids) if ids.is_empty() => {}
            Some(ids) => {
                let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
                matches.push(format!("t.id IN ({})", ids.join(", ")));
            }
            None => matches.extend(key_condition(entity, word, &mut parameters)),
        }
        // Without a field to search in, nothing matches.
        let matches: Vec<String> = ["1 = 0".to_owned()].into_iter().chain(matches).collect();
        conditions.push(format!("({})", matches.join(" OR ")));
    }
    let condition = if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) };
    (condition, parameters)
}

/// The condition that a row has words that sound like these, in any script; `None` if the words have no keys.
fn key_condition(entity: &Entity, words: &str, parameters: &mut Vec<Datum>) -> Option<String> {
    Some(format!("t.id IN ({})", select_by_key(entity, words, parameters)?))
}

/// The query for the ids of the rows that have words that sound like these; `None` if the words have no keys. Words in
/// plain Latin letters are matched without keys in texts of these letters.
fn select_by_key(entity: &Entity, words: &str, parameters: &mut Vec<Datum>) -> Option<String> {
    let keys = search_key::keys_of_searched(words);
    if keys.is_empty() {
        return None;
    }
    let lists = if words.is_ascii() { "is_latin = 0" } else { "is_latin IN (0, 1)" };
    let condition = |key: String| {
        parameters.push(Datum::Text(format!("% {key}%")));
        format!(" AND keys LIKE ${}", parameters.len())
    };
    let conditions: String = keys.into_iter().map(condition).collect();
    Some(format!("SELECT row_id FROM search_keys WHERE entity = '{}' AND {lists}{conditions}", entity.table))
}

/// The pattern of texts that contain `text`.
fn contains_pattern(text: &str) -> String {
    format!("%{}%", text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"))
}
