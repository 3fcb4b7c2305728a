//! CSRF protection and redirect targets. A change passes three independent checks: the session cookie is
//! `SameSite=Strict`, `Sec-Fetch-Site` and `Origin` must name this site, and the form carries a token of the session.

use rocket::Request;
use rocket::http::Method;
use subtle::ConstantTimeEq as _;

use crate::identity::token;
use festival_base::error::{Error, Result};
use festival_base::settings::Settings;
use festival_web::http::is_from_own_page;

/// Name of the form field with the CSRF token.
pub const CSRF_FIELD: &str = "csrf";

/// Path of the dashboard.
const HOME: &str = "/admin/";

/// Returns the CSRF token of a session cookie. It cannot be derived from the database, which stores a hash of the
/// cookie for another purpose.
pub(crate) fn csrf_token(cookie: &str) -> String {
    token::hash("csrf", cookie)
}

/// Rejects a POST that comes from a page of another site.
pub(crate) fn check_origin(request: &Request<'_>, settings: &Settings) -> Result<()> {
    if matches!(request.method(), Method::Get | Method::Head) {
        return Ok(());
    }
    if is_from_own_page(request, settings) {
        return Ok(());
    }
    Err(Error::Closed("This request came from another website. Nothing was changed.".into()))
}

/// Rejects a form without the CSRF token of its session.
pub(crate) fn check_csrf(cookie: Option<&str>, submitted: &str) -> Result<()> {
    if cookie.is_some_and(|cookie| csrf_token(cookie).as_bytes().ct_eq(submitted.as_bytes()).into()) {
        return Ok(());
    }
    Err(Error::Closed(
        "This form has expired because you signed in or out after it was opened. Nothing was changed. Open it again."
            .into(),
    ))
}

/// Returns `next` if it is a path of the back office, otherwise the dashboard: redirects never leave the back office.
pub(crate) fn safe_redirect(next: &str) -> &str {
    let inside = next == "/admin" || next.starts_with(HOME) || next.starts_with("/admin?");
    let plain = !next.contains("//") && next.bytes().all(|b| b.is_ascii_graphic() && b != b'\\');
    if inside && plain && next.len() <= 2_000 { next } else { HOME }
}

/// Returns `path?next=...`; without the query if `next` is the dashboard.
pub(crate) fn with_next(path: &str, next: &str) -> String {
    let next = safe_redirect(next);
    if next == HOME {
        return path.to_owned();
    }
    format!("{path}?next={}", form_urlencoded::byte_serialize(next.as_bytes()).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirect_target_stays_inside_the_back_office() {
        for good in ["/admin/", "/admin", "/admin/films/?q=a&page=2", "/admin/accounts/7"] {
            assert_eq!(safe_redirect(good), good);
        }
        for bad in [
            "",
            "//evil.example",
            "/\\evil.example",
            "https:evil.example",
            "https://evil.example/admin/",
            "/admin/\\evil",
            "/admin//evil.example",
            "/administrator",
            "/admin/\r\nSet-Cookie: a=b",
            "javascript:alert(1)",
            "/films",
            "/admin/ x",
        ] {
            assert_eq!(safe_redirect(bad), "/admin/", "{bad}");
        }
        assert_eq!(with_next("/admin/sign-in", "/admin/a?b=c&d"), "/admin/sign-in?next=%2Fadmin%2Fa%3Fb%3Dc%26d");
        assert_eq!(with_next("/admin/sign-in", "//evil"), "/admin/sign-in");
    }
}
