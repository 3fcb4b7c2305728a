//! Social cards: the preview pictures of pages in messengers, drawn by the server from the same data as the page.
//!
//! A page describes its card ([`Page::card`]). The card's address contains a hash of everything that is drawn, so its
//! content never changes, and messengers fetch a new card when the data has changed.

mod block;
mod canvas;
mod draw;
mod shaping;
mod store;
#[cfg(test)]
mod tests;
mod wordmark;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
pub use store::Cards;

use crate::endpoint::RequestContext;
use crate::page::Page;
use festival_base::error::{Error, Result};
use festival_records::edition;

/// Width of a card in pixels, as messengers recommend.
pub const WIDTH: u32 = 1200;
/// Height of a card in pixels, as messengers recommend.
pub const HEIGHT: u32 = 630;

/// Version of the drawing code. Raise it with every visible change, so that stored cards are drawn again.
const DRAWING_VERSION: u32 = 3;

/// The layout of a card. Names of variants and fields are part of a card's hash, and so of its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
enum Layout {
    /// Text alone.
    Words,
    /// A portrait picture beside the text.
    Poster,
    /// A landscape picture above the text.
    Wide,
    /// The festival's own name.
    Festival,
}

/// Description of a page's social card.
#[derive(Clone, Debug, Serialize)]
pub struct SocialCard {
    layout: Layout,
    above: Option<String>,
    title: String,
    second: Option<String>,
    lines: Vec<String>,
    picture: Option<String>,
    tone: Option<usize>,
}

impl SocialCard {
    /// A card of text with this title.
    pub fn new(title: impl Into<String>) -> Self {
        let (above, second, picture) = (None, None, None);
        Self { layout: Layout::Words, above, title: title.into(), second, lines: Vec::new(), picture, tone: None }
    }

    /// The festival's own card: its name and dates.
    pub fn festival() -> Self {
        Self { layout: Layout::Festival, ..Self::new("") }
    }

    /// Sets a short text above the title.
    #[must_use]
    pub fn above(mut self, text: impl Into<String>) -> Self {
        self.above = Some(text.into());
        self
    }

    /// Sets the title in the other language.
    #[must_use]
    pub fn second(mut self, text: Option<impl Into<String>>) -> Self {
        self.second = text.map(Into::into);
        self
    }

    /// Adds a line at the bottom; the first one is the most prominent.
    #[must_use]
    pub fn line(mut self, text: Option<String>) -> Self {
        self.lines.extend(text);
        self
    }

    /// Uses the colours of a section, by its number, while the card has no picture: those of the section's drawn
    /// posters.
    #[must_use]
    pub fn tone(mut self, section: i64) -> Self {
        self.tone = usize::try_from(section).ok();
        self
    }

    /// Sets a portrait picture beside the text, by its key in the public media store.
    #[must_use]
    pub fn poster(mut self, key: Option<String>) -> Self {
        if key.is_some() {
            (self.layout, self.picture) = (Layout::Poster, key);
        }
        self
    }

    /// Joins the lines into one and drops the title in the other language, for layouts with little space.
    fn condensed(mut self) -> Self {
        self.second = None;
        self.lines = if self.lines.is_empty() { Vec::new() } else { vec![self.lines.join(" · ")] };
        self
    }

    /// Sets a landscape picture by its key in the public media store, if the card has no picture yet: above the text,
    /// or behind the festival's name.
    #[must_use]
    pub fn wide(mut self, key: Option<String>) -> Self {
        if self.picture.is_none() && key.is_some() {
            if self.layout == Layout::Words {
                self.layout = Layout::Wide;
            }
            self.picture = key;
        }
        self
    }
}

/// What all cards show of the festival.
#[derive(Clone, Debug, Serialize)]
struct Branding {
    name: String,
    full_name: String,
    dates: String,
    ordinal: Option<i64>,
}

/// Everything that determines how a card looks.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SocialCardSpec {
    drawing: u32,
    card: SocialCard,
    branding: Branding,
}

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
        Ok(Self { drawing: DRAWING_VERSION, card, branding })
    }

    /// Returns a hash of everything that is drawn, in hexadecimal.
    pub(crate) fn hash(&self) -> Result<String> {
        let hash = Sha256::digest(serde_json::to_vec(self)?);
        Ok(HEXLOWER.encode(&hash[..8]))
    }

    /// Returns the address of the card for the page at `path`: `/cards/<hash>/films/3.jpg?film=12`.
    pub(crate) fn path(&self, page: &Page, path: &str, request: &RequestContext) -> Result<String> {
        let path = if path == "/" { "/index" } else { path.trim_end_matches('/') };
        let query = page.picked(&request.query).map_or(String::new(), |(name, value)| format!("?{name}={value}"));
        Ok(format!("/cards/{}{path}.jpg{query}", self.hash()?))
    }

    /// Returns the alternative text.
    fn alt(&self) -> String {
        let (card, branding) = (&self.card, &self.branding);
        let texts = [card.above.as_ref(), Some(&card.title), card.second.as_ref()].into_iter().flatten();
        let texts =
            texts.chain(&card.lines).chain([&branding.full_name, &branding.dates]).filter(|text| !text.is_empty());
        texts.cloned().collect::<Vec<_>>().join(" · ")
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

/// What a card shows of an editable text.
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
