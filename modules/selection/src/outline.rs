//! What this module knows about the rows of another module: submitted films, by the names of table and columns.

use festival_core::entity::{Entity, Field};
use festival_core::secrets::SecretColumn;

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
/// but the reference number is read.
pub(crate) const REFERENCE: Entity = Entity { fields: &[Field::text("reference", "Reference")], ..FILM_SUBMISSION };

/// The awards that films are submitted for: key and name.
pub(crate) const AWARDS: &[(&str, &str)] =
    &[("asian", "Asian Cinema"), ("indian", "Indian Cinema"), ("malayalam", "Malayalam Cinema")];

/// The name of an award.
pub(crate) fn award_name(key: &str) -> &'static str {
    AWARDS.iter().find(|(award, _)| *award == key).map_or("not known", |(_, name)| name)
}

/// The column with the encrypted passwords of screeners, as the module of the forms declares it.
pub(crate) static SCREENER_PASSWORDS: SecretColumn = SecretColumn {
    table: "film_submissions",
    column: "screener_link_password",
    row: "reference",
    what: "passwords of screeners",
    remedy: "Ask the senders for them again.",
};
