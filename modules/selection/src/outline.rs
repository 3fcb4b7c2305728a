//! What this module knows about the rows of another module: submitted films, by the names of table and columns.

use festival_core::entity::{Entity, Field};

/// A submitted film. It is referred to by its reference number.
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

/// The awards that films are submitted for: key and name.
pub(crate) const AWARDS: &[(&str, &str)] =
    &[("asian", "Asian Cinema"), ("indian", "Indian Cinema"), ("malayalam", "Malayalam Cinema")];
