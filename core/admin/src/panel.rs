//! Panels: what modules add to the page of a row of another module, such as a submission.

use std::sync::Arc;

use serde::Serialize;

use festival_web::site::Site;

/// The row whose page is shown.
#[derive(Clone)]
pub struct RowContext {
    /// The site.
    pub site: Arc<Site>,
    /// The table of the row.
    pub table: &'static str,
    /// Its id.
    pub id: i64,
}

/// A part of the page of a row.
#[derive(Debug, Default, Serialize)]
pub struct Panel {
    /// Its heading.
    pub heading: &'static str,
    /// Paragraphs below it.
    pub lines: Vec<String>,
    /// Links to screens: address and label.
    pub links: Vec<(String, String)>,
}
