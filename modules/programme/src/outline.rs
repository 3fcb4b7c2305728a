//! What this module knows about the rows of another module: films and their sections, by the names of table and fields.
//!
//! A module depends on no other one. It describes the rows that it refers to, and the registry checks at start that a
//! module that is switched on registers them with these fields.

use festival_core::entity::{Entity, Field, Kind};

/// A section of the festival.
pub(crate) const CATEGORY: Entity = Entity {
    table: "categories",
    singular: "section",
    plural: "sections",
    fields: &[NUMBER, Field::text("name", "Name"), Field::position(), Field::published()],
    key: &["id"],
    per_edition: true,
};

/// A film. Its title is not unique, so it is referred to by its number.
pub(crate) const FILM: Entity = Entity {
    table: "films",
    singular: "film",
    plural: "films",
    fields: &[
        NUMBER,
        Field::text("name", "Title"),
        Field::text("original_title", "Original title"),
        Field::new("category", "Category", Kind::Reference(&CATEGORY)),
        Field::text("director_name", "Director"),
        Field::lines("synopsis", "Synopsis"),
        Field::new("year", "Year", Kind::Integer { min: 1880, max: 2200 }),
        Field::text("country", "Country"),
        Field::text("language", "Language"),
        Field::new("duration_minutes", "Running time in minutes", Kind::Integer { min: 1, max: 2000 }),
        Field::image("poster", "Poster"),
        Field::alt("poster_alt", "Poster: alternative text"),
        Field::published(),
    ],
    key: &["id"],
    per_edition: true,
};

/// A screening, for the rows that refer to one: by its code where it has one.
pub(crate) const SCREENING: Entity = Entity {
    table: "screenings",
    singular: "screening",
    plural: "screenings",
    fields: &[NUMBER, Field::text("code", "Code")],
    key: &["id"],
    per_edition: true,
};

const NUMBER: Field = Field::new("id", "Number", Kind::Integer { min: 1, max: i64::MAX });
