//! The fields of a film for which the import has rules of its own.

pub(super) const NAME: &str = "name";
pub(super) const ORIGINAL_TITLE: &str = "original_title";
pub(super) const DIRECTOR: &str = "director_name";
pub(super) const CATEGORY: &str = "category";
pub(super) const COUNTRY: &str = "country";
pub(super) const YEAR: &str = "year";
pub(super) const DURATION: &str = "duration_minutes";
pub(super) const SYNOPSIS: &str = "synopsis";
pub(super) const REFERENCE: &str = "reference";
pub(super) const IMDB_ID: &str = "imdb_id";
