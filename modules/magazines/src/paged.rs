//! A list as a plain array, or with `?page=` a page of it in an envelope.

use festival_core::{Error, RequestContext, Result};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

/// Elements of a page.
const PAGE_SIZE: i64 = 20;

/// A list: whole, or a page of it.
#[derive(Serialize, JsonSchema, TS)]
#[serde(untagged)]
#[ts(export_to = "magazines.ts")]
pub(crate) enum Listed<T> {
    /// All elements.
    Whole(Vec<T>),
    /// A page of the elements.
    Paged {
        /// Elements on all pages.
        #[ts(type = "number")]
        count: i64,
        /// Address of the next page.
        next: Option<String>,
        /// Address of the previous page.
        previous: Option<String>,
        /// The elements of this page.
        results: Vec<T>,
    },
}

/// The requested part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paging {
    /// Number of the page, from 1; `None`: the whole list.
    page: Option<i64>,
    /// Elements of the whole list.
    count: i64,
}

impl Paging {
    /// Reads `?page=`.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the list has no such page; it always has the first.
    pub(crate) fn of(request: &RequestContext, count: i64) -> Result<Self> {
        Self::read(request.query.get("page").map(String::as_str), count)
    }

    fn read(page: Option<&str>, count: i64) -> Result<Self> {
        let Some(text) = page else { return Ok(Self { page: None, count }) };
        let last = last_page(count);
        match text.parse::<i64>() {
            Ok(page) if (1..=last).contains(&page) => Ok(Self { page: Some(page), count }),
            _ => Err(Error::NotFound(format!("There is no page \"{text}\"; the last one is {last}."))),
        }
    }

    /// The value of SQL's LIMIT.
    pub(crate) fn limit(self) -> i64 {
        self.page.map_or(i64::MAX, |_| PAGE_SIZE)
    }

    /// The value of SQL's OFFSET.
    pub(crate) fn offset(self) -> i64 {
        self.page.map_or(0, |page| (page - 1) * PAGE_SIZE)
    }

    /// Wraps the elements in an envelope if a page was requested.
    pub(crate) fn response<T>(self, request: &RequestContext, results: Vec<T>) -> Listed<T> {
        let Some(page) = self.page else { return Listed::Whole(results) };
        let prefix = request.site.settings.api_prefix();
        let address = |page: i64| format!("{}{prefix}/kottaka-magazines/?page={page}", request.base_url);
        Listed::Paged {
            count: self.count,
            next: (page < last_page(self.count)).then(|| address(page + 1)),
            previous: (page > 1).then(|| address(page - 1)),
            results,
        }
    }
}

fn last_page(count: i64) -> i64 {
    ((count + PAGE_SIZE - 1) / PAGE_SIZE).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_outside_the_list_are_rejected() {
        let exists = |page: &str, count| Paging::read(Some(page), count).is_ok();
        assert!(exists("1", 0) && exists("1", 20) && exists("2", 21));
        assert!(!exists("0", 5) && !exists("-1", 5) && !exists("2", 20) && !exists("", 5) && !exists("one", 5));
        assert!(!exists("99999999999999999999", 5));
    }

    #[test]
    fn without_a_page_number_the_list_is_whole() -> Result<()> {
        let whole = Paging::read(None, 50)?;
        assert_eq!((whole.limit(), whole.offset()), (i64::MAX, 0));
        let third = Paging::read(Some("3"), 50)?;
        assert_eq!((third.limit(), third.offset()), (20, 40));
        Ok(())
    }
}
