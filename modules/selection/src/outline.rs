//! What this module knows about the rows of another module: submitted films, by the names of table and columns.

use festival_core::Result;
use festival_core::entity::{Entity, Field};
use festival_core::secrets::SecretColumn;
use serde::{Serialize, Serializer};
use sqlx::{AnyConnection, FromRow};

/// A submitted film.
pub(crate) const FILM_SUBMISSION: Entity = Entity {
    table: "film_submissions",
    singular: "entry",
    plural: "entries",
    fields: &[
        Field::text("title_english", "Title"),
        Field::text("reference", "Reference"),
        Field::text("title_original", "Original title"),
        Field::text("award_category", "Award"),
        Field::text("status", "Status"),
        Field::text("film_language", "Language"),
        Field::text("country_of_origin", "Country"),
    ],
    key: &["reference"],
    per_edition: true,
};

/// A submitted film, for rows that refer to one. Records are seen by accounts that may not see submissions, so nothing
/// but title and reference number is read.
pub(crate) const REFERENCE: Entity = Entity {
    fields: &[Field::text("title_english", "Title"), Field::text("reference", "Reference")],
    ..FILM_SUBMISSION
};

/// The awards that films are submitted for: key and name.
pub(crate) const AWARDS: &[(&str, &str)] =
    &[("asian", "Asian Cinema"), ("indian", "Indian Cinema"), ("malayalam", "Malayalam Cinema")];

/// The name of an award; `None` if it is not known.
pub(crate) fn find_award(key: &str) -> Option<&'static str> {
    AWARDS.iter().find(|(award, _)| *award == key).map(|(_, name)| *name)
}

/// The name of an award for people.
pub(crate) fn award_name(key: &str) -> &'static str {
    find_award(key).unwrap_or("not known")
}

/// Writes the name of an award in place of its key.
pub(crate) fn by_name<S: Serializer>(key: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(award_name(key))
}

/// The column with the encrypted passwords of screeners, as the module of the forms declares it.
pub(crate) static SCREENER_PASSWORDS: SecretColumn = SecretColumn {
    table: "film_submissions",
    column: "screener_link_password",
    row: "reference",
    what: "passwords of screeners",
    remedy: "Ask the senders for them again.",
};

/// SQL: entry `f` can be selected: it was sent by a person and neither withdrawn nor erased.
macro_rules! is_entry {
    () => {
        "f.is_quarantined = 0 AND f.status NOT IN ('withdrawn', 'apart', 'erased')"
    };
}

/// SQL: the title of entry `f`, or the reference number of one without a title.
macro_rules! title {
    () => {
        "coalesce(nullif(f.title_english, ''), nullif(f.title_original, ''), f.reference)"
    };
}

pub(crate) use {is_entry, title};

/// A submitted film, as the chair sees it.
#[derive(FromRow, Serialize)]
pub(crate) struct Film {
    pub(crate) id: i64,
    pub(crate) edition_id: i64,
    pub(crate) reference: String,
    pub(crate) title: String,
    title_original: String,
    #[serde(serialize_with = "by_name")]
    pub(crate) award_category: String,
    film_type: String,
    film_language: String,
    country_of_origin: String,
    duration_minutes: Option<i64>,
    director_name: String,
    producer_name: String,
    cast_and_crew: String,
    synopsis_short: String,
    synopsis_long: String,
}

impl Film {
    /// The entry `id`, and those of an edition; 0 stands for none.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub(crate) async fn read(connection: &mut AnyConnection, id: i64, edition: i64) -> Result<Vec<Self>> {
        const SQL: &str = concat!(
            "SELECT f.id, f.edition_id, f.reference, ",
            title!(),
            " AS title, f.title_original, f.award_category, f.film_type, f.film_language, f.country_of_origin, \
             f.duration_minutes, f.director_name, f.producer_name, f.cast_and_crew, f.synopsis_short, f.synopsis_long \
             FROM film_submissions f WHERE f.id = $1 OR f.edition_id = $2 ORDER BY f.id"
        );
        Ok(sqlx::query_as(SQL).bind(id).bind(edition).fetch_all(connection).await?)
    }

    /// The names of people that occur in its synopses.
    pub(crate) fn names_in_synopses(&self) -> Vec<String> {
        let text = format!("{}\n{}", self.synopsis_short, self.synopsis_long);
        crate::names::in_text(&text, &[&self.director_name, &self.producer_name], &self.cast_and_crew)
    }
}
