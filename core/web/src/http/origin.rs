//! Which site a request comes from, as browsers say it in `Sec-Fetch-Site` and `Origin`.

use rocket::Request;

use festival_base::error::{Error, Result};
use festival_base::settings::Settings;

/// Whether a request comes from a page of this site, or from no browser.
pub fn is_from_own_page(request: &Request<'_>, settings: &Settings) -> bool {
    let header = |name| request.headers().get_one(name);
    let host = header("Host").unwrap_or_default();
    header("Sec-Fetch-Site").is_none_or(|site| site == "same-origin")
        && header("Origin").is_none_or(|origin| is_own_origin(origin, host, &settings.public_url))
}

/// Rejects a form from a page of a site that may not read the response: its sender would see an error, although the form
/// was stored.
///
/// # Errors
/// [`Error::Closed`].
pub(super) fn check_form(request: &Request<'_>, settings: &Settings) -> Result<()> {
    let header = |name| request.headers().get_one(name);
    // A proxy may change the Host header, which then is not that of the origin.
    let is_same_origin = header("Sec-Fetch-Site") == Some("same-origin");
    let is_allowed = header("Origin").is_some_and(|origin| settings.api.cors_origins.iter().any(|it| it == origin));
    if is_same_origin || is_allowed || is_from_own_page(request, settings) {
        return Ok(());
    }
    Err(Error::Closed("Forms are accepted from the festival's own pages. Nothing was stored.".into()))
}

/// Whether `origin` is this site: the configured address, scheme included, or else the host of the request.
fn is_own_origin(origin: &str, host: &str, public_url: &str) -> bool {
    let Some((scheme, authority)) = origin.split_once("://") else { return false };
    let (public_scheme, public_host) = public_url.trim_end_matches('/').split_once("://").unwrap_or_default();
    let same_host = authority.eq_ignore_ascii_case(host);
    // Behind a proxy that changes the Host header, the configured address is still ours.
    if authority.eq_ignore_ascii_case(public_host) {
        return scheme == public_scheme;
    }
    same_host && matches!(scheme, "http" | "https")
}

#[cfg(test)]
mod tests {
    use super::is_own_origin;

    #[test]
    fn origin_must_match_the_host_and_the_configured_scheme() {
        let public = "https://festival.example";
        assert!(is_own_origin("https://festival.example", "festival.example", public));
        assert!(is_own_origin("https://festival.example", "127.0.0.1:8000", public));
        assert!(is_own_origin("http://127.0.0.1:8000", "127.0.0.1:8000", public));
        assert!(is_own_origin("http://localhost:8000", "localhost:8000", ""));
        for foreign in [
            "null",
            "",
            "http://festival.example",
            "https://festival.example.evil.example",
            "https://evilfestival.example",
            "https://festival.example:8443",
            "chrome-extension://festival.example",
        ] {
            assert!(!is_own_origin(foreign, "festival.example", public), "{foreign}");
        }
    }
}
