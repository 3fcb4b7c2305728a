//! Partners and organisers: institutions with a mark and an address.

use festival_core::entity::{Entity, Field, Kind};
use festival_core::{RequestContext, Result};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// What organisers edit about a partner.
pub const PARTNER: Entity = Entity {
    table: "partners",
    singular: "partner",
    plural: "partners",
    fields: &[
        Field::text("name", "Name").required(),
        Field::text("kind", "Kind of support"),
        Field::image("logo", "Mark"),
        Field::new("href", "Address of the website", Kind::Url),
        Field::position(),
        Field::published(),
    ],
    key: &["name"],
    per_edition: true,
};

/// What organisers edit about an organiser.
pub const ORGANISER: Entity = Entity {
    table: "organisers",
    singular: "organiser",
    plural: "organisers",
    fields: &[
        Field::text("name", "Name").required(),
        Field::text("role", "Role"),
        Field::image("logo", "Mark"),
        Field::new("href", "Address of the website", Kind::Url),
        Field::position(),
        Field::published(),
    ],
    key: &["name"],
    per_edition: true,
};

/// A partner as the API says it.
#[derive(Serialize, FromRow, JsonSchema, TS)]
#[ts(export_to = "festivals.ts")]
pub(crate) struct Partner {
    #[ts(type = "number")]
    id: i64,
    name: String,
    /// What it gives: "Principal partner", "Hospitality".
    kind: Option<String>,
    /// Address of the mark.
    logo: Option<String>,
    /// Address of the website.
    href: Option<String>,
}

/// An organiser as the API says it.
#[derive(Serialize, FromRow, JsonSchema, TS)]
#[ts(export_to = "festivals.ts")]
pub(crate) struct Organiser {
    #[ts(type = "number")]
    id: i64,
    name: String,
    /// Its part in the festival.
    role: Option<String>,
    /// Address of the mark.
    logo: Option<String>,
    /// Address of the website.
    href: Option<String>,
}

pub(crate) async fn list_partners(request: RequestContext) -> Result<Vec<Partner>> {
    let edition = request.edition_id().await?;
    let mut connection = request.read().await?;
    let partners: Vec<Partner> = sqlx::query_as(
        "SELECT id, name, kind, logo, href FROM partners \
         WHERE edition_id = $1 AND is_published = 1 ORDER BY position, id",
    )
    .bind(edition)
    .fetch_all(&mut *connection)
    .await?;
    Ok(partners.into_iter().map(|partner| Partner { logo: request.media_url(partner.logo), ..partner }).collect())
}

pub(crate) async fn list_organisers(request: RequestContext) -> Result<Vec<Organiser>> {
    let edition = request.edition_id().await?;
    let mut connection = request.read().await?;
    let organisers: Vec<Organiser> = sqlx::query_as(
        "SELECT id, name, role, logo, href FROM organisers \
         WHERE edition_id = $1 AND is_published = 1 ORDER BY position, id",
    )
    .bind(edition)
    .fetch_all(&mut *connection)
    .await?;
    Ok(organisers
        .into_iter()
        .map(|organiser| Organiser { logo: request.media_url(organiser.logo), ..organiser })
        .collect())
}
