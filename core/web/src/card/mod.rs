//! Cards: the pictures that messengers show of an address, drawn by the server from the same data as the page.
//!
//! A page says what its card shows ([`Page::card`]); the address of the card holds a hash of that, so that it
//! never changes its content and messengers fetch a new one when the data changed.

mod block;
mod canvas;
mod draw;
mod letters;
mod mark;
mod store;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
pub use store::Cards;

use crate::endpoint::RequestContext;
use crate::page::Page;
use festival_base::error::{Error, Result};
use festival_records::edition;

/// The width that messengers ask for.
pub const WIDTH: u32 = 1200;
/// The height that messengers ask for.
pub const HEIGHT: u32 = 630;

/// Raised with every change of how cards look: those that are kept are drawn anew.
const DRAWING: u32 = 3;

/// How a card is composed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
enum Layout {
    /// Words alone.
    Words,
    /// A high picture beside the words.
    Poster,
    /// A wide picture above the words.
    Wide,
    /// The festival's own name.
    Festival,
}

/// What the card of a page shows.
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
    /// A card of words: a title and what else is said.
    pub fn of_words(title: impl Into<String>) -> Self {
        let (above, second, picture) = (None, None, None);
        Self { layout: Layout::Words, above, title: title.into(), second, lines: Vec::new(), picture, tone: None }
    }

    /// The festival's own card: its name and when it is.
    pub fn of_festival() -> Self {
        Self { layout: Layout::Festival, ..Self::of_words("") }
    }

    /// A few words above the title.
    #[must_use]
    pub fn above(mut self, text: impl Into<String>) -> Self {
        self.above = Some(text.into());
        self
    }

    /// The title in the other language.
    #[must_use]
    pub fn second(mut self, text: Option<impl Into<String>>) -> Self {
        self.second = text.map(Into::into);
        self
    }

    /// A line at the foot; the first is the weightiest.
    #[must_use]
    pub fn line(mut self, text: Option<String>) -> Self {
        self.lines.extend(text);
        self
    }

    /// The colours of a section, by its number, where there is no picture: those of its drawn posters.
    #[must_use]
    pub fn tone(mut self, section: i64) -> Self {
        self.tone = usize::try_from(section).ok();
        self
    }

    /// A high picture beside the words, by its key in the public media store.
    #[must_use]
    pub fn poster(mut self, key: Option<String>) -> Self {
        if key.is_some() {
            (self.layout, self.picture) = (Layout::Poster, key);
        }
        self
    }

    /// With its lines as one and without the other language, for where there is little room.
    fn brief(mut self) -> Self {
        self.second = None;
        self.lines = if self.lines.is_empty() { Vec::new() } else { vec![self.lines.join(" · ")] };
        self
    }

    /// A wide picture, where there is none yet: above the words, or in the beam behind the festival's name.
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

/// Whose cards they are.
#[derive(Clone, Debug, Serialize)]
struct Branding {
    name: String,
    full_name: String,
    dates: String,
    ordinal: Option<i64>,
}

/// Everything that is drawn.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SocialCardSpec {
    drawing: u32,
    card: SocialCard,
    branding: Branding,
}

/// What a page's head says of its card.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Meta {
    url: String,
    alt: String,
    width: u32,
    height: u32,
}

impl SocialCardSpec {
    /// What the card of `page` shows. The holes of its path and what its query picks are in `request`.
    pub(crate) async fn of(page: &Page, request: &RequestContext) -> Result<Self> {
        let card = match &page.card {
            Some(card) => card.run(request.clone()).await?,
            None => SocialCard::of_festival(),
        };
        let mut connection = request.read().await?;
        let edition = edition::find_current(&mut connection).await?;
        let product = &request.site.settings.product;
        let branding = Branding {
            name: product.name.clone(),
            full_name: product.full_name.clone(),
            dates: edition
                .as_ref()
                .map_or(String::new(), |edition| edition::dates_text(&edition.starts_on, &edition.ends_on)),
            ordinal: edition.map(|edition| edition.ordinal),
        };
        Ok(Self { drawing: DRAWING, card, branding })
    }

    /// The hash of everything that is drawn.
    pub(crate) fn hash(&self) -> Result<String> {
        let hash = Sha256::digest(serde_json::to_vec(self)?);
        Ok(hash[..8].iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The card's address for the page at `path`: `/cards/<hash>/films/3.jpg?film=12`.
    pub(crate) fn path(&self, page: &Page, path: &str, request: &RequestContext) -> Result<String> {
        let path = if path == "/" { "/index" } else { path.trim_end_matches('/') };
        let query = page.picked(&request.query).map_or(String::new(), |(name, value)| format!("?{name}={value}"));
        Ok(format!("/cards/{}{path}.jpg{query}", self.hash()?))
    }

    /// The card in words.
    fn alt(&self) -> String {
        let (card, branding) = (&self.card, &self.branding);
        let said = [card.above.as_ref(), Some(&card.title), card.second.as_ref()].into_iter().flatten();
        let said =
            said.chain(&card.lines).chain([&branding.full_name, &branding.dates]).filter(|text| !text.is_empty());
        said.cloned().collect::<Vec<_>>().join(" · ")
    }
}

/// What the head of the page at `path` says of its card; nothing where it has none. A card that fails takes no page
/// with it.
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

/// The page whose card has this address, without the mount: `films/3.jpg`.
pub(crate) fn page_path(address: &str) -> Option<String> {
    let path = address.strip_suffix(".jpg")?;
    Some(if path == "index" { "/".to_owned() } else { format!("/{path}") })
}

/// A text that organisers write, as far as a card shows it.
#[derive(Deserialize)]
struct Text {
    title: String,
    image: Option<String>,
}

impl Text {
    async fn find(request: &RequestContext, path: &str) -> Option<Self> {
        let answer = request.site.api(path, &request.base_url).await.ok()?;
        serde_json::from_slice(answer.bytes()).ok()
    }
}

/// The card of a text that organisers write, which the API answers at `path`; `title` where there is none.
pub(crate) async fn of_text(request: &RequestContext, path: &str, title: &str) -> SocialCard {
    match Text::find(request, path).await {
        Some(text) => SocialCard::of_words(text.title).wide(request.media_key(text.image)),
        None => SocialCard::of_words(title),
    }
}

/// The festival's card with the picture of its home page.
pub(crate) async fn of_home(request: &RequestContext) -> SocialCard {
    let picture = Text::find(request, "/pages/home/").await.and_then(|text| request.media_key(text.image));
    SocialCard::of_festival().wide(picture)
}
