//! Keyset pagination of lists from the newest row to the oldest: `?before=` is the id to continue from.

use crate::back_office::AdminRequest;
use crate::serving::reply::PageLinks;

/// A requested page of such a list.
pub(crate) struct Pager {
    /// Only rows with a smaller id; 0 for the first page.
    pub(crate) before: i64,
    size: usize,
}

impl Pager {
    /// Reads the requested page, of `size` rows.
    pub(crate) fn new(request: &AdminRequest, size: usize) -> Self {
        Self { before: request.query.get("before").parse().unwrap_or(0), size }
    }

    /// Number of rows to read: one more than a page, to know whether there is another page.
    pub(crate) fn limit(&self) -> i64 {
        self.size as i64 + 1
    }

    /// Truncates `rows` to the page and returns the links to other pages.
    pub(crate) fn paginate<T>(&self, request: &AdminRequest, rows: &mut Vec<T>, id: impl Fn(&T) -> i64) -> PageLinks {
        let has_more = rows.len() > self.size;
        rows.truncate(self.size);
        let last = rows.last().filter(|_| has_more).map(|row| id(row).to_string());
        let to = |before: &str| request.address(&request.path, &[("before", before)]);
        PageLinks { newest: (self.before != 0).then(|| to("")), older: last.map(|last| to(&last)) }
    }
}
