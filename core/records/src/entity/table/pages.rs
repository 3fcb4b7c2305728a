//! Lists of rows: what is selected of an entity, searched and ordered.

use std::collections::HashMap;

use sqlx::{AnyConnection, Row as _};

use super::query::qualified;
use super::query::{joins, keys, names, order_of, references};
use crate::entity::{Datum, Entity, Field, ListedRow};
use crate::search_key;
use crate::similar_words::SimilarWords;
use festival_base::db::{Conditions, Order, Select, SelectedRow, Test, search_words};
use festival_base::deadline;
use festival_base::error::Result;

/// Maximum number of rows matched by the key of a word whose ids are listed in the statement. Only then does Postgres
/// use its index of the texts: it cannot combine that with a subquery.
const MAX_NAMED_ROWS: usize = 500;
/// Rows that [`for_each`] reads at a time.
const BATCH_SIZE: i64 = 2_000;

/// Selects the rows of an entity, with the titles and keys of the rows that they refer to: those of an edition; `None`, or if the
/// entity does not belong to editions: all.
pub fn select(entity: &Entity, edition: Option<i64>) -> Select {
    let fields = entity.columns().map(|field| qualified("t", field));
    let publish_at =
        format!("(SELECT p.publish_at FROM publications p WHERE p.entity = '{}' AND p.row_id = t.id)", entity.table);
    let columns = fields.chain(names(entity)).chain(["t.updated_at".to_owned(), publish_at]).chain(keys(entity));
    let select = Select::new(entity.table, columns).joined(&joins(entity));
    match edition.filter(|_| entity.per_edition) {
        Some(edition) => select.filter("t.edition_id", Test::Is, Datum::Integer(edition)),
        None => select,
    }
}

/// Narrows `select` to rows with this value of a field; [`Datum::Null`]: with none.
pub fn having(select: Select, field: &Field, value: Datum) -> Select {
    select.filter(&qualified("t", field), Test::Is, value)
}

/// Narrows `select` to rows of which some text contains at least one of these, ignoring case.
pub fn mentioning(select: Select, entity: &Entity, texts: &[String]) -> Select {
    select.narrowed(|all| all.any_of(|any| texts.iter().for_each(|text| any.contain(texts_of(entity), text))))
}

