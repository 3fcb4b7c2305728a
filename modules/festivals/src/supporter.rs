//! Partners and organisers: institutions with a logo and a website.

use festival_core::entity::{Entity, Field, Kind};
use festival_core::{RequestContext, Result};
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
#[ts(export_to = "festivals.ts")]
pub(crate) struct Partner {
    #[ts(type = "number")]
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
#[ts(export_to = "festivals.ts")]
pub(crate) struct Organiser {
    #[ts(type = "number")]
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

/// `GET /partners/`
pub(crate) async fn list_partners(request: RequestContext) -> Result<Vec<Partner>> {
    let sql = "SELECT id, name, kind, logo, logo_alt, href FROM partners \
         WHERE edition_id = $1 AND is_published = 1 ORDER BY position, id";
    let partners: Vec<Partner> = request.rows_of_edition(sql).await?;
    Ok(partners.into_iter().map(|partner| Partner { logo: request.media_url(partner.logo), ..partner }).collect())
}

/// `GET /organisers/`
pub(crate) async fn list_organisers(request: RequestContext) -> Result<Vec<Organiser>> {
    let sql = "SELECT id, name, role, logo, logo_alt, href FROM organisers \
         WHERE edition_id = $1 AND is_published = 1 ORDER BY position, id";
    let organisers: Vec<Organiser> = request.rows_of_edition(sql).await?;
    Ok(organisers
        .into_iter()
        .map(|organiser| Organiser { logo: request.media_url(organiser.logo), ..organiser })
        .collect())
}
