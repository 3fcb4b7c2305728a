//! Versions of records and of settings: the page of their history, and what two people changed at the same time.

mod history;
mod merge;

pub(crate) use history::{History, PAGE_SIZE};
pub(crate) use merge::{Merge, Sides};
