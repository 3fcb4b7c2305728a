//! The archive: the site as it shows an edition of the past, below `/archive/{year}`.
//!
//! It is the same site with another edition in place of the current one, and with another address before every path.
//! Pages, API and documents are computed by the same functions; code that differs checks [`Site::archive`].

/// Where the editions of the past are, without a trailing slash.
pub const ARCHIVE: &str = "/archive";

/// An edition that a [`Site`] shows in place of the current one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archive {
    /// The year of the edition.
    pub year: i64,
    /// The path before the paths of its pages, "/archive/2024". Empty for a copy of the site that shows this edition
    /// alone.
    pub path: String,
}

impl Archive {
    /// The edition of `year` below `/archive/{year}`.
    pub fn of(year: i64) -> Self {
        Self { year, path: format!("{ARCHIVE}/{year}") }
    }
}
