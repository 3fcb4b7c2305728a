//! A screen of the back office: path, permission, handler.

use rocket::http::Method;

use crate::identity::permission::Permission;
use crate::serving::reply::Reply;
use festival_base::error::Result;
use festival_base::{AsyncFn, AsyncFunction};
use festival_files::upload::Accepts;
use festival_web::pattern::Pattern;

/// An entry of the navigation.
#[derive(Clone, Copy, Debug)]
pub struct MenuEntry {
    /// The heading of its group.
    pub group: &'static str,
    /// The text of the link.
    pub label: &'static str,
    /// Whether its group comes before the others.
    pub is_first: bool,
}

/// Default maximum size of a form without files, in bytes.
const MAX_FORM_BYTES: u64 = 64 * 1024;
/// Maximum size of a form with long texts, in bytes.
const MAX_LONG_FORM_BYTES: u64 = 2 * 1024 * 1024;

/// A screen. Its handler receives a request `C`, which is [`AdminRequest`](crate::AdminRequest).
#[must_use]
pub struct Screen<C> {
    /// GET or POST; GET changes nothing.
    pub method: Method,
    /// The path. Screens whose path does not begin with `/admin` are [for visitors](Self::is_for_visitors).
    pub path: Pattern,
    /// Who may use it.
    pub permission: Permission,
    /// Whether the password must have been entered in the last 15 minutes.
    pub is_fresh: bool,
    /// Whether users without permission get 404 instead of a redirect to the sign-in page or 403.
    pub is_hidden: bool,
    /// Its entry in the navigation.
    pub menu: Option<MenuEntry>,
    /// Whether it is open to accounts that still have to set up a required second factor.
    pub(crate) is_before_second_factor: bool,
    /// The multipart form that it accepts; `None` for a form without files.
    pub(crate) accepts: Option<Accepts>,
    /// Maximum size of a form without files, in bytes.
    pub(crate) max_form_bytes: u64,
    handler: AsyncFn<C, Result<Reply>>,
}

impl<C: 'static> Screen<C> {
    /// Creates a screen that shows something.
    pub fn get(path: &'static str, permission: Permission, handler: impl AsyncFunction<C, Result<Reply>>) -> Self {
        Self::new(Method::Get, Pattern::new(path), permission, handler)
    }

    /// Creates a screen that changes something. Origin and CSRF token are checked before the handler runs.
    pub fn post(path: &'static str, permission: Permission, handler: impl AsyncFunction<C, Result<Reply>>) -> Self {
        Self::new(Method::Post, Pattern::new(path), permission, handler)
    }

    /// Creates a screen at a path that is known only at start, such as that of an entity.
    pub fn new(
        method: Method,
        path: Pattern,
        permission: Permission,
        handler: impl AsyncFunction<C, Result<Reply>>,
    ) -> Self {
        Self {
            method,
            path,
            permission,
            is_fresh: false,
            is_hidden: false,
            menu: None,
            is_before_second_factor: false,
            accepts: None,
            max_form_bytes: MAX_FORM_BYTES,
            handler: AsyncFn::new(handler),
        }
    }

    /// Whether it is for visitors, such as the page of a secret link in a mail: it is open also where the back office is
    /// closed to a network or switched off, knows no account, and sets no session. A form on it must carry a secret
    /// that other sites do not know, in place of a CSRF token.
    pub fn is_for_visitors(&self) -> bool {
        !self.path.for_openapi().starts_with("/admin")
    }

    /// Asks for the password again if it was entered more than 15 minutes ago, for example for exports with personal
    /// data and for accounts.
    pub fn fresh(mut self) -> Self {
        self.is_fresh = true;
        self
    }

    /// Answers 404 to users without permission, for example for uploaded files.
    pub fn hidden(mut self) -> Self {
        self.is_hidden = true;
        self
    }

    /// Adds the screen to the navigation of users with permission.
    pub fn in_menu(mut self, group: &'static str, label: &'static str) -> Self {
        self.menu = Some(MenuEntry { group, label, is_first: false });
        self
    }

    /// Adds the screen to the navigation, in a group for daily work that comes before the others.
    pub fn first_in_menu(mut self, group: &'static str, label: &'static str) -> Self {
        self.menu = Some(MenuEntry { group, label, is_first: true });
        self
    }

    /// Accepts a multipart form. The CSRF field is added to the accepted fields.
    pub fn accepts(mut self, mut accepts: Accepts) -> Self {
        accepts.texts.push(crate::serving::guard::CSRF_FIELD.to_owned());
        self.accepts = Some(accepts);
        self
    }

    /// Accepts a form without files of up to 2 MiB instead of 64 KiB.
    pub(crate) fn with_long_texts(mut self) -> Self {
        self.max_form_bytes = MAX_LONG_FORM_BYTES;
        self
    }

    /// Opens the screen to accounts that still have to set up a required second factor.
    pub(crate) fn before_second_factor(mut self) -> Self {
        self.is_before_second_factor = true;
        self
    }

    /// Runs the handler for an authorized request.
    pub(crate) async fn handle(&self, request: C) -> Result<Reply> {
        self.handler.call(request).await
    }
}
