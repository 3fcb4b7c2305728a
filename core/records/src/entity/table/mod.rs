//! Reading and writing rows of entities: the one place that builds SQL from names.
//!
//! The names come from `&'static` [`Entity`] descriptions, never from a request, so the statements are as fixed as if
//! they were written out; values are always bound.

mod insert;
mod pages;
mod query;
mod references;
mod rows;
mod search_keys;

pub use insert::insert_with;
pub(crate) use insert::{id_list, insert_many, new_ids, value_lists};
pub use pages::{for_each, having, last_position, listed, mentioning, order, rows, search, select, similar};
pub(crate) use query::{AnyQuery, bind_ids};
pub use references::{choices, count_references, resolve, unresolve};
pub(crate) use references::{has_numeric_key, key_label};
pub use rows::{count_hidden, count_in_edition, delete, fetch, find, lock, lock_tables, published, update};
pub(crate) use rows::{fetch_many, find_texts, keys};
pub(crate) use search_keys::{SearchKeys, insert_search_keys, remove_search_keys, store_search_keys};
