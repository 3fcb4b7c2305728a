//! Confirmation of a bulk action: lists the selected rows and detects rows that changed after the page was shown.

use serde::Serialize;

use super::back_office::AdminRequest;
use super::input::Input;
use super::reply::{Page, Reply};
use festival_base::error::{Error, Result};

/// The selected rows on a confirmation page.
pub struct BulkSelection<'a> {
    request: &'a AdminRequest,
    inputs: Vec<Input>,
    rows: Vec<SelectedRow>,
}

#[derive(Serialize)]
struct SelectedRow {
    title: String,
    href: String,
    /// Whether the row changed since the page was shown before.
    changed: bool,
}

impl<'a> BulkSelection<'a> {
    /// Creates an empty selection; `inputs` describe the action.
    pub fn new(request: &'a AdminRequest, inputs: impl IntoIterator<Item = Input>) -> Self {
        let mut inputs: Vec<Input> = inputs.into_iter().collect();
        inputs.push(Input::hidden("sure", "yes"));
        Self { request, inputs, rows: Vec::new() }
    }

    /// Adds a row with its current version.
    pub fn add(&mut self, id: i64, version: &str, title: String, href: String) {
        let changed = self.request.form.get("sure") == "yes" && seen_version(self.request, id) != version;
        self.inputs.extend([Input::hidden("row", id.to_string()), Input::hidden(name(id), version)]);
        self.rows.push(SelectedRow { title, href, changed });
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether no row exists.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the confirmation page.
    pub fn page(self, title: String) -> Page {
        Reply::page("selected", title).inputs(self.inputs).with("rows", self.rows)
    }
}

/// Returns the version of a row that the confirmation page showed.
pub fn seen_version(request: &AdminRequest, id: i64) -> &str {
    request.form.get(&name(id))
}

fn name(id: i64) -> String {
    format!("version-{id}")
}

/// Returns the confirmation page again, because a row changed in the meantime.
///
/// # Errors
/// None in practice; the signature is that of [`Page::refused`].
pub fn conflict(page: Page) -> Result<Page> {
    let message = "Somebody else changed some of these in the meantime. Nothing was done. Check the marked rows, and \
                   confirm again if you still want to continue.";
    page.refused(Error::Conflict(message.into()))
}
