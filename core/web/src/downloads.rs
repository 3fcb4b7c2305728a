//! Documents to download: rules, schedules, programmes of earlier years.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::{AnyConnection, FromRow};
use ts_rs::TS;

use crate::site::RequestContext;
use crate::site::Site;
use festival_base::error::Result;
use festival_base::size_text;
use festival_records::edition;
use festival_records::entity::{Entity, Field, Kind};

/// What organisers edit about a document.
pub const DOCUMENT: Entity = Entity {
    table: "documents",
    singular: "document",
    plural: "documents",
    fields: &[
        Field::new("slug", "Name in links", Kind::Slug)
            .required()
            .hint("Menus and pages link to it as document:name, for instance document:rules-asian."),
        Field::text("title", "Title").required(),
        Field::text("pages", "Pages that show it")
            .hint("Their paths, with blanks between them: /isff-2025 /form-asian"),
        Field::new("file", "PDF", Kind::Document),
        Field::new("href", "Address elsewhere", Kind::Url).hint("Where the document is not kept here."),
        Field::position(),
        Field::published(),
    ],
    key: &["slug"],
    per_edition: true,
};

/// A document to link to.
#[derive(Clone, Serialize, JsonSchema, TS)]
pub(crate) struct SiteDocument {
    /// The name that links use.
    pub(crate) key: String,
    pub(crate) label: String,
    /// Where it is.
    pub(crate) href: String,
    /// "340 kB"; null for a document elsewhere.
    size_text: Option<String>,
}

/// A document and the pages that show it.
pub(crate) struct PlacedDocument {
    /// Paths of the pages.
    pub(crate) pages: Vec<String>,
    /// The part that the pages show.
    pub(crate) document: SiteDocument,
}

#[derive(FromRow)]
struct StoredDocument {
    slug: String,
    title: String,
    pages: Option<String>,
    file: Option<String>,
    href: Option<String>,
}

impl StoredDocument {
    fn paths(&self) -> impl Iterator<Item = &str> {
        self.pages.iter().flat_map(|pages| pages.split_whitespace())
    }
}

async fn rows(connection: &mut AnyConnection, edition: i64) -> Result<Vec<StoredDocument>> {
    Ok(sqlx::query_as(
        "SELECT slug, title, pages, file, href FROM documents \
         WHERE edition_id = $1 AND is_published = 1 ORDER BY position, id",
    )
    .bind(edition)
    .fetch_all(connection)
    .await?)
}

/// Lists the published documents of an edition that have a file or an address; others cannot be linked to.
pub(crate) async fn list(
    request: &RequestContext,
    connection: &mut AnyConnection,
    edition: i64,
) -> Result<Vec<PlacedDocument>> {
    let mut documents = Vec::new();
    for row in rows(connection, edition).await? {
        let size_text = match &row.file {
            Some(key) => request.site.media.public_length(key).await.ok().map(size_text::size),
            None => None,
        };
        let pages = row.paths().map(str::to_owned).collect();
        let Some(href) = request.media_url(row.file).or(row.href) else { continue };
        documents.push(PlacedDocument {
            pages,
            document: SiteDocument { key: row.slug, label: row.title, href, size_text },
        });
    }
    Ok(documents)
}

/// Returns the names of the documents of the current edition that can be linked to.
pub(crate) async fn names(site: &Site) -> Result<Vec<String>> {
    let mut connection = site.db.read().await?;
    let Some(edition) = edition::find_current(&mut connection).await? else { return Ok(Vec::new()) };
    let rows = rows(&mut connection, edition.id).await?.into_iter();
    Ok(rows.filter(|row| row.file.is_some() || row.href.is_some()).map(|row| row.slug).collect())
}

/// Groups the documents by the page that shows them.
pub(crate) fn group_by_page(documents: &[PlacedDocument]) -> BTreeMap<String, Vec<SiteDocument>> {
    let mut pages: BTreeMap<String, Vec<SiteDocument>> = BTreeMap::new();
    for placed in documents {
        for page in &placed.pages {
            pages.entry(page.clone()).or_default().push(placed.document.clone());
        }
    }
    pages
}

/// Returns warnings about documents: pages that expect one and show none (W001), and documents on pages that do not
/// exist (W002).
///
/// # Errors
/// If the database cannot be read.
pub async fn warnings(site: &Site) -> Result<Vec<String>> {
    let mut connection = site.db.read().await?;
    let Some(edition) = edition::find_current(&mut connection).await? else { return Ok(Vec::new()) };
    let rows = rows(&mut connection, edition.id).await?;
    let served = |path: &str| site.contents.page_at(path).is_some();
    let placed: Vec<(&str, &StoredDocument)> =
        rows.iter().flat_map(|row| row.paths().map(move |path| (path, row))).collect();
    let linked = |path: &str| placed.iter().any(|(at, row)| *at == path && (row.file.is_some() || row.href.is_some()));
    let mut warnings = Vec::new();
    let expecting = site.contents.pages.iter().filter(|page| page.expects_document);
    for path in expecting.map(|page| page.path.for_openapi()).filter(|path| !linked(path)) {
        warnings.push(format!("W001: {path} links to no rules; add {path} to the pages of a document with a PDF"));
    }
    for (path, row) in placed.iter().filter(|(path, _)| !served(path)) {
        warnings.push(format!("W002: the document \"{}\" is assigned to {path}, which is not a page", row.slug));
    }
    Ok(warnings)
}
