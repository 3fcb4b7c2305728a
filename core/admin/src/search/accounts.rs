//! The search in the accounts.

use super::{Hit, SearchContext, SearchGroup};
use crate::identity::account::{self, Account};
use festival_base::error::Result;

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
