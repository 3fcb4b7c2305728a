//! The cookies of the back office: session token and flash message.

use rocket::Request;
use rocket::http::{Cookie, SameSite};
use rocket::time::Duration;

use crate::identity::token;
use crate::serving::reply::Flash;
use festival_base::settings::Settings;

const SESSION: &str = "festival-admin";
const EDITOR: &str = "festival-editor";
const FLASH: &str = "festival-admin-message";

/// Names and attributes of the cookies.
#[derive(Clone, Copy)]
pub(crate) struct Cookies {
    secure: bool,
}

impl Cookies {
    /// On an https site the cookies are `Secure` and carry the `__Host-` prefix.
    pub(crate) fn new(settings: &Settings) -> Self {
        Self { secure: settings.public_url.starts_with("https://") }
    }

    fn name(self, name: &str) -> String {
        if self.secure { format!("__Host-{name}") } else { name.to_owned() }
    }

    /// A cookie for this host only, hidden from scripts and not sent with requests from other sites. Without a
    /// `max_age` it lasts until the browser is closed.
    fn set_cookie(self, name: &str, value: String, max_age: Option<Duration>) -> String {
        let mut cookie = Cookie::new(self.name(name), value);
        cookie.set_path("/");
        cookie.set_http_only(true);
        cookie.set_same_site(SameSite::Strict);
        cookie.set_secure(self.secure);
        cookie.set_max_age(max_age);
        cookie.to_string()
    }

    /// Returns the session token, if the browser sent a well-formed one.
    pub(crate) fn session(self, request: &Request<'_>) -> Option<String> {
        let cookie = request.cookies().get(&self.name(SESSION))?;
        Some(cookie.value().to_owned()).filter(|value| token::is_well_formed(value))
    }

    pub(crate) fn set_session(self, token: &str) -> String {
        self.set_cookie(SESSION, token.to_owned(), None)
    }

    pub(crate) fn remove_session(self) -> String {
        self.set_cookie(SESSION, String::new(), Some(Duration::ZERO))
    }

    /// Tells the site's pages that somebody is signed in here, so that they offer "Edit this page". It grants no
    /// access: scripts read it, the server does not.
    pub(crate) fn set_editor(self) -> String {
        self.editor(None)
    }

    pub(crate) fn remove_editor(self) -> String {
        self.editor(Some(Duration::ZERO))
    }

    fn editor(self, max_age: Option<Duration>) -> String {
        let mut cookie = Cookie::new(EDITOR, "1");
        cookie.set_path("/");
        cookie.set_same_site(SameSite::Strict);
        cookie.set_secure(self.secure);
        cookie.set_max_age(max_age);
        cookie.to_string()
    }

    /// Returns the flash message for this page.
    pub(crate) fn flash(self, request: &Request<'_>) -> Option<Flash> {
        let cookie = request.cookies().get(&self.name(FLASH))?;
        let json = data_encoding::BASE64URL_NOPAD.decode(cookie.value().as_bytes()).ok()?;
        let mut flash: Flash = serde_json::from_slice(&json).ok()?;
        // The cookie is not signed: a link leads nowhere else.
        flash.link = flash.link.filter(|link| link.href.starts_with("/admin/"));
        Some(flash)
    }

    pub(crate) fn set_flash(self, flash: &Flash) -> String {
        let json = serde_json::to_vec(flash).unwrap_or_default();
        self.set_cookie(FLASH, data_encoding::BASE64URL_NOPAD.encode(&json), Some(Duration::MINUTE))
    }

    pub(crate) fn remove_flash(self) -> String {
        self.set_cookie(FLASH, String::new(), Some(Duration::ZERO))
    }
}
