//! A list in the search over everything.

use super::Collection;
use crate::search::{Hit, MAX_HITS, SearchContext, SearchGroup, list_address};
use crate::serving::frame::capitalized;
use festival_base::error::Result;
use festival_records::search_key;

/// Number of rows among which the best hits are chosen.
const RANKED: i64 = 50;

/// The rows of a list with the words of a search: those of an edition, or of all.
///
/// # Errors
/// If the database cannot be read.
pub async fn find(context: &SearchContext, collection: &impl Collection, edition: Option<i64>) -> Result<SearchGroup> {
    let (entity, viewer) = (collection.entity(), context.viewer());
    let mut connection = context.site.db.read().await?;
    let select = collection.select(&mut connection, &collection.scope(viewer), edition).await?;
    let select = collection.search(viewer, &mut connection, select, &context.text).await?.select;
    let order = collection.default_order();
    let mut rows = collection.read(viewer, &mut connection, (&select, &order), (0, RANKED), None).await?;
    // If there are few matches, there is no second search to count them.
    let total = match rows.len() as i64 {
        length if length < RANKED => length,
        _ => select.count(&mut connection).await?,
    };
    let words = search_key::keys(&context.text);
    rows.sort_by_cached_key(|row| collection.rank(row, &words));
    rows.truncate(MAX_HITS.into());
    let hit = |row| {
        let heading = collection.heading(viewer, row);
        Hit { title: heading.title, beside: collection.distinction(viewer, row), href: heading.href }
    };
    Ok(SearchGroup {
        label: capitalized(entity.plural),
        hits: rows.iter().map(hit).collect(),
        total,
        href: Some(list_address(&collection.path(), &context.text)),
        people: collection.resource().is_personal().then_some(entity.table),
    })
}
