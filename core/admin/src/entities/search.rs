//! The search in the records of every entity.

use super::cells;
use super::paths::{home, row_path};
use crate::frame::capitalized;
use crate::search::{Hit, MAX_HITS, SearchContext, SearchGroup, list_address};
use festival_base::error::Result;
use festival_records::edition;
use festival_records::entity::{Datum, Entity, Field, Kind, ListedRow, Listing, table};
use festival_records::search_key;
use sqlx::AnyConnection;

/// Maximum number of values shown next to the title of a hit.
const MAX_BESIDE: usize = 2;
/// Number of rows among which the best hits are chosen.
const RANKED: i64 = 50;

/// Finds the records that contain these words, by entity: those of the current edition, and those that belong to none.
pub(crate) async fn search(context: &SearchContext) -> Result<Vec<SearchGroup>> {
    let mut connection = context.site.db.read().await?;
    let edition = edition::find_current(&mut connection).await?.map(|edition| edition.id);
    let mut all = Vec::new();
    for entity in context.site.records.enabled() {
        all.push(search_entity(context, &mut connection, entity, edition).await?);
    }
    Ok(all)
}

async fn search_entity(
    context: &SearchContext,
    connection: &mut AnyConnection,
    entity: &'static Entity,
    edition: Option<i64>,
) -> Result<SearchGroup> {
    let zone = &context.site.time_zone;
    let listing = Listing { edition, search: context.text.clone(), ..Listing::first(RANKED) };
    let mut page = table::list(connection, entity, &listing).await?;
    let words = search_key::keys(&context.text);
    page.rows.sort_by_cached_key(|row| rank(entity, row, &words));
    page.rows.truncate(MAX_HITS.into());
    let columns = cells::columns(entity);
    let beside = |row| {
        let texts = columns[1..].iter().map(|field| cells::text(entity, field, row, zone));
        texts.filter(|text| !text.is_empty()).take(MAX_BESIDE).collect::<Vec<_>>().join(", ")
    };
    let hits = page.rows.iter().map(|row| Hit {
        title: cells::title(entity, row, zone),
        beside: beside(row),
        href: row_path(entity, row.id),
    });
    Ok(SearchGroup {
        label: capitalized(entity.plural),
        hits: hits.collect(),
        total: page.total,
        href: Some(list_address(&home(entity), &context.text)),
        people: None,
    })
}

/// The rank of a hit: the place of the first short text that has all words, as titles come first; of equal places, a text
/// of these words alone precedes longer ones.
fn rank(entity: &Entity, row: &ListedRow, words: &[String]) -> (usize, bool) {
    let rank_in = |place: usize, field: &Field, datum: &Datum| {
        let (Datum::Text(text), Kind::Text { .. }) = (datum, field.kind) else { return None };
        let keys = search_key::keys(text);
        let has = |word: &String| keys.iter().any(|key| key.starts_with(word.as_str()));
        words.iter().all(has).then_some((place, keys != words))
    };
    let mut texts = entity.columns().zip(&row.record).enumerate();
    texts.find_map(|(place, (field, datum))| rank_in(place, field, datum)).unwrap_or((usize::MAX, true))
}
