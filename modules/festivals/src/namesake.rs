//! Namesakes: the people after whom awards are named.

use festival_core::entity::{Entity, Field, Kind};
use festival_core::{RequestContext, Result, html};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// The fields of a namesake that organisers edit.
pub const NAMESAKE: Entity = Entity {
    table: "namesakes",
    singular: "namesake",
    plural: "namesakes",
    fields: &[
        Field::new("slug", "Name in addresses", Kind::Slug)
            .required()
            .hint("Small letters, digits and hyphens, like asha-menon: the biography's place on its page."),
        Field::text("name", "Name").required(),
        Field::text("award", "Award"),
        Field::text("life", "Years of life"),
        Field::new("biography", "Biography", Kind::Html),
        Field::image("portrait", "Portrait"),
        Field::alt("portrait_alt", "Portrait: alternative text"),
        Field::position(),
        Field::published(),
    ],
    key: &["slug"],
    per_edition: true,
};

/// A namesake in the API.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct Namesake {
    id: i64,
    name: String,
    /// The anchor on the page about the festival's name.
    slug: String,
    /// The award that carries the name.
    award: Option<String>,
    /// "1931–2004".
    life: Option<String>,
    /// Sanitised HTML.
    biography: Option<String>,
    /// Address of the portrait.
    portrait: Option<String>,
    /// Alternative text of the portrait.
    portrait_alt: Option<String>,
}

/// `GET /namesakes/`
pub(crate) async fn list_namesakes(request: RequestContext) -> Result<Vec<Namesake>> {
    let namesakes: Vec<Namesake> = request.published(&NAMESAKE).await?;
    let sanitised = |text: Option<String>| text.map(|text| html::sanitise(&text));
    Ok(namesakes.into_iter().map(|it| Namesake { biography: sanitised(it.biography), ..it }).collect())
}
