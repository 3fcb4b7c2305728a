//! Social cards: the preview pictures of pages in messengers, drawn by the server from the same data as the page.
//!
//! A page describes its card ([`Page::card`](crate::page::Page::card)). The card's address contains a hash of
//! everything that is drawn, so its content never changes, and messengers fetch a new card when the data has changed.

mod block;
mod canvas;
mod draw;
mod on_page;
mod shaping;
mod social_card;
mod store;
#[cfg(test)]
mod tests;

pub(crate) use on_page::{Meta, for_home_page, meta, page_path};
pub(crate) use social_card::SocialCardSpec;
pub use social_card::{HEIGHT, SocialCard, WIDTH};
pub use store::Cards;
