//! A list as a plain array, or with `?page=` a page of it in an envelope.

use festival_core::{Error, RequestContext, Result};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

/// Elements of a page.
const PAGE_SIZE: usize = 20;

/// A list: whole, or a page of it.
#[derive(Serialize, JsonSchema, TS)]
#[serde(untagged)]
pub(crate) enum Listed<T> {
    /// All elements.
    Whole(Vec<T>),
    /// A page of the elements.
    Paged {
        /// Elements on all pages.
        count: i64,
        /// Address of the next page.
        next: Option<String>,
        /// Address of the previous page.
        previous: Option<String>,
        /// The elements of this page.
        results: Vec<T>,
    },
}

impl<T> Listed<T> {
    /// The elements that `?page=` asks for.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the list has no such page; it always has the first.
    pub(crate) fn of(request: &RequestContext, elements: Vec<T>) -> Result<Self> {
        let prefix = request.site.settings.api_prefix();
        let base = format!("{}{prefix}/kottaka-magazines/?page=", request.base_url);
        Self::read(request.query.get("page").map(String::as_str), &base, elements)
    }

    fn read(page: Option<&str>, base: &str, elements: Vec<T>) -> Result<Self> {
        let Some(text) = page else { return Ok(Self::Whole(elements)) };
        let count = elements.len();
        let last = count.div_ceil(PAGE_SIZE).max(1);
        let page = text.parse::<usize>().ok().filter(|page| (1..=last).contains(page));
        let page =
            page.ok_or_else(|| Error::NotFound(format!("There is no page \"{text}\"; the last one is {last}.")))?;
        Ok(Self::Paged {
            count: count as i64,
            next: (page < last).then(|| format!("{base}{}", page + 1)),
            previous: (page > 1).then(|| format!("{base}{}", page - 1)),
            results: elements.into_iter().skip((page - 1) * PAGE_SIZE).take(PAGE_SIZE).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(page: Option<&str>, count: usize) -> Result<serde_json::Value> {
        Ok(serde_json::to_value(Listed::read(page, "/?page=", (1..=count).collect())?)?)
    }

    #[test]
    fn pages_outside_the_list_are_rejected() {
        let exists = |page: &str, count| read(Some(page), count).is_ok();
        assert!(exists("1", 0) && exists("1", 20) && exists("2", 21));
        assert!(!exists("0", 5) && !exists("-1", 5) && !exists("2", 20) && !exists("", 5) && !exists("one", 5));
        assert!(!exists("99999999999999999999", 5));
    }

    #[test]
    fn without_a_page_number_the_list_is_whole() -> Result<()> {
        assert_eq!(read(None, 3)?, serde_json::json!([1, 2, 3]));
        let third = serde_json::json!({ "count": 42, "next": null, "previous": "/?page=2", "results": [41, 42] });
        assert_eq!(read(Some("3"), 42)?, third);
        Ok(())
    }
}
