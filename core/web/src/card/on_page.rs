//! The card of a page: its content, its address, and its metadata in the page's `<head>`.

use serde::{Deserialize, Serialize};

use super::social_card::{Branding, SocialCardSpec};
use super::social_card::{HEIGHT, SocialCard, WIDTH};
use crate::site::{Page, RequestContext};
use festival_base::error::{Error, Result};
use festival_records::edition;

/// The card in the page's `<head>`, for `og:image` and the like.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Meta {
    url: String,
    alt: String,
    width: u32,
    height: u32,
}

impl SocialCardSpec {
    /// Computes the spec of a page's card.
    ///
    /// # Errors
    /// Those of the page's card function, [`Error::NotFound`] where the page has no card.
    pub(crate) async fn of(page: &Page, request: &RequestContext) -> Result<Self> {
        let card = match &page.card {
            Some(card) => card.call(request.clone()).await?,
            None => SocialCard::festival(),
        };
        let mut connection = request.read().await?;
        let edition = request.site.edition(&mut connection).await?;
        let product = &request.site.settings.product;
        let branding = Branding {
            name: product.name.clone(),
            full_name: product.full_name.clone(),
            dates: edition
                .as_ref()
                .map_or(String::new(), |edition| edition::dates_text(&edition.starts_on, &edition.ends_on)),
            ordinal: edition.map(|edition| edition.ordinal),
        };
        Ok(Self::new(card, branding))
    }

    /// Returns the address of the card for the page at `path`: `/cards/<hash>/films/3.jpg?film=12`.
    pub(crate) fn path(&self, page: &Page, path: &str, request: &RequestContext) -> Result<String> {
        let path = if path == "/" { "/index" } else { path.trim_end_matches('/') };
        let query =
            page.selected_record(&request.query).map_or(String::new(), |(name, value)| format!("?{name}={value}"));
        Ok(format!("/cards/{}{path}.jpg{query}", self.hash()?))
    }
}

/// Returns the metadata of the card for the page at `path`; none if it has no card. A card that fails is logged, and
/// the page goes without.
pub(crate) async fn meta(page: &Page, path: &str, request: RequestContext) -> Option<Meta> {
    let spec = match SocialCardSpec::of(page, &request).await {
        Ok(spec) => spec,
        Err(error) => {
            if matches!(error, Error::Internal(_)) {
                tracing::error!(path, cause = error.for_terminal(), "the card of a page failed");
            }
            return None;
        }
    };
    let address = spec.path(page, path, &request).ok()?;
    Some(Meta { url: format!("{}{address}", request.base_url), alt: spec.alt(), width: WIDTH, height: HEIGHT })
}

/// Returns the path of the page that a card's address is for, without the mount and hash: `/films/3` for `films/3.jpg`.
pub(crate) fn page_path(address: &str) -> Option<String> {
    let path = address.strip_suffix(".jpg")?;
    Some(if path == "index" { "/".to_owned() } else { format!("/{path}") })
}

/// The parts of an editable text that a card shows.
#[derive(Deserialize)]
struct TextSummary {
    title: String,
    image: Option<String>,
}

impl TextSummary {
    async fn find(request: &RequestContext, path: &str) -> Option<Self> {
        let answer = request.site.api(path, &request.base_url).await.ok()?;
        serde_json::from_slice(answer.bytes()).ok()
    }
}

/// Returns the card of the editable text at `path` in the API, or one with `title` if there is no text.
pub(crate) async fn for_text(request: &RequestContext, path: &str, title: &str) -> SocialCard {
    match TextSummary::find(request, path).await {
        Some(text) => SocialCard::new(text.title).wide(request.media_key(text.image)),
        None => SocialCard::new(title),
    }
}

/// Returns the festival's card with the picture of the home page.
pub(crate) async fn for_home_page(request: &RequestContext) -> SocialCard {
    let picture = TextSummary::find(request, "/pages/home/").await.and_then(|text| request.media_key(text.image));
    SocialCard::festival().wide(picture)
}

impl Page {
    /// Sets a social card with title and picture of the text at `path` in the API; `title` if there is no text.
    pub fn shows_text(self, path: &'static str, title: &'static str) -> Self {
        self.card(move |request| async move { Ok(for_text(&request, path, title).await) })
    }
}
