//! The page of the search, and the search in the accounts.

use serde_json::json;

use super::{Hit, SearchContext, SearchGroup};
use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::entities;
use crate::identity::account::{self, Account};
use crate::identity::role::Action;
use crate::screens::mail_texts;
use crate::serving::frame::navigation;
use crate::serving::reply::Reply;
use festival_base::error::Result;

/// Path of the search.
pub(crate) const HOME: &str = "/admin/search";

/// Maximum length of a search, in characters.
const MAX_CHARS: usize = 200;

/// `GET /admin/search`
pub(crate) async fn show(request: AdminRequest) -> Result<Reply> {
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
    let contents = &request.admin.contents;
    let context = SearchContext {
        site: request.site.clone(),
        text: text.to_owned(),
        account: account.clone(),
        roles: contents.roles.clone(),
    };
    let has = |text: &str| context.is_found_in(text);
    let screens = navigation(contents, account, "").into_iter().flat_map(|group| group.matching(&has)).collect();
    let settings_groups = contents.settings.iter().filter(|group| account.may(group.resource, Action::View));
    let settings = settings_groups.flat_map(|group| {
        let items = group.items.iter().filter(|item| has(&format!("{} {}", group.label, item.field.label)));
        items.map(|item| Hit { title: item.field.label.to_owned(), beside: group.label.to_owned(), href: group.path() })
    });
    let mails = contents.mails.iter().filter(|mail| account.may(mail.group.resource, Action::View));
    let mails = mails.filter(|mail| has(&format!("{} {}", mail_texts::LABEL, mail.template.name)));
    let mails = mails.map(|mail| Hit {
        title: mail.template.name.to_owned(),
        beside: mail_texts::LABEL.to_owned(),
        href: mail.group.path(),
    });
    let settings = settings.chain(mails).collect();
    let mut groups = vec![SearchGroup::all("Screens", screens), SearchGroup::all("Settings", settings)];
    for source in &contents.searches {
        groups.extend(source.of(account, &context).await?);
    }
    groups.extend(entities::search(&context, &contents.open_to(account)).await?);
    groups.retain(|group| !group.hits.is_empty());
    // If all hits are shown here, a link to the list is of no use.
    for group in groups.iter_mut().filter(|group| group.total == group.hits.len() as i64) {
        group.href = None;
    }
    Ok(groups)
}

/// Finds the accounts with these words in name or address.
pub(crate) async fn accounts(context: SearchContext) -> Result<Vec<SearchGroup>> {
    let accounts = account::list(&mut *context.site.db.read().await?, &context.roles).await?;
    let is_meant = |account: &&Account| context.is_found_in(&format!("{} {}", account.name, account.email));
    let hit = |account: &Account| Hit {
        title: account.name.clone(),
        beside: account.email.clone(),
        href: format!("/admin/accounts/{}", account.id),
    };
    Ok(vec![SearchGroup::all("Accounts", accounts.iter().filter(is_meant).map(hit).collect())])
}
