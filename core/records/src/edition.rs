//! Editions of the festival, one for each year; and dates as text.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::{self, TimeZone};
use sqlx::{AnyConnection, FromRow};

use crate::entity::{EDITIONS, Entity, Field, Kind};
use festival_base::db::update_rows;
use festival_base::error::{Error, Result};

/// The description of editions.
pub const EDITION: Entity = Entity {
    table: EDITIONS,
    singular: "edition",
    plural: "editions",
    fields: &[
        Field::new("year", "Year", Kind::Integer { min: 1900, max: 2200 }).required(),
        Field::new("ordinal", "Number of the edition", Kind::Integer { min: 1, max: 500 }).required(),
        Field::text("name", "Name").required(),
        Field::new("starts_on", "First day", Kind::Date).required(),
        Field::new("ends_on", "Last day", Kind::Date).required(),
        Field::new("submission_deadline", "Last day for submissions", Kind::Date),
        Field::new("countdown_at", "The countdown's end", Kind::LocalDateTime),
        Field::text("countdown_label", "What the countdown counts to")
            .placeholder("until submissions close")
            .hint("Shown above the countdown. Empty: “Countdown to the festival”."),
        Field::image("logo", "Logo to download"),
    ],
    key: &["year"],
    per_edition: false,
};

/// An edition.
#[derive(Clone, Debug, FromRow)]
pub struct Edition {
    /// Row id.
    pub id: i64,
    /// Year.
    pub year: i64,
    /// Number of the edition: 20 for the 20th.
    pub ordinal: i64,
    /// Name.
    pub name: String,
    /// First day, `2025-10-24`.
    pub starts_on: String,
    /// Last day.
    pub ends_on: String,
    /// Last day for submissions.
    pub submission_deadline: Option<String>,
    /// The end of the countdown on the visitor's own clock, `2025-09-03T22:00:00`.
    pub countdown_at: Option<String>,
    /// What the countdown counts to: "until submissions close".
    pub countdown_label: Option<String>,
    /// The key of the logo in the public media store.
    pub logo: Option<String>,
}

impl Edition {
    /// The first and the last day.
    pub fn days(&self) -> Option<(Date, Date)> {
        Some((self.starts_on.parse().ok()?, self.ends_on.parse().ok()?))
    }

    /// When the countdown has ended for everybody: it ends on each visitor's own clock, the last of which is twelve
    /// hours behind UTC. `None` without a countdown.
    pub fn countdown_ends_at(&self) -> Option<Timestamp> {
        let end: DateTime = self.countdown_at.as_deref()?.parse().ok()?;
        Some(end.to_zoned(TimeZone::fixed(tz::offset(-12))).ok()?.timestamp())
    }

    /// The line above the countdown: its label, "until submissions close", or what it is.
    pub fn countdown_text(&self) -> &str {
        self.countdown_label.as_deref().filter(|label| !label.is_empty()).unwrap_or("Countdown to the festival")
    }
}

/// A query for [`Edition`]s; the argument follows the table's name.
macro_rules! editions {
    ($rest:literal) => {
        concat!(
            "SELECT id, year, ordinal, name, starts_on, ends_on, submission_deadline, countdown_at, countdown_label, \
             logo FROM editions ",
            $rest
        )
    };
}

/// The current edition.
///
/// # Errors
/// [`Error::NotFound`] before the first edition is seeded.
pub async fn current(connection: &mut AnyConnection) -> Result<Edition> {
    find_current(connection)
        .await?
        .ok_or_else(|| Error::NotFound("There is no edition yet. Run: festival seed config/editions/2025.toml".into()))
}

/// The edition of `year` whose rows of an entity are meant; `None` for an entity without editions.
///
/// # Errors
/// [`Error::NotFound`] if there is no such edition, [`Error::BadRequest`] if the entity has none.
pub async fn of_rows(connection: &mut AnyConnection, entity: &Entity, year: Option<i64>) -> Result<Option<Edition>> {
    if entity.per_edition {
        return chosen(connection, year).await.map(Some);
    }
    match year {
        None => Ok(None),
        Some(_) => Err(Error::BadRequest(format!("{} belong to no edition; leave --edition out", entity.plural))),
    }
}

/// The edition of `year`; by default the current one.
///
/// # Errors
/// [`Error::NotFound`] if there is no such edition.
pub async fn chosen(connection: &mut AnyConnection, year: Option<i64>) -> Result<Edition> {
    let Some(year) = year else { return current(connection).await };
    find_by_year(connection, year)
        .await?
        .ok_or_else(|| Error::NotFound(format!("there is no edition {year}; festival editions list shows all")))
}

/// The current edition, if there is one: the active one, or else the latest that visitors have seen. An edition that was
/// not made current is never chosen by itself.
///
/// # Errors
/// If the database cannot be read.
pub async fn find_current(connection: &mut AnyConnection) -> Result<Option<Edition>> {
    let sql = editions!("WHERE is_current = 1 OR is_public = 1 ORDER BY is_current DESC, year DESC LIMIT 1");
    Ok(sqlx::query_as(sql).fetch_optional(connection).await?)
}

/// The edition of `year`, if there is one.
///
/// # Errors
/// If the database cannot be read.
pub async fn find_by_year(connection: &mut AnyConnection, year: i64) -> Result<Option<Edition>> {
    Ok(sqlx::query_as(editions!("WHERE year = $1")).bind(year).fetch_optional(connection).await?)
}

