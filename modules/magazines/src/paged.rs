//! One list, two shapes: a plain array, or a page of it in an envelope where `?page=` asks for one.

use festival_core::{Error, RequestContext, Result};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

/// How many elements a page holds.
const PAGE_SIZE: i64 = 20;

/// A list: whole, or a page of it.
#[derive(Serialize, JsonSchema, TS)]
#[serde(untagged)]
#[ts(export_to = "magazines.ts")]
pub(crate) enum Listed<T> {
    /// All elements.
    Whole(Vec<T>),
    /// Some elements and the way to the others.
    Paged {
        /// How many there are in all.
        #[ts(type = "number")]
        count: i64,
        /// Address of the next page.
        next: Option<String>,
        /// Address of the page before.
        previous: Option<String>,
        /// The elements of this page.
        results: Vec<T>,
    },
}

/// What part of a list is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paging {
    /// The page from 1; `None` asks for the whole list.
    page: Option<i64>,
    count: i64,
}

impl Paging {
    /// Reads `?page=`. A page that is none of the list's is not found; the first is always there.
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

    /// For SQL's LIMIT.
    pub(crate) fn limit(self) -> i64 {
        self.page.map_or(i64::MAX, |_| PAGE_SIZE)
    }

    /// For SQL's OFFSET.
    pub(crate) fn offset(self) -> i64 {
        self.page.map_or(0, |page| (page - 1) * PAGE_SIZE)
    }

    /// Puts the elements into the shape that was asked for.
    pub(crate) fn listed<T>(self, request: &RequestContext, results: Vec<T>) -> Listed<T> {
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
    fn pages_begin_at_one_and_end_with_the_list() {
        let found = |page: &str, count| Paging::read(Some(page), count).is_ok();
        assert!(found("1", 0) && found("1", 20) && found("2", 21));
        assert!(!found("0", 5) && !found("-1", 5) && !found("2", 20) && !found("", 5) && !found("one", 5));
        assert!(!found("99999999999999999999", 5));
    }

    #[test]
    fn without_a_page_the_list_is_whole() -> Result<()> {
        let whole = Paging::read(None, 50)?;
        assert_eq!((whole.limit(), whole.offset()), (i64::MAX, 0));
        let third = Paging::read(Some("3"), 50)?;
        assert_eq!((third.limit(), third.offset()), (20, 40));
        Ok(())
    }
}
