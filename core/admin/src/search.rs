//! The search over everything that an account may see: screens, settings, records, accounts, and what modules add with
//! `Registry::search`.

use std::sync::Arc;

use serde::Serialize;
use serde_json::json;

use super::account::{self, Account};
use super::audit::Entry;
use super::frame::navigation;
use super::reply::Reply;
use super::request::AdminRequest;
use super::role::{Action, CONTENT, Resource};
use super::scope::Scope;
use super::{BackOffice, entities, screens};
use festival_base::error::Result;
use festival_web::site::Site;

pub(super) const HOME: &str = "/admin/search";

/// Hits of a kind that are listed; of the others their number is told.
pub const MAX_HITS: u16 = 5;
/// Longest search, in characters.
const MAX_CHARS: usize = 200;

/// What is searched for, and by whom.
#[derive(Clone)]
pub struct SearchContext {
    /// The site.
    pub site: Arc<Site>,
    /// The words; never empty.
    pub text: String,
    account: Account,
    admin: Arc<BackOffice>,
}

impl SearchContext {
    /// Whether the account may perform `action` on `resource`.
    pub fn may(&self, resource: &Resource, action: Action) -> bool {
        self.account.may(resource, action)
    }

    /// The part of the submissions that the account is limited to.
    pub fn scope(&self) -> Scope {
        self.account.scope()
    }
}

/// The hits of one kind.
#[derive(Debug, Serialize)]
pub struct SearchGroup {
    /// The heading: "Delegates".
    pub label: String,
    /// The first hits, [`MAX_HITS`] at most.
    pub hits: Vec<Hit>,
    /// Number of all.
    pub total: i64,
    /// The list of all; `None` if there is none.
    pub href: Option<String>,
    /// The table, if its rows are people who write to the festival: the audit log tells that they were shown.
    pub people: Option<&'static str>,
}

impl SearchGroup {
    /// What is found within the program itself: all of it is listed.
    fn all(label: &str, hits: Vec<Hit>) -> Self {
        Self { label: label.to_owned(), total: hits.len() as i64, hits, href: None, people: None }
    }
}

/// A hit.
#[derive(Debug, Serialize)]
pub struct Hit {
    /// What it is called.
    pub title: String,
    /// What tells it from others, or "".
    pub beside: String,
    /// The page that shows it.
    pub href: String,
}

/// The address of a list with this search.
pub fn list_address(list: &str, text: &str) -> String {
    form_urlencoded::Serializer::new(format!("{list}?")).append_pair("q", text).finish()
}

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    let text: String = request.query.get("q").trim().chars().take(MAX_CHARS).collect();
    let groups = if text.is_empty() { Vec::new() } else { find(&request, &text).await? };
    let page = Reply::page("search", "Search").with("search", &text).with("groups", &groups);
    let people: Vec<_> = groups.iter().filter_map(|group| Some((group.people?, group.hits.len()))).collect();
    if people.is_empty() {
        return Ok(page.shows_nobody().into());
    }
    // Not the search itself, which may be somebody's name.
    let shown: serde_json::Map<String, _> =
        people.into_iter().map(|(table, hits)| (table.to_owned(), json!(hits))).collect();
    Ok(page.shows_people(Entry::new("list", "search").after(json!({ "rows": shown }))).into())
}

async fn find(request: &AdminRequest, text: &str) -> Result<Vec<SearchGroup>> {
    let account = request.account()?;
    let context = SearchContext {
        site: request.site.clone(),
        text: text.to_owned(),
        account: account.clone(),
        admin: request.admin.clone(),
    };
    let contents = &request.admin.contents;
    let terms: Vec<String> = text.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let has = |text: &str| {
        let text = text.to_lowercase();
        terms.iter().all(|word| text.contains(word))
    };
    let screens = navigation(contents, account, "").into_iter().flat_map(|group| group.matching(&has)).collect();
    let settings_groups = contents.settings.iter().filter(|group| account.may(group.resource, Action::View));
    let settings = settings_groups.flat_map(|group| {
        let items = group.items.iter().filter(|item| has(&format!("{} {}", group.label, item.field.label)));
        items.map(|item| Hit {
            title: item.field.label.to_owned(),
            beside: group.label.to_owned(),
            href: screens::settings::path_of(group),
        })
    });
    let mails = contents.mails.iter().filter(|mail| account.may(mail.group.resource, Action::View));
    let mails = mails.filter(|mail| has(&format!("{} {}", screens::mail_texts::LABEL, mail.template.name)));
    let mails = mails.map(|mail| Hit {
        title: mail.template.name.to_owned(),
        beside: screens::mail_texts::LABEL.to_owned(),
        href: screens::settings::path_of(mail.group),
    });
    let settings = settings.chain(mails).collect();
    let mut groups = vec![SearchGroup::all("Screens", screens), SearchGroup::all("Settings", settings)];
    for source in &contents.searches {
        groups.extend(source.of(account, &context).await?);
    }
    if account.may(&CONTENT, Action::View) {
        groups.extend(entities::search(&context).await?);
    }
    groups.retain(|group| !group.hits.is_empty());
    // Nobody needs the list of what is all here.
    for group in groups.iter_mut().filter(|group| group.total == group.hits.len() as i64) {
        group.href = None;
    }
    Ok(groups)
}

/// The accounts with these words in name or address.
pub(super) async fn accounts(context: SearchContext) -> Result<Vec<SearchGroup>> {
    let accounts = account::list(&mut *context.site.db.read().await?, &context.admin.contents.roles).await?;
    let terms: Vec<String> = context.text.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let is_meant = |account: &&Account| {
        let text = format!("{} {}", account.name, account.email).to_lowercase();
        terms.iter().all(|word| text.contains(word))
    };
    let hit = |account: &Account| Hit {
        title: account.name.clone(),
        beside: account.email.clone(),
        href: format!("/admin/accounts/{}", account.id),
    };
    Ok(vec![SearchGroup::all("Accounts", accounts.iter().filter(is_meant).map(hit).collect())])
}
