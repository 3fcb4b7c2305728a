//! The cookies of the back office: the session's token, and a message for the next page.

use rocket::Request;

use super::reply::Flash;
use super::token;
use festival_base::settings::Settings;

const SESSION: &str = "festival-admin";
const FLASH: &str = "festival-admin-message";

/// How the cookies are called and kept.
#[derive(Clone, Copy)]
pub(super) struct Cookies {
    secure: bool,
}

impl Cookies {
    /// Behind https they are bound to the host and to https.
    pub(super) fn new(settings: &Settings) -> Self {
        Self { secure: settings.public_url.starts_with("https://") }
    }

    fn name(self, name: &str) -> String {
        if self.secure { format!("__Host-{name}") } else { name.to_owned() }
    }

    fn line(self, name: &str, value: &str, rest: &str) -> String {
        let secure = if self.secure { "; Secure" } else { "" };
        format!("{}={value}; Path=/; HttpOnly; SameSite=Strict{secure}{rest}", self.name(name))
    }

    /// The session's token, if the browser sent what looks like one.
    pub(super) fn session(self, request: &Request<'_>) -> Option<String> {
        let cookie = request.cookies().get(&self.name(SESSION))?;
        Some(cookie.value().to_owned()).filter(|value| token::is_token(value))
    }

    pub(super) fn set_session(self, token: &str) -> String {
        self.line(SESSION, token, "")
    }

    pub(super) fn remove_session(self) -> String {
        self.line(SESSION, "", "; Max-Age=0")
    }

    /// The message for this page.
    pub(super) fn flash(self, request: &Request<'_>) -> Option<Flash> {
        let cookie = request.cookies().get(&self.name(FLASH))?;
        let json = data_encoding::BASE64URL_NOPAD.decode(cookie.value().as_bytes()).ok()?;
        serde_json::from_slice(&json).ok()
    }

    pub(super) fn set_flash(self, flash: &Flash) -> String {
        let json = serde_json::to_vec(flash).unwrap_or_default();
        self.line(FLASH, &data_encoding::BASE64URL_NOPAD.encode(&json), "; Max-Age=60")
    }

    pub(super) fn remove_flash(self) -> String {
        self.line(FLASH, "", "; Max-Age=0")
    }
}
