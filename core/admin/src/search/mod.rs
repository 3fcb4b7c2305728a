//! The search over everything that an account may see: screens, settings, records, accounts, and what modules add with
//! `Registry::search`.

mod hits;
mod page;

pub use hits::{Hit, MAX_HITS, SearchContext, SearchGroup, list_address};
pub(crate) use page::{HOME, accounts, show};
