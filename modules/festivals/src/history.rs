//! The festival's history: one row for each year, independent of editions.

use festival_core::edition::{self, ordinal_text};
use festival_core::entity::{Entity, Field, Kind};
use festival_core::site::Archive;
use festival_core::{RequestContext, Result};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// The fields of a past year that organisers edit.
///
/// The dates are text, not days: some years have none, and moving the dates of a demonstration must not move the past.
pub const HISTORY_YEAR: Entity = Entity {
    table: "history_years",
    singular: "year",
    plural: "history",
    fields: &[
        Field::new("year", "Year", Kind::Integer { min: 1900, max: 2200 }).required(),
        Field::new("ordinal", "Number of the edition", Kind::Integer { min: 1, max: 500 }),
        Field::text("dates", "Dates"),
        Field::text("venue", "Venue"),
        Field::text("director", "Festival director"),
        Field::text("chair", "Chair"),
        Field::published(),
    ],
    key: &["year"],
    per_edition: false,
};

/// A year of the festival's history in the API.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct HistoryYear {
    id: i64,
    year: i64,
    /// Ordinal of the edition: "7th"; null if the festival was not held.
    #[sqlx(skip)]
    edition: Option<String>,
    /// "12 to 18 December".
    dates: Option<String>,
    venue: Option<String>,
    /// The festival director.
    director: Option<String>,
    chair: Option<String>,
    /// Address of the edition in the archive; null if it is not there.
    #[sqlx(skip)]
    archive: Option<String>,
}

#[derive(FromRow)]
struct HistoryRow {
    ordinal: Option<i64>,
    #[sqlx(flatten)]
    year: HistoryYear,
}

/// `GET /history/`
pub(crate) async fn list_years(request: RequestContext) -> Result<Vec<HistoryYear>> {
    let mut connection = request.read().await?;
    let rows: Vec<HistoryRow> = sqlx::query_as(
        "SELECT id, year, ordinal, dates, venue, director, chair FROM history_years \
         WHERE is_published = 1 ORDER BY year",
    )
    .fetch_all(&mut *connection)
    .await?;
    let archived = edition::archived(&mut connection).await?;
    let address = |year: i64| format!("{}{}", request.root_url(), Archive::of(year).path);
    // Archived editions that nobody has written about are listed as well.
    let unwritten = archived.iter().filter(|edition| rows.iter().all(|row| row.year.year != edition.year));
    let unwritten: Vec<HistoryYear> = unwritten
        .map(|edition| HistoryYear {
            id: -edition.year, // Ids of rows are positive.
            year: edition.year,
            edition: Some(ordinal_text(edition.ordinal)),
            dates: Some(edition::days_text(&edition.starts_on, &edition.ends_on)),
            venue: None,
            director: None,
            chair: None,
            archive: Some(address(edition.year)),
        })
        .collect();
    let mut years: Vec<HistoryYear> = rows
        .into_iter()
        .map(|HistoryRow { ordinal, year }| HistoryYear {
            archive: archived.iter().any(|edition| edition.year == year.year).then(|| address(year.year)),
            edition: ordinal.map(ordinal_text),
            ..year
        })
        .chain(unwritten)
        .collect();
    years.sort_by_key(|year| year.year);
    Ok(years)
}
