//! A link by mail for people who forgot their password.

use crate::audit::{self, Entry};
use crate::back_office::AdminRequest;
use crate::identity::account::{self, normalized_email};
use crate::identity::invitation;
use crate::identity::throttle::Attempt;
use crate::serving::input::Input;
use crate::serving::reply::{Page, Reply};
use crate::serving::request::nothing_here;
use festival_base::error::Result;

pub(super) const PATH: &str = "/admin/forgotten";

/// The reply in every case, so that it does not reveal whether the account exists.
const SENT: &str =
    "If there is an account with this address, a mail with a link is on its way. It can take a few minutes.";

/// Whether the site can send links: without a mail server nobody would get them.
pub(super) fn is_available(request: &AdminRequest) -> bool {
    !request.site.settings.mail.host.is_empty()
}

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    if !is_available(&request) {
        return Err(nothing_here());
    }
    Ok(form("").into())
}

fn form(email: &str) -> Page {
    Reply::page("forgotten", "Choose a new password")
        .inputs([Input::new("email", "email", "E-mail address").value(email).required().autocomplete("username")])
}

pub(super) async fn send(request: AdminRequest) -> Result<Reply> {
    if !is_available(&request) {
        return Err(nothing_here());
    }
    let email = normalized_email(request.form.get("email"));
    if let Err(error) = Attempt::link(&email, &request.network).record(&request.site.db, request.now()).await {
        return Ok(form(&email).refused(error)?.into());
    }
    let mut write = request.write_private().await?;
    if let Some(account) = account::find_by_email(&mut write, &email, &request.admin.contents.roles)
        .await?
        .filter(account::Account::is_enabled)
    {
        invitation::mail_forgotten(&mut write, &request, &account).await?;
        let entry = Entry::new("ask for link", "account").id(account.id);
        audit::record(&mut write, None, &request.network, entry, request.now()).await?;
    }
    write.commit().await?;
    Ok(Reply::redirect("/admin/sign-in").done(SENT).into())
}
