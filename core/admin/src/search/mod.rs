//! The search over everything that an account may see: screens, settings, records, accounts, and what modules add with
//! `Registry::search`.

mod accounts;
mod context;
mod hits;
mod page;

pub(crate) use accounts::accounts;
pub use context::SearchContext;
pub use hits::{Hit, MAX_HITS, SearchGroup, list_address};
pub(crate) use page::{HOME, show};
