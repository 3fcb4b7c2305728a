//! The jury book: the entries of the chair's list with their synopses, to be printed.

use festival_core::Result;
use festival_core::admin::collections::ListQuery;
use festival_core::admin::{AdminRequest, Reply};
use serde_json::{Value, json};
use sqlx::FromRow;

use crate::list::{EntryList, HOME};
use crate::outline::{FILM_SUBMISSION, award_name};

pub(crate) const BOOK: &str = "/admin/selection-book";

/// Most entries of a book.
const MAX_ENTRIES: i64 = 2_000;

/// What the book says of an entry.
#[derive(FromRow)]
struct Page {
    reference: String,
    title_english: String,
    title_original: String,
    director_name: String,
    award_category: String,
    country_of_origin: String,
    film_language: String,
    duration_minutes: Option<i64>,
    synopsis_short: String,
}

/// Handles `GET`: the entries of the query of the list, in its order.
pub(crate) async fn show(request: AdminRequest) -> Result<Reply> {
    let list = EntryList::of(&request).await?;
    let mut connection = request.read().await?;
    let query = ListQuery::read(&request, &mut connection, &list).await?;
    let rows = query.select.slice(&mut connection, &query.order, (0, MAX_ENTRIES), None).await?;
    let mut pages: Vec<Value> = Vec::new();
    for (id, _) in &rows {
        let page: Option<Page> = sqlx::query_as(
            "SELECT reference, title_english, title_original, director_name, award_category, country_of_origin, \
             film_language, duration_minutes, synopsis_short FROM film_submissions WHERE id = $1",
        )
        .bind(*id)
        .fetch_optional(&mut *connection)
        .await?;
        pages.extend(page.map(|page| {
            let minutes = page.duration_minutes.map_or(String::new(), |minutes| format!("{minutes} min"));
            let facts = [&page.country_of_origin, &page.film_language, &minutes, award_name(&page.award_category)];
            let facts: Vec<&str> =
                facts.into_iter().map(AsRef::as_ref).filter(|fact: &&str| !fact.is_empty()).collect();
            json!({
                "reference": page.reference, "title": page.title_english, "original": page.title_original,
                "director": page.director_name, "facts": facts.join(" · "), "synopsis": page.synopsis_short,
            })
        }));
    }
    drop(connection);
    let year = query.year().to_owned();
    Ok(Reply::page("selection-book", format!("Jury book {year}"))
        .crumb("Entries", request.address(HOME, &[]))
        .with("pages", &pages)
        .lists_people(FILM_SUBMISSION.table, pages.len(), query.for_audit())
        .into())
}
