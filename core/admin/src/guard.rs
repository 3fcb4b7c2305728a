//! Where a change comes from. Three locks, each sufficient on a good day: the cookie is `SameSite=Strict`, the browser
//! says `Sec-Fetch-Site` or `Origin`, and the form carries a token that only the session's owner can know.

use rocket::Request;
use rocket::http::Method;

use super::token;
use festival_base::error::{Error, Result};
use festival_base::settings::Settings;

/// The field of every form.
pub const CSRF_FIELD: &str = "csrf";

/// The paths of the back office.
const HOME: &str = "/admin/";

/// The token of the forms of whoever has this cookie. The database could not tell it: it knows the cookie's hash under
/// another purpose.
pub(super) fn csrf_token(cookie: &str) -> String {
    token::hash("csrf", cookie)
}

/// Refuses a change that another site's page asked for.
pub(super) fn check_origin(request: &Request<'_>, settings: &Settings) -> Result<()> {
    if matches!(request.method(), Method::Get | Method::Head) {
        return Ok(());
    }
    let header = |name| request.headers().get_one(name);
    let host = header("Host").unwrap_or_default();
    let foreign_site = header("Sec-Fetch-Site").is_some_and(|site| site != "same-origin");
    let foreign_origin = header("Origin").is_some_and(|origin| !is_ours(origin, host, &settings.public_url));
    if foreign_site || foreign_origin {
        return Err(Error::Closed("This came from another site's page. Nothing was changed.".into()));
    }
    Ok(())
}

/// Whether `origin` is this site: the one in the settings where the request names its host, else the request's host.
fn is_ours(origin: &str, host: &str, public_url: &str) -> bool {
    let Some((scheme, authority)) = origin.split_once("://") else { return false };
    let (public_scheme, public_host) = public_url.trim_end_matches('/').split_once("://").unwrap_or_default();
    let same_host = authority.eq_ignore_ascii_case(host);
    // Behind a proxy that changes the Host header, the configured address is still ours.
    if authority.eq_ignore_ascii_case(public_host) {
        return scheme == public_scheme;
    }
    same_host && matches!(scheme, "http" | "https")
}

/// Refuses a form without the token of its session.
pub(super) fn check_csrf(cookie: Option<&str>, sent: &str) -> Result<()> {
    if cookie.is_some_and(|cookie| token::same(&csrf_token(cookie), sent)) {
        return Ok(());
    }
    Err(Error::Closed(
        "This form is out of date: you signed in or out since it was opened. Nothing was changed. Open it again."
            .into(),
    ))
}

/// The path to go on to: one of the back office, whatever was asked for.
pub(super) fn local(next: &str) -> &str {
    let inside = next == "/admin" || next.starts_with(HOME) || next.starts_with("/admin?");
    let plain = !next.contains("//") && next.bytes().all(|b| b.is_ascii_graphic() && b != b'\\');
    if inside && plain && next.len() <= 2_000 { next } else { HOME }
}

/// `path?next=...`.
pub(super) fn with_next(path: &str, next: &str) -> String {
    let next = local(next);
    if next == HOME {
        return path.to_owned();
    }
    format!("{path}?next={}", form_urlencoded::byte_serialize(next.as_bytes()).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_the_back_office_are_gone_on_to() {
        for good in ["/admin/", "/admin", "/admin/films/?q=a&page=2", "/admin/accounts/7"] {
            assert_eq!(local(good), good);
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
            assert_eq!(local(bad), "/admin/", "{bad}");
        }
        assert_eq!(with_next("/admin/sign-in", "/admin/a?b=c&d"), "/admin/sign-in?next=%2Fadmin%2Fa%3Fb%3Dc%26d");
        assert_eq!(with_next("/admin/sign-in", "//evil"), "/admin/sign-in");
    }

    #[test]
    fn an_origin_is_ours_by_host_and_where_set_by_scheme() {
        let public = "https://festival.example";
        assert!(is_ours("https://festival.example", "festival.example", public));
        assert!(is_ours("https://festival.example", "127.0.0.1:8000", public));
        assert!(is_ours("http://127.0.0.1:8000", "127.0.0.1:8000", public));
        assert!(is_ours("http://localhost:8000", "localhost:8000", ""));
        for foreign in [
            "null",
            "",
            "http://festival.example",
            "https://festival.example.evil.example",
            "https://evilfestival.example",
            "https://festival.example:8443",
            "chrome-extension://festival.example",
        ] {
            assert!(!is_ours(foreign, "festival.example", public), "{foreign}");
        }
    }
}