/// All editions, the latest first.
///
/// # Errors
/// If the database cannot be read.
pub async fn all(connection: &mut AnyConnection) -> Result<Vec<Edition>> {
    Ok(sqlx::query_as(editions!("ORDER BY year DESC")).fetch_all(connection).await?)
}

/// The editions in the archive, the latest first: public ones of years before the current edition's.
///
/// # Errors
/// If the database cannot be read.
pub async fn archived(connection: &mut AnyConnection) -> Result<Vec<Edition>> {
    let Some(current) = find_current(connection).await? else { return Ok(Vec::new()) };
    Ok(sqlx::query_as(editions!("WHERE is_public = 1 AND year < $1 ORDER BY year DESC"))
        .bind(current.year)
        .fetch_all(connection)
        .await?)
}

/// The editions that visitors may see: the current one, and those in the archive.
///
/// # Errors
/// If the database cannot be read.
pub async fn visible(connection: &mut AnyConnection) -> Result<Vec<Edition>> {
    let mut editions = archived(connection).await?;
    editions.extend(find_current(connection).await?);
    Ok(editions)
}

/// The edition of `year`, if it is in the archive.
///
/// # Errors
/// If the database cannot be read.
pub async fn find_archived(connection: &mut AnyConnection, year: i64) -> Result<Option<Edition>> {
    Ok(archived(connection).await?.into_iter().find(|edition| edition.year == year))
}

/// Puts an edition into the archive, or takes it out. It is shown there while a later edition is current.
///
/// # Errors
/// If the database cannot be written.
pub async fn set_public(connection: &mut AnyConnection, id: i64, is_public: bool) -> Result<()> {
    update_rows(connection, EDITION.table, &[("is_public", is_public.into())], &[id]).await
}

/// Makes the edition with this id the current one. It and the previous one become public, so that the archive has them
/// once a later edition is current.
///
/// # Errors
/// If the database cannot be written.
pub async fn activate(connection: &mut AnyConnection, id: i64) -> Result<()> {
    sqlx::query(
        "UPDATE editions SET is_public = CASE WHEN id = $1 OR is_current = 1 THEN 1 ELSE is_public END, \
         is_current = CASE WHEN id = $1 THEN 1 ELSE 0 END",
    )
    .bind(id)
    .execute(connection)
    .await?;
    Ok(())
}

/// A range of days as text: "24 to 31 October 2025", "30 October to 2 November 2025", "30 December 2025 to 2 January
/// 2026".
pub fn dates_text(starts_on: &str, ends_on: &str) -> String {
    let (Ok(first), Ok(last)) = (starts_on.parse::<Date>(), ends_on.parse::<Date>()) else {
        return format!("{starts_on} to {ends_on}");
    };
    let end = last.strftime("%-d %B %Y");
    if first == last {
        end.to_string()
    } else if (first.year(), first.month()) == (last.year(), last.month()) {
        format!("{} to {end}", first.day())
    } else if first.year() == last.year() {
        format!("{} to {end}", first.strftime("%-d %B"))
    } else {
        format!("{} to {end}", first.strftime("%-d %B %Y"))
    }
}

/// A range of days as text without its year: "24 to 31 October"; across years like [`dates_text`].
pub fn days_text(starts_on: &str, ends_on: &str) -> String {
    let text = dates_text(starts_on, ends_on);
    let is_within_a_year = starts_on.get(..4) == ends_on.get(..4);
    match ends_on.get(..4).and_then(|year| text.strip_suffix(year)) {
        Some(days) if is_within_a_year => days.trim_end().to_owned(),
        _ => text,
    }
}

/// A day as text: "1 September 2025".
pub fn day_text(day: &str) -> String {
    format_day(day, "%-d %B %Y")
}

/// A day as text in the American order, which the specification uses for the deadline: "September 1, 2025".
pub fn american_day_text(day: &str) -> String {
    format_day(day, "%B %-d, %Y")
}

fn format_day(day: &str, format: &str) -> String {
    day.parse::<Date>().map_or_else(|_| day.to_owned(), |day| day.strftime(format).to_string())
}

/// An ordinal number: "20th", "21st", "112th".
pub fn ordinal_text(number: i64) -> String {
    let suffix = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_ordinals_read_naturally() {
        assert_eq!(dates_text("2025-10-24", "2025-10-31"), "24 to 31 October 2025");
        assert_eq!(dates_text("2025-10-30", "2025-11-02"), "30 October to 2 November 2025");
        assert_eq!(dates_text("2025-12-30", "2026-01-02"), "30 December 2025 to 2 January 2026");
        assert_eq!(days_text("2025-10-24", "2025-10-31"), "24 to 31 October");
        assert_eq!(days_text("2025-12-30", "2026-01-02"), "30 December 2025 to 2 January 2026");
        assert_eq!(day_text("2025-09-01"), "1 September 2025");
        assert_eq!(american_day_text("2025-09-01"), "September 1, 2025");
        assert_eq!([1, 2, 3, 11, 20, 21, 112].map(ordinal_text).join(" "), "1st 2nd 3rd 11th 20th 21st 112th");
    }
}