/// The order by a field and whether descending; `None`: [`Entity::default_order`].
pub fn order(entity: &Entity, sort: Option<(&'static Field, bool)>) -> Order {
    let (field, is_descending) = sort.unwrap_or_else(|| entity.default_order());
    order_of(entity, field).descending(is_descending)
}

/// The rows of `select`, a narrowed [`select()`], in an order: a page of them, given by its offset and maximum length.
///
/// # Errors
/// If the database cannot be read.
pub async fn rows(
    connection: &mut AnyConnection,
    entity: &Entity,
    select: &Select,
    order: &Order,
    page: (i64, i64),
) -> Result<Vec<ListedRow>> {
    let rows = select.slice(connection, order, page, None).await?;
    Ok(rows.into_iter().map(|row| listed(entity, row)).collect())
}

/// Calls `action` with every row of `select` in an order, and returns how many there are. Read from a snapshot: concurrent
/// writes would move rows between batches.
///
/// # Errors
/// If the database cannot be read, and those of the action.
pub async fn for_each(
    snapshot: &mut AnyConnection,
    entity: &Entity,
    select: &Select,
    order: &Order,
    mut action: impl FnMut(&ListedRow) -> Result<()>,
) -> Result<i64> {
    let total = select.count(snapshot).await?;
    for offset in (0..total).step_by(BATCH_SIZE as usize) {
        let rows = select.slice(snapshot, order, (offset, BATCH_SIZE), Some(total)).await?;
        rows.into_iter().try_for_each(|row| action(&listed(entity, row)))?;
        deadline::progress();
    }
    Ok(total)
}

/// A row of [`select()`].
pub fn listed(entity: &Entity, (id, values): SelectedRow) -> ListedRow {
    let mut values = values.into_iter();
    let record = values.by_ref().take(entity.columns().count()).collect();
    let mut text = || match values.next() {
        Some(Datum::Text(text)) => Some(text),
        _ => None,
    };
    let names = references(entity).filter_map(|(field, _)| Some((field.name, text()?))).collect();
    let (updated_at, publish_at) = (text().unwrap_or_default(), text());
    let keys = references(entity).filter_map(|(field, _)| Some((field.name, text()?))).collect();
    ListedRow { id, record, names, keys, updated_at, publish_at }
}

/// The highest position of a row of the edition; 0 without rows or positions.
///
/// # Errors
/// If the database cannot be read.
pub async fn last_position(connection: &mut AnyConnection, entity: &Entity, edition: Option<i64>) -> Result<i64> {
    let Some((index, field)) = entity.position("position").zip(entity.field("position")) else { return Ok(0) };
    let order = order(entity, Some((field, true)));
    let last = rows(connection, entity, &select(entity, edition), &order, (0, 1)).await?;
    Ok(match last.first().and_then(|row| row.record.get(index)) {
        Some(Datum::Integer(position)) => *position,
        _ => 0,
    })
}

/// Narrows `select` to rows with each of these words in one of [`Entity::texts`], possibly spelt in another script; unless
/// all texts are compared, in one of [`Entity::searchable`], which an index covers.
///
/// # Errors
/// If the database cannot be read.
pub async fn search(
    connection: &mut AnyConnection,
    entity: &Entity,
    select: Select,
    text: &str,
    compares_all: bool,
) -> Result<Select> {
    if compares_all {
        let texts: Vec<String> = texts_of(entity).collect();
        return Ok(select.narrowed(|all| {
            all.have_words(search_words(text), &texts, |any, word| match_by_key(any, entity, word, &EVERY_LIST));
        }));
    }
    let few = few_by_key(connection, entity, text).await?;
    // A word in other than Latin letters is matched by its key alone: comparing texts as well, for each such word, would
    // take twice as long.
    let is_by_key = |word: &&str| !word.is_ascii() && !search_key::keys_of_searched(word).is_empty();
    let (by_key, words): (Vec<&str>, Vec<&str>) = search_words(text).partition(is_by_key);
    let texts: Vec<String> = entity.searchable().map(|field| qualified("t", field)).collect();
    Ok(select.narrowed(|all| {
        if !by_key.is_empty() {
            match_by_key(all, entity, &by_key.join(" "), &EVERY_LIST);
        }
        all.have_words(words.into_iter(), &texts, |any, word| match few.get(word) {
            Some(ids) => any.among_ids("t.id", ids),
            None => match_by_key(any, entity, word, &OTHER_LIST),
        });
    }))
}

/// The ids of the rows whose short texts are the most similar to a search's words.
///
/// # Errors
/// If the database cannot be read.
pub async fn similar(connection: &mut AnyConnection, entity: &Entity, words: &SimilarWords) -> Result<Vec<i64>> {
    let mut conditions = Conditions::default();
    add_key_conditions(&mut conditions, entity, &EVERY_LIST, &[]);
    conditions.any_of(|any| any.have_parts("keys", &words.parts()));
    let sql = format!("SELECT row_id, keys FROM search_keys{}", conditions.where_clause(connection));
    let rows = conditions.query(sql).fetch_all(connection).await?;
    let rows: Vec<(i64, String)> =
        rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<sqlx::Result<_>>()?;
    Ok(words.nearest(rows))
}

fn texts_of(entity: &Entity) -> impl Iterator<Item = String> {
    entity.texts().map(|field| qualified("t", field))
}

/// The ids of the rows matched by key, for words in plain Latin letters that match few rows.
async fn few_by_key(connection: &mut AnyConnection, entity: &Entity, text: &str) -> Result<HashMap<String, Vec<i64>>> {
    let mut few = HashMap::new();
    for word in search_words(text).filter(|word| word.is_ascii()) {
        let keys = search_key::keys_of_searched(word);
        if keys.is_empty() {
            continue;
        }
        let mut conditions = Conditions::default();
        add_key_conditions(&mut conditions, entity, &OTHER_LIST, &keys);
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

/// The lists of search keys: of texts in plain Latin letters, and of others. Among many rows a word in these letters is
/// compared with the texts of the first list, not with their keys.
const EVERY_LIST: [i64; 2] = [0, 1];
const OTHER_LIST: [i64; 1] = [0];

/// Adds the condition that a row has words that sound like these, if the words have keys.
fn match_by_key(conditions: &mut Conditions, entity: &Entity, words: &str, lists: &[i64]) {
    let keys = search_key::keys_of_searched(words);
    if !keys.is_empty() {
        let start = "t.id IN (SELECT row_id FROM search_keys WHERE ";
        conditions.nested(start, |all| add_key_conditions(all, entity, lists, &keys));
    }
}

/// Adds the conditions that a row of these lists of search keys has all `keys`.
fn add_key_conditions(conditions: &mut Conditions, entity: &Entity, lists: &[i64], keys: &[String]) {
    conditions.compare("entity", Test::Is, Datum::Text(entity.table.to_owned()));
    conditions.among("is_latin", lists.iter().copied().map(Datum::Integer));
    conditions.have_keys("keys", keys);
}
