//! The layout around every page: user, navigation, breadcrumbs, flash message.

use rocket::http::Method;
use serde::Serialize;
use serde_json::{Value, json};

use crate::back_office::{AdminRequest, BackOffice, BackOfficeContents};
use crate::identity::account::Account;
use crate::search::Hit;
use crate::serving::reply::{Flash, Page, Reply};
use festival_base::db::timestamp_text;
use festival_base::error::Error;
use festival_base::time_text;

/// The parts of a request that the layout shows.
pub(crate) struct Frame {
    path: String,
    csrf: String,
    account: Option<Account>,
    is_for_visitors: bool,
    pub(crate) flash: Option<Flash>,
}

/// A group of the navigation.
#[derive(Serialize)]
pub(crate) struct NavGroup {
    label: String,
    /// Names its icon: "people-and-records".
    key: String,
    entries: Vec<NavEntry>,
    /// Whether its entries are shown at once: the group of the present page, or else the first one.
    open: bool,
    #[serde(skip)]
    is_first: bool,
}

#[derive(Serialize)]
struct NavEntry {
    label: String,
    href: String,
    current: bool,
}

impl NavGroup {
    /// Returns its entries if the label of the entry or of the group contains the search text.
    pub(crate) fn matching(self, has: &impl Fn(&str) -> bool) -> Vec<Hit> {
        let group = self.label;
        let entries = self.entries.into_iter().filter(|entry| has(&format!("{group} {}", entry.label)));
        entries.map(|entry| Hit { title: entry.label, beside: group.clone(), href: entry.href }).collect()
    }
}

impl Frame {
    pub(crate) fn new(request: &AdminRequest, flash: Option<Flash>) -> Self {
        Self {
            path: request.path.clone(),
            csrf: request.csrf.clone(),
            account: request.user.as_ref().map(|user| user.account.clone()),
            is_for_visitors: !request.path.starts_with("/admin"),
            flash,
        }
    }

    /// Returns the data of the template: the values of the page, and `frame` for the layout.
    pub(crate) fn template_data(self, admin: &BackOffice, page: Page) -> Value {
        let mut data = page.data;
        data.insert("inputs".to_owned(), json!(page.inputs));
        data.entry("problems").or_insert_with(|| json!([]));
        let nav =
            self.account.as_ref().map(|account| navigation(&admin.contents, account, &self.path)).unwrap_or_default();
        let account = self
            .account
            .as_ref()
            .map(|account| json!({ "name": account.name, "email": account.email, "role": account.role().label }));
        data.insert(
            "frame".to_owned(),
            json!({
                "now": time_text::long(&timestamp_text(admin.site.clock.now()), &admin.site.time_zone),
                "title": page.title,
                "crumbs": page.crumbs,
                "product": admin.site.settings.product.name,
                "path": self.path,
                "module": admin.templates.module_of(&page.template),
                "csrf": self.csrf,
                "account": account,
                "for_visitors": self.is_for_visitors,
                "nav": nav,
                "flash": self.flash,
            }),
        );
        Value::Object(data)
    }
}

/// Returns the navigation of `account`. The entry with the longest path that is a prefix of `current_path` is marked as
/// current.
pub(crate) fn navigation(contents: &BackOfficeContents, account: &Account, current_path: &str) -> Vec<NavGroup> {
    let mut groups: Vec<NavGroup> = Vec::new();
    let mut longest = 0;
    for screen in contents.screens.iter().filter(|screen| screen.method == Method::Get) {
        let Some(menu) = screen.menu.filter(|_| screen.permission.allows(Some(account))) else { continue };
        let href = screen.path.for_openapi();
        let is_prefix =
            current_path.strip_prefix(href.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if is_prefix {
            longest = longest.max(href.len());
        }
        let entry = NavEntry { label: capitalized(menu.label), current: is_prefix, href };
        let label = capitalized(menu.group);
        match groups.iter_mut().find(|group| group.label == label) {
            Some(group) => group.entries.push(entry),
            None => {
                let key = label.to_lowercase().replace(' ', "-");
                groups.push(NavGroup { label, key, entries: vec![entry], open: false, is_first: menu.is_first });
            }
        }
    }
    // Incoming items come first, then the groups of the modules in the order of the season; rarely needed ones come
    // last.
    let place = |label: &str| {
        let place = contents.menu_places.iter().find(|(group, _)| capitalized(group) == label);
        place.map_or(u8::MAX, |(_, place)| *place)
    };
    groups.sort_by_key(|group| match group.label.as_str() {
        _ if group.is_first => (0, 0),
        "Site" | "People and records" => (2, 0),
        label => (1, place(label)),
    });
    for entry in groups.iter_mut().flat_map(|group| &mut group.entries) {
        entry.current &= entry.href.len() == longest;
    }
    let is_present = |group: &NavGroup| group.entries.iter().any(|entry| entry.current);
    let present = groups.iter().position(is_present).unwrap_or_default();
    if let Some(group) = groups.get_mut(present) {
        group.open = true;
    }
    groups
}

/// Returns `text` with an upper-case first letter: "Upcoming events".
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns the page that shows `error`.
pub(crate) fn error_page(error: &Error) -> Page {
    let title = match error {
        Error::NotFound(_) => "Nothing here",
        Error::Closed(_) => "Not open to you",
        Error::Internal(_) | Error::Unavailable(_) | Error::NoRoom { .. } => "That did not work",
        _ => "That cannot be used",
    };
    let mut page = Reply::page("error", title).with("message", error.to_string()).status(error.status());
    page.retry_after = error.retry_after();
    page
}
