//! The mail to every owner when settings change that have to be confirmed.

use super::Group;
use super::value::Difference;
use crate::back_office::AdminRequest;
use crate::identity::account;
use festival_base::db::Write;
use festival_base::error::Result;
use festival_base::time_text;
use festival_mail::{Mailbox, Template, Values};

/// Enqueues a mail to every enabled owner, in the transaction of the change.
pub(super) async fn notify_owners(
    request: &AdminRequest,
    write: &mut Write,
    (group, mail): (&Group, &Template),
    differences: &[Difference],
) -> Result<()> {
    let (site, account, now) = (&request.site, request.account()?, request.now());
    let changes: Vec<String> = differences
        .iter()
        .map(|difference| {
            let after = if difference.after.is_empty() { "nothing" } else { &difference.after };
            format!("{}\n  before: {}\n  after:  {after}", difference.label, masked(&difference.before))
        })
        .collect();
    let values = Values::from([
        ("festival", site.settings.product.full_name.clone()),
        ("short_name", site.settings.product.name.clone()),
        ("who", account.name.clone()),
        ("email", account.email.clone()),
        ("changes", changes.join("\n\n")),
        ("when", time_text::long(&festival_base::db::timestamp_text(now), &site.time_zone)),
        ("network", request.network.clone()),
        ("history", format!("{}{}/history", request.base_url, group.path())),
        ("accounts", format!("{}/admin/accounts", request.base_url)),
    ]);
    let owners = account::list(write, &request.admin.contents.roles).await?;
    for owner in owners.iter().filter(|account| account.is_enabled() && account.is_owner()) {
        let to = Mailbox::new(&owner.name, &owner.email);
        let message = mail.message((&site.settings, &values), (to, None), now)?;
        festival_mail::enqueue(write, &message).await?;
    }
    Ok(())
}

/// Masks a value but for what identifies it: the end of a number, the bank of a UPI ID.
pub fn masked(text: &str) -> String {
    let count = text.chars().count();
    match text.split_once('@') {
        _ if text.is_empty() => "nothing".to_owned(),
        Some((name, bank)) => format!("{}•••@{bank}", name.chars().take(1).collect::<String>()),
        None if count <= 6 => "•••".to_owned(),
        None => format!("•••{}", text.chars().skip(count - 4).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn masked_value_is_recognisable_but_not_disclosed() {
        assert_eq!(masked("0011 2233 4455"), "•••4455");
        assert_eq!(masked("lamp@examplebank"), "l•••@examplebank");
        assert_eq!(masked("123456"), "•••");
        assert_eq!(masked(""), "nothing");
    }
}
