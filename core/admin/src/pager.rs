//! Lists that go from the newest row to the oldest, a page at a time: `?before=` names the row to go on from.

use super::request::AdminRequest;

/// A page of such a list.
pub(super) struct Pager {
    /// Rows before the one with this id are asked for; 0: the newest.
    pub(super) before: i64,
    size: usize,
}

/// The ways to other pages, which the template draws with `partials/pager`.
pub(super) struct Links {
    pub(super) newest: Option<String>,
    pub(super) older: Option<String>,
}

impl Pager {
    /// The page that a request asks for, of `size` rows.
    pub(super) fn of(request: &AdminRequest, size: usize) -> Self {
        Self { before: request.query.get("before").parse().unwrap_or(0), size }
    }

    /// How many rows to read: one more than are shown tells whether there is another page.
    pub(super) fn limit(&self) -> i64 {
        self.size as i64 + 1
    }

    /// Leaves in `rows` what the page shows, and answers the ways to the others.
    pub(super) fn cut<T>(&self, request: &AdminRequest, rows: &mut Vec<T>, id: impl Fn(&T) -> i64) -> Links {
        let more = rows.len() > self.size;
        rows.truncate(self.size);
        let last = rows.last().filter(|_| more).map(|row| id(row).to_string());
        let to = |before: &str| request.address(&request.path, &[("before", before)]);
        Links { newest: (self.before != 0).then(|| to("")), older: last.map(|last| to(&last)) }
    }
}
