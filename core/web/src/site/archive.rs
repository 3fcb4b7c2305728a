//! The archive: the site as it shows an edition of the past, below `/archive/{year}`.
//!
//! It is the same site with another edition in place of the current one, and with another address before every path.
//! Pages, API and documents are computed by the same functions; what differs asks [`Site::archive`].

use std::sync::Arc;

use sqlx::AnyConnection;

use super::Site;
use festival_base::error::Result;
use festival_records::edition::{self, Edition};

/// Where the editions of the past are, without a trailing slash.
pub const ARCHIVE: &str = "/archive";

/// An edition that a [`Site`] shows in place of the current one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archive {
    /// The year of the edition.
    pub year: i64,
    /// The path before the paths of its pages, "/archive/2024". Empty for a copy of the site that is an edition's own.
    pub path: String,
}

impl Archive {
    /// The edition of `year` below `/archive/{year}`.
    pub fn of(year: i64) -> Self {
        Self { year, path: format!("{ARCHIVE}/{year}") }
    }
}

impl Site {
    /// Returns the same site with the edition of `archive` in place of the current one.
    pub fn showing(&self, archive: Archive) -> Arc<Self> {
        Arc::new(Self { archive: Some(archive), ..self.clone() })
    }

    /// The edition that the site shows: the current one, or that of its archive.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn edition(&self, connection: &mut AnyConnection) -> Result<Option<Edition>> {
        match &self.archive {
            None => edition::find_current(connection).await,
            Some(archive) => edition::find_by_year(connection, archive.year).await,
        }
    }

    /// The path before those of the pages: "/archive/2024" in the archive, else empty.
    pub fn path(&self) -> &str {
        self.archive.as_ref().map_or("", |archive| &archive.path)
    }

    /// The address of the festival itself, from the address `base_url` of what is shown: without the archive's path.
    pub fn root_url<'a>(&self, base_url: &'a str) -> &'a str {
        base_url.strip_suffix(self.path()).unwrap_or(base_url)
    }
}
