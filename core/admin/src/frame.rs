//! What stands around every page: who is signed in, where one can go, what was just done.

use rocket::http::Method;
use serde::Serialize;
use serde_json::{Value, json};

use super::BackOffice;
use super::account::Account;
use super::contents::BackOfficeContents;
use super::reply::{Flash, Page, Reply};
use super::request::AdminRequest;
use festival_base::error::Error;

/// What is known of a request when its page is printed.
pub(super) struct Frame {
    path: String,
    csrf: String,
    account: Option<Account>,
    pub(super) flash: Option<Flash>,
}

/// A heading of the navigation with its entries.
#[derive(Serialize)]
pub(super) struct Group {
    label: String,
    entries: Vec<Entry>,
    #[serde(skip)]
    is_first: bool,
}

#[derive(Serialize)]
struct Entry {
    label: String,
    href: String,
    current: bool,
}

impl Frame {
    pub(super) fn of(request: &AdminRequest, flash: Option<Flash>) -> Self {
        Self {
            path: request.path.clone(),
            csrf: request.csrf.clone(),
            account: request.person.as_ref().map(|person| person.account.clone()),
            flash,
        }
    }

    /// The values of the template: those of the page, and `frame`.
    pub(super) fn around(self, admin: &BackOffice, page: Page) -> Value {
        let mut data = page.data;
        data.insert("inputs".to_owned(), json!(page.inputs));
        data.entry("problems").or_insert_with(|| json!([]));
        let nav =
            self.account.as_ref().map(|account| navigation(&admin.contents, account, &self.path)).unwrap_or_default();
        let account = self
            .account
            .as_ref()
            .map(|account| json!({ "name": account.name, "email": account.email, "role": account.role().label() }));
        data.insert(
            "frame".to_owned(),
            json!({
                "title": page.title,
                "crumbs": page.crumbs,
                "product": admin.site.settings.product.name,
                "path": self.path,
                "csrf": self.csrf,
                "account": account,
                "nav": nav,
                "flash": self.flash,
            }),
        );
        Value::Object(data)
    }
}

/// What the person with `account` may go to, by group. Of two entries that lead here, the longer address is the current one.
pub(super) fn navigation(contents: &BackOfficeContents, account: &Account, here: &str) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut longest = 0;
    for screen in contents.screens.iter().filter(|screen| screen.method == Method::Get) {
        let Some(menu) = screen.menu.filter(|_| screen.permission.allows(Some(account))) else { continue };
        let href = screen.path.for_openapi();
        let below = here.strip_prefix(href.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if below {
            longest = longest.max(href.len());
        }
        let entry = Entry { label: capital(menu.label), current: below, href };
        let label = capital(menu.group);
        match groups.iter_mut().find(|group| group.label == label) {
            Some(group) => group.entries.push(entry),
            None => groups.push(Group { label, entries: vec![entry], is_first: menu.is_first }),
        }
    }
    groups.sort_by_key(|group| !group.is_first);
    for entry in groups.iter_mut().flat_map(|group| &mut group.entries) {
        entry.current &= entry.href.len() == longest;
    }
    groups
}

/// "Upcoming events": words at the beginning of something.
pub(super) fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The page of an error.
pub(super) fn error(error: &Error) -> Page {
    let title = match error {
        Error::NotFound(_) => "Nothing here",
        Error::Closed(_) => "Not open to you",
        Error::Internal(_) | Error::Unavailable(_) | Error::NoRoom { .. } => "That did not work",
        _ => "That cannot be used",
    };
    let mut page = Reply::page("error", title).with("words", error.to_string()).status(error.status());
    page.retry_after = error.retry_after();
    page
}
