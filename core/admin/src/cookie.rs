//! The cookies of the back office: session token and flash message.

use rocket::Request;

use super::reply::Flash;
use super::token;
use festival_base::settings::Settings;

const SESSION: &str = "festival-admin";
const FLASH: &str = "festival-admin-message";

/// Names and attributes of the cookies.
#[derive(Clone, Copy)]
pub(super) struct Cookies {
    secure: bool,
}

impl Cookies {
    /// On an https site the cookies are `Secure` and carry the `__Host-` prefix.
    pub(super) fn new(settings: &Settings) -> Self {
        Self { secure: settings.public_url.starts_with("https://") }
    }

    fn name(self, name: &str) -> String {
        if self.secure { format!("__Host-{name}") } else { name.to_owned() }
    }

    fn set_cookie(self, name: &str, value: &str, attributes: &str) -> String {
        let secure = if self.secure { "; Secure" } else { "" };
        format!("{}={value}; Path=/; HttpOnly; SameSite=Strict{secure}{attributes}", self.name(name))
    }

    /// Returns the session token, if the browser sent a well-formed one.
    pub(super) fn session(self, request: &Request<'_>) -> Option<String> {
        let cookie = request.cookies().get(&self.name(SESSION))?;
        Some(cookie.value().to_owned()).filter(|value| token::is_well_formed(value))
    }

    pub(super) fn set_session(self, token: &str) -> String {
        self.set_cookie(SESSION, token, "")
    }

    pub(super) fn remove_session(self) -> String {
        self.set_cookie(SESSION, "", "; Max-Age=0")
    }

    /// Returns the flash message for this page.
    pub(super) fn flash(self, request: &Request<'_>) -> Option<Flash> {
        let cookie = request.cookies().get(&self.name(FLASH))?;
        let json = data_encoding::BASE64URL_NOPAD.decode(cookie.value().as_bytes()).ok()?;
        serde_json::from_slice(&json).ok()
    }

    pub(super) fn set_flash(self, flash: &Flash) -> String {
        let json = serde_json::to_vec(flash).unwrap_or_default();
        self.set_cookie(FLASH, &data_encoding::BASE64URL_NOPAD.encode(&json), "; Max-Age=60")
    }

    pub(super) fn remove_flash(self) -> String {
        self.set_cookie(FLASH, "", "; Max-Age=0")
    }
}
