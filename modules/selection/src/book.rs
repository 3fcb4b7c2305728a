//! The jury book: the entries of the chair's list with their synopses, to be printed.

use std::collections::BTreeMap;

use festival_core::Result;
use festival_core::admin::collections::ListQuery;
use festival_core::admin::{AdminRequest, Reply};

use crate::list::{EntryList, HOME};
use crate::outline::{FILM_SUBMISSION, Film};

pub(crate) const BOOK: &str = "/admin/selection-book";

/// Most entries of a book.
const MAX_ENTRIES: i64 = 2_000;

/// Handles `GET`: the entries of the query of the list, in its order.
pub(crate) async fn show(request: AdminRequest) -> Result<Reply> {
    let list = EntryList::of(&request).await?;
    let mut connection = request.read().await?;
    let query = ListQuery::read(&request, &mut connection, &list).await?;
    let rows = query.select.slice(&mut connection, &query.order, (0, MAX_ENTRIES), None).await?;
    let edition = query.edition.as_ref().map_or(0, |edition| edition.id);
    let films = Film::read(&mut connection, 0, edition).await?.into_iter();
    let mut films: BTreeMap<i64, Film> = films.map(|film| (film.id, film)).collect();
    let pages: Vec<Film> = rows.iter().filter_map(|(id, _)| films.remove(id)).collect();
    Ok(Reply::page("selection-book", format!("Jury book {}", query.year()))
        .crumb("Entries", request.address(HOME, &[]))
        .with("pages", &pages)
        .lists_people(FILM_SUBMISSION.table, pages.len(), query.for_audit())
        .into())
}
