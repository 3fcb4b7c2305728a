//! Everything that determines how a card looks, and so its address.

use data_encoding::HEXLOWER;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::social_card::SocialCard;
use festival_base::error::Result;

/// Version of the drawing code. Raise it with every visible change, so that stored cards are drawn again.
const DRAWING_VERSION: u32 = 3;

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
