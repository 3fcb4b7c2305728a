//! What a request is for: the site, or the archive of one of its past editions.

use std::sync::Arc;

use rocket::Request;

use super::request::decoded_path;
use crate::pattern::Pattern;
use crate::site::{ARCHIVE, Archive, Site};
use festival_base::error::{Error, Result};
use festival_records::edition;

/// The paths, in Rocket's notation, at which the route of `pattern` is mounted: its own, and that in the archive.
pub(super) fn with_archived(pattern: &Pattern, prefix: &str) -> [String; 2] {
    let path = format!("{prefix}{}", pattern.for_rocket());
    // A parameter of its own: patterns have "id" and "film".
    let archived = format!("{ARCHIVE}/<archived>{}", if path == "/" { "" } else { &path });
    [path, archived]
}

/// The site that answers a request, its address, and the path below it.
pub(super) struct Target {
    pub(super) site: Arc<Site>,
    pub(super) base_url: Arc<str>,
    pub(super) path: String,
}

impl Target {
    /// Reads the address of `request`.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is in the archive of a year that has none; those of the request's host.
    pub(super) async fn of(site: &Arc<Site>, request: &Request<'_>) -> Result<Self> {
        let base_url = site.hosts.base_url(request)?;
        let path = decoded_path(request);
        let Some((year, rest)) = split(&path) else { return Ok(Self { site: site.clone(), base_url, path }) };
        let missing = || Error::NotFound("There is no such edition in the archive.".into());
        let year = year.parse::<i64>().ok().filter(|number| number.to_string() == year).ok_or_else(missing)?;
        edition::find_archived(&mut *site.db.read().await?, year).await?.ok_or_else(missing)?;
        let archive = Archive::of(year);
        let base_url = format!("{base_url}{}", archive.path).into();
        Ok(Self { site: site.showing(archive), base_url, path: if rest.is_empty() { "/" } else { rest }.to_owned() })
    }
}

/// Splits "/archive/2024/films" into "2024" and "/films".
fn split(path: &str) -> Option<(&str, &str)> {
    let below = path.strip_prefix(ARCHIVE)?.strip_prefix('/')?;
    Some(below.split_at(below.find('/').unwrap_or(below.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archived_addresses_are_split_into_year_and_path() {
        assert_eq!(split("/archive/2024/films/2"), Some(("2024", "/films/2")));
        assert_eq!(split("/archive/2024"), Some(("2024", "")));
        assert_eq!((split("/archive"), split("/archives/2024"), split("/films")), (None, None, None));
        assert_eq!(with_archived(&Pattern::new("/"), ""), ["/", "/archive/<archived>"]);
        assert_eq!(with_archived(&Pattern::new("/a/{id}"), "/api"), ["/api/a/<id>", "/archive/<archived>/api/a/<id>"]);
    }
}
