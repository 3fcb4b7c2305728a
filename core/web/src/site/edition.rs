//! The edition that a site shows.

use std::sync::Arc;

use sqlx::AnyConnection;

use super::{Archive, Site};
use festival_base::error::Result;
use festival_records::edition::{self, Edition};

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
