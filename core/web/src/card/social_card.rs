//! The description of a card, provided by a page.

use data_encoding::HEXLOWER;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use festival_base::error::Result;

/// Width of a card in pixels, as messengers recommend.
pub const WIDTH: u32 = 1200;
/// Height of a card in pixels, as messengers recommend.
pub const HEIGHT: u32 = 630;

/// The layout of a card. Names of variants and fields are part of a card's hash, and so of its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) enum Layout {
    /// Text alone.
    Words,
    /// A portrait picture next to the text.
    Poster,
    /// A landscape picture above the text.
    Wide,
    /// The festival's own name.
    Festival,
}

/// Description of a page's social card.
#[must_use]
#[derive(Clone, Debug, Serialize)]
pub struct SocialCard {
    pub(super) layout: Layout,
    pub(super) above: Option<String>,
    pub(super) title: String,
    pub(super) second: Option<String>,
    pub(super) lines: Vec<String>,
    pub(super) picture: Option<String>,
    pub(super) tone: Option<usize>,
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
    pub fn above(mut self, text: impl Into<String>) -> Self {
        self.above = Some(text.into());
        self
    }

    /// Sets the title in the other language.
    pub fn second(mut self, text: Option<impl Into<String>>) -> Self {
        self.second = text.map(Into::into);
        self
    }

    /// Adds a line at the bottom; the first one is the most prominent.
    pub fn line(mut self, text: Option<String>) -> Self {
        self.lines.extend(text);
        self
    }

    /// Uses the colours of a section, by its number, while the card has no picture: those of the section's drawn
    /// posters.
    pub fn tone(mut self, section: i64) -> Self {
        self.tone = usize::try_from(section).ok();
        self
    }

    /// Sets a portrait picture next to the text, by its key in the public media store.
    pub fn poster(mut self, key: Option<String>) -> Self {
        if key.is_some() {
            (self.layout, self.picture) = (Layout::Poster, key);
        }
        self
    }

    /// Joins the lines into one and drops the title in the other language, for layouts with little space.
    pub(super) fn condensed(mut self) -> Self {
        self.second = None;
        self.lines = if self.lines.is_empty() { Vec::new() } else { vec![self.lines.join(" · ")] };
        self
    }

    /// Sets a landscape picture by its key in the public media store, if the card has no picture yet: above the text,
    /// or behind the festival's name.
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

/// Version of the drawing code. Raise it with every visible change, so that stored cards are drawn again.
const DRAWING_VERSION: u32 = 4;

/// The facts about the festival that all cards show.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Branding {
    pub(super) name: String,
    pub(super) full_name: String,
    pub(super) dates: String,
    pub(super) ordinal: Option<i64>,
}

/// Everything that determines how a card looks.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SocialCardSpec {
    pub(super) drawing: u32,
    pub(super) card: SocialCard,
    pub(super) branding: Branding,
}

impl SocialCardSpec {
    /// Computes the spec of a card.
    pub(super) fn new(card: SocialCard, branding: Branding) -> Self {
        Self { drawing: DRAWING_VERSION, card, branding }
    }

    /// Returns a hash of everything that is drawn, in hexadecimal.
    pub(crate) fn hash(&self) -> Result<String> {
        let hash = Sha256::digest(serde_json::to_vec(self)?);
        Ok(HEXLOWER.encode(&hash[..8]))
    }

    /// Returns the alternative text.
    pub(super) fn alt(&self) -> String {
        let (card, branding) = (&self.card, &self.branding);
        let texts = [card.above.as_ref(), Some(&card.title), card.second.as_ref()].into_iter().flatten();
        let texts =
            texts.chain(&card.lines).chain([&branding.full_name, &branding.dates]).filter(|text| !text.is_empty());
        texts.cloned().collect::<Vec<_>>().join(" · ")
    }
}
