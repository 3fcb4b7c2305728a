//! Pages of lists: the rows that a [`Listing`] asks for.

use std::collections::HashMap;

use sqlx::{AnyConnection, Row as _};

use super::joins::{key_column, order_by, references};
use super::query::{qualified, record_of};
use crate::entity::{Datum, Entity, Field, Kind, ListedRow, Listing, RowPage};
use crate::search_key;
use festival_base::db::{Conditions, MAX_SEARCHED_WHOLE, Test, search_words};
use festival_base::error::Result;

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
pub async fn list(connection: &mut AnyConnection, entity: &Entity, listing: &Listing) -> Result<RowPage> {
    let table = format!("{} t", entity.table);
    let is_short = !listing.search.is_empty() && {
        let all = Listing { edition: listing.edition, ..Listing::first(0) };
        conditions(entity, &all, &Search::Whole).count(connection, &table).await? <= MAX_SEARCHED_WHOLE
    };
    let search = if is_short { Search::Whole } else { Search::ByIndex(few_by_key(connection, entity, listing).await?) };
    let conditions = conditions(entity, listing, &search);
    let mut slice = Slice { offset: listing.offset, limit: listing.limit, is_reversed: false };
    let mut total = None;
    if listing.search.is_empty() {
        let count = conditions.count(connection, &table).await?;
        slice = slice.counted_from_nearer_end(count);
        total = Some(count);
    }
    let rows = page(connection, entity, listing, &conditions, &slice).await?;
    let length = rows.len() as i64;
    let total = match total {
        Some(total) => total,
        // A page that is not full is the last one.
        None if length < listing.limit && (length > 0 || listing.offset == 0) => listing.offset + length,
        None => conditions.count(connection, &table).await?,
    };
    Ok(RowPage { rows, total })
}

/// The highest position of a row of the edition; 0 without rows or positions.
///
/// # Errors
/// If the database cannot be read.
pub async fn last_position(connection: &mut AnyConnection, entity: &Entity, edition: Option<i64>) -> Result<i64> {
    let Some((index, field)) = entity.position("position").zip(entity.field("position")) else { return Ok(0) };
    let listing = Listing { edition, sort: Some((field, true)), ..Listing::first(1) };
    let last = list(connection, entity, &listing).await?;
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

async fn page(
    connection: &mut AnyConnection,
    entity: &Entity,
    listing: &Listing,
    conditions: &Conditions,
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
         (SELECT t.id FROM {table} t{}{} ORDER BY {} LIMIT {} OFFSET {}) ORDER BY {order}",
        columns.join(", "),
        if matches!(sort_field.kind, Kind::Reference(_)) { joins.as_str() } else { "" },
        conditions.where_clause(connection),
        order_by(entity, sort_field, descending, slice.is_reversed),
        slice.limit,
        slice.offset,
        table = entity.table,
    );
    let fetched = conditions.query(sql).fetch_all(connection).await?;
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

/// The ids of the rows matched by key, for words in plain Latin letters that match few rows.
async fn few_by_key(
    connection: &mut AnyConnection,
    entity: &Entity,
    listing: &Listing,
) -> Result<HashMap<String, Vec<i64>>> {
    let mut few = HashMap::new();
    for word in search_words(&listing.search).filter(|word| word.is_ascii()) {
        let keys = search_key::keys_of_searched(word);
        if keys.is_empty() {
            continue;
        }
        let mut conditions = Conditions::default();
        add_key_conditions(&mut conditions, entity, word, &keys);
        let condition = conditions.where_clause(connection);
        let sql = format!("SELECT row_id FROM search_keys{condition} LIMIT {}", MAX_NAMED_ROWS + 1);
        let rows = conditions.query(sql).fetch_all(&mut *connection).await?;
        if rows.len() <= MAX_NAMED_ROWS {
            let ids = rows.iter().map(|row| row.try_get(0)).collect::<sqlx::Result<_>>()?;
            few.insert(word.to_owned(), ids);
        }
    }
    Ok(few)
}

/// The conditions of a listing.
fn conditions(entity: &Entity, listing: &Listing, search: &Search) -> Conditions {
    let mut conditions = Conditions::default();
    if let Some(edition) = listing.edition.filter(|_| entity.per_edition) {
        conditions.compare("t.edition_id", Test::Is, Datum::Integer(edition));
    }
    for (field, datum) in &listing.filters {
        conditions.compare(&qualified("t", field), Test::Is, datum.clone());
    }
    let texts = || entity.texts().map(|field| qualified("t", field));
    if !listing.mentions.is_empty() {
        conditions.any_of(|any| listing.mentions.iter().for_each(|mention| any.contain(texts(), mention)));
    }
    // In a long list a word in other than Latin letters is matched by its key alone: comparing texts as well, for each
    // such word, would take twice as long.
    let is_by_key = |word: &&str| {
        matches!(search, Search::ByIndex(_)) && !word.is_ascii() && !search_key::keys_of_searched(word).is_empty()
    };
    let (by_key, words): (Vec<&str>, Vec<&str>) = search_words(&listing.search).partition(is_by_key);
    if !by_key.is_empty() {
        match_by_key(&mut conditions, entity, &by_key.join(" "));
    }
    for word in words {
        conditions.any_of(|any| match search {
            Search::Whole => {
                any.contain(texts(), word);
                match_by_key(any, entity, word);
            }
            Search::ByIndex(few) => {
                any.contain(entity.searchable().map(|field| qualified("t", field)), word);
                match few.get(word) {
                    Some(ids) => any.among_ids("t.id", ids),
                    None => match_by_key(any, entity, word),
                }
            }
        });
    }
    conditions
}

/// Adds the condition that a row has words that sound like these, in any script, if the words have keys.
fn match_by_key(conditions: &mut Conditions, entity: &Entity, words: &str) {
    let keys = search_key::keys_of_searched(words);
    if !keys.is_empty() {
        let start = "t.id IN (SELECT row_id FROM search_keys WHERE ";
        conditions.nested(start, |all| add_key_conditions(all, entity, words, &keys));
    }
}

/// Adds the conditions that a row of the search keys has these of `words`. Words in plain Latin letters are matched
/// without keys in texts of these letters.
fn add_key_conditions(conditions: &mut Conditions, entity: &Entity, words: &str, keys: &[String]) {
    conditions.compare("entity", Test::Is, Datum::Text(entity.table.to_owned()));
    let lists: &[i64] = if words.is_ascii() { &[0] } else { &[0, 1] };
    conditions.among("is_latin", lists.iter().copied().map(Datum::Integer));
    conditions.have_keys("keys", keys);
}
