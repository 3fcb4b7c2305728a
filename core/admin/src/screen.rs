//! A screen of the back office: where it is, who may see it, what it answers.

use std::future::Future;

use futures::future::BoxFuture;
use rocket::http::Method;

use super::account::Account;
use super::reply::Reply;
use super::request::AdminRequest;
use super::role::{Action, Personal, Resource};
use festival_base::error::Result;
use festival_files::upload::Accepts;
use festival_web::pattern::Pattern;

/// Who may use a screen. There is no default: a screen that says nothing cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Everybody: the way in, and nothing else.
    Public,
    /// Everybody who is signed in: one's own account.
    SignedIn,
    /// Whoever has the action on the resource.
    To(&'static Resource, Action),
}

impl Permission {
    /// Whether the person with `account` may; a stranger has none.
    pub fn allows(self, account: Option<&Account>) -> bool {
        match (self, account) {
            (Self::Public, _) => true,
            (_, None) => false,
            (Self::SignedIn, Some(_)) => true,
            (Self::To(resource, action), Some(account)) => account.may(resource, action),
        }
    }

    /// Whether what it opens is about the people who write to the festival.
    pub fn is_personal(self) -> bool {
        matches!(self, Self::To(resource, _) if resource.personal != Personal::No)
    }
}

/// An entry of the navigation.
#[derive(Clone, Copy, Debug)]
pub struct MenuEntry {
    /// The heading that it stands under.
    pub group: &'static str,
    /// Its text.
    pub label: &'static str,
    /// Whether its group stands before the others.
    pub is_first: bool,
}

/// The largest ordinary form of a screen that says nothing else, in bytes.
const LARGEST_FORM: u64 = 64 * 1024;
/// The largest ordinary form with long texts, in bytes.
const LARGEST_FORM_OF_TEXTS: u64 = 2 * 1024 * 1024;

type Handler = Box<dyn Fn(AdminRequest) -> BoxFuture<'static, Result<Reply>> + Send + Sync>;

/// A screen.
pub struct Screen {
    /// GET, which changes nothing, or POST.
    pub method: Method,
    /// The path, from `/admin` on.
    pub path: Pattern,
    /// Who may.
    pub permission: Permission,
    /// Whether the password must have been typed a short while ago.
    pub is_fresh: bool,
    /// Whether it is not there for whoever may not: 404 instead of the way in or a refusal.
    pub is_hidden: bool,
    /// Its place in the navigation.
    pub menu: Option<MenuEntry>,
    /// Whether it is open to accounts that still have to set up the second factor that the settings ask for.
    pub(super) is_before_second_factor: bool,
    /// The multipart form that it takes; `None` takes an ordinary one.
    pub(super) accepts: Option<Accepts>,
    /// The largest ordinary form, in bytes.
    pub(super) largest_form: u64,
    handler: Handler,
}

impl Screen {
    /// A screen that shows something.
    pub fn get<F, Fut>(path: &'static str, permission: Permission, handler: F) -> Self
    where
        F: Fn(AdminRequest) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Reply>> + Send + 'static,
    {
        Self::new(Method::Get, Pattern::new(path), permission, handler)
    }

    /// A screen that does something. Core has checked where the request comes from before the handler runs.
    pub fn post<F, Fut>(path: &'static str, permission: Permission, handler: F) -> Self
    where
        F: Fn(AdminRequest) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Reply>> + Send + 'static,
    {
        Self::new(Method::Post, Pattern::new(path), permission, handler)
    }

    /// A screen at a path that is only known at start, by an entity's name.
    pub fn new<F, Fut>(method: Method, path: Pattern, permission: Permission, handler: F) -> Self
    where
        F: Fn(AdminRequest) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Reply>> + Send + 'static,
    {
        Self {
            method,
            path,
            permission,
            is_fresh: false,
            is_hidden: false,
            menu: None,
            is_before_second_factor: false,
            accepts: None,
            largest_form: LARGEST_FORM,
            handler: Box::new(move |request| Box::pin(handler(request))),
        }
    }

    /// Asks for the password again where it was typed more than a quarter of an hour ago: exports with personal data,
    /// accounts.
    #[must_use]
    pub fn fresh(mut self) -> Self {
        self.is_fresh = true;
        self
    }

    /// Is not there for whoever may not use it: files that people sent.
    #[must_use]
    pub fn hidden(mut self) -> Self {
        self.is_hidden = true;
        self
    }

    /// Stands in the navigation of those who may.
    #[must_use]
    pub fn in_menu(mut self, group: &'static str, label: &'static str) -> Self {
        self.menu = Some(MenuEntry { group, label, is_first: false });
        self
    }

    /// Stands in the navigation in a group that comes before the others: the work of every day.
    #[must_use]
    pub fn first_in_menu(mut self, group: &'static str, label: &'static str) -> Self {
        self.menu = Some(MenuEntry { group, label, is_first: true });
        self
    }

    /// Takes a form with files. The fields that every form of the back office has need not be named.
    #[must_use]
    pub fn accepts(mut self, mut accepts: Accepts) -> Self {
        accepts.texts.push(super::guard::CSRF_FIELD.to_owned());
        self.accepts = Some(accepts);
        self
    }

    /// Takes an ordinary form with long texts, up to 2 MiB instead of 64 KiB.
    #[must_use]
    pub(super) fn with_long_texts(mut self) -> Self {
        self.largest_form = LARGEST_FORM_OF_TEXTS;
        self
    }

    /// Open to accounts that still have to set up the second factor that the settings ask for.
    #[must_use]
    pub(super) fn before_second_factor(mut self) -> Self {
        self.is_before_second_factor = true;
        self
    }

    /// What the screen answers to a request that was let in.
    pub(super) async fn answer(&self, request: AdminRequest) -> Result<Reply> {
        (self.handler)(request).await
    }
}
