//! The question before something is done to several rows at once: which they are, and that they still are what the
//! question showed when the answer comes.

use serde::Serialize;

use super::input::Input;
use super::reply::{Page, Reply};
use super::request::AdminRequest;
use festival_base::error::{Error, Result};

/// The rows of the question.
pub struct BulkSelection<'a> {
    request: &'a AdminRequest,
    inputs: Vec<Input>,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    title: String,
    href: String,
    /// Whether it is another than the question showed before.
    overtaken: bool,
}

impl<'a> BulkSelection<'a> {
    /// A question; `inputs` say what is to be done.
    pub fn new(request: &'a AdminRequest, inputs: impl IntoIterator<Item = Input>) -> Self {
        let mut inputs: Vec<Input> = inputs.into_iter().collect();
        inputs.push(Input::hidden("sure", "yes"));
        Self { request, inputs, rows: Vec::new() }
    }

    /// A row of which `mark` tells its present state from any other.
    pub fn add(&mut self, id: i64, mark: &str, title: String, href: String) {
        let overtaken = self.request.form.get("sure") == "yes" && self::mark(self.request, id) != mark;
        self.inputs.extend([Input::hidden("row", id.to_string()), Input::hidden(name(id), mark)]);
        self.rows.push(Row { title, href, overtaken });
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether none of the rows is there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The page that asks.
    pub fn page(self, title: String) -> Page {
        Reply::page("selected", title).inputs(self.inputs).with("rows", self.rows)
    }
}

/// The mark of a row as the question showed it.
pub fn mark(request: &AdminRequest, id: i64) -> &str {
    request.form.get(&name(id))
}

fn name(id: i64) -> String {
    format!("mark-{id}")
}

/// The question again, because a row is another by now.
pub fn overtaken(page: Page) -> Result<Page> {
    let words = "Somebody else changed one of these while you were asked. Nothing was done yet. Look at what is marked, \
                 and go on if it is still right.";
    page.refused(Error::Conflict(words.into()))
}
