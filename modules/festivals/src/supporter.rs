//! Partners and organisers: institutions with a logo and a website.

use festival_core::entity::{Entity, Field, Kind};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// The fields of a partner that organisers edit.
pub const PARTNER: Entity = Entity {
    table: "partners",
    singular: "partner",
    plural: "partners",
    fields: &[
        Field::text("name", "Name").required(),
        Field::text("kind", "Kind of support"),
        Field::image("logo", "Mark"),
        Field::alt("logo_alt", "Mark: alternative text"),
        Field::new("href", "Address of the website", Kind::Url),
        Field::position(),
        Field::published(),
    ],
    key: &["name"],
    per_edition: true,
};

/// The fields of an organiser that organisers edit.
pub const ORGANISER: Entity = Entity {
    table: "organisers",
    singular: "organiser",
    plural: "organisers",
    fields: &[
        Field::text("name", "Name").required(),
        Field::text("role", "Role"),
        Field::image("logo", "Mark"),
        Field::alt("logo_alt", "Mark: alternative text"),
        Field::new("href", "Address of the website", Kind::Url),
        Field::position(),
        Field::published(),
    ],
    key: &["name"],
    per_edition: true,
};

/// A partner in the API.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct Partner {
    id: i64,
    name: String,
    /// Kind of support: "Principal partner", "Hospitality".
    kind: Option<String>,
    /// Address of the logo.
    logo: Option<String>,
    /// Alternative text of the logo.
    logo_alt: Option<String>,
    /// Address of the website.
    href: Option<String>,
}

/// An organiser in the API.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct Organiser {
    id: i64,
    name: String,
    /// Its role in the festival.
    role: Option<String>,
    /// Address of the logo.
    logo: Option<String>,
    /// Alternative text of the logo.
    logo_alt: Option<String>,
    /// Address of the website.
    href: Option<String>,
}
