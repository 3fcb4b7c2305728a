//! Management of accounts, for owners.

use serde_json::{Value, json};

use super::forgotten;
use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::identity::account::{self, Account, NewAccount};
use crate::identity::role::{EDITOR, Role};
use crate::identity::scope::{self, Scope};
use crate::identity::{invitation, session};
use crate::serving::input::{Choice, Input};
use crate::serving::reply::{Page, Reply};
use crate::serving::request::nothing_here;
use festival_base::db::Write;
use festival_base::error::Result;
use festival_base::time_text;

/// Name of the checkbox that sends the link by mail.
const BY_MAIL: &str = "by_mail";

pub(super) async fn list(request: AdminRequest) -> Result<Reply> {
    let zone = &request.site.time_zone;
    let mut connection = request.read().await?;
    let own = request.account()?.id;
    let rows: Vec<Value> = account::list(&mut connection, &request.admin.contents.roles)
        .await?
        .iter()
        .map(|account| {
            json!({
                "href": format!("/admin/accounts/{}", account.id),
                "name": account.name,
                "email": account.email,
                "role": account.role().label,
                "scope": account.scope().text(),
                "state": account.state(),
                "second_factor": account.has_second_factor(),
                "signed_in": account.signed_in_at.as_deref().map(|at| time_text::short(at, zone)),
                "own": account.id == own,
            })
        })
        .collect();
    let roles = request.admin.contents.roles.iter();
    let roles: Vec<Value> = roles.map(|role| json!({ "label": role.label, "description": role.description })).collect();
    Ok(Reply::page("accounts", "Accounts").with("rows", rows).with("roles", roles).into())
}

/// Returns the input for the role; `chosen` is the key of the current one.
fn role_input(request: &AdminRequest, chosen: &str) -> Input {
    let choice = |role: &&Role| Choice::new(role.key, format!("{}: {}", role.label, role.description), chosen);
    Input::radio("role", "Role", request.admin.contents.roles.iter().map(choice).collect()).required()
}

fn name_input(name: &str) -> Input {
    Input::text("name", "Name").value(name).required()
}

async fn new_form(request: &AdminRequest, name: &str, email: &str, role: &str) -> Result<Page> {
    let limits = scope_inputs(request, &Scope::default()).await?;
    let page = Reply::page("account-new", "Add an account").crumb("Accounts", "/admin/accounts");
    let page = page.inputs([
        name_input(name),
        Input::new("email", "email", "E-mail address").hint("Used to sign in.").value(email).required(),
        role_input(request, role),
    ]);
    Ok(page.inputs(limits).inputs(by_mail(request)))
}

/// Returns the inputs for the limits of an account, with the submitted values if there are any, else with the stored
/// ones.
async fn scope_inputs(request: &AdminRequest, stored: &Scope) -> Result<Vec<Input>> {
    let scope = match request.form.has("role") {
        true => scope::from_form(&request.admin.contents.limits, &request.form)
            .into_iter()
            .fold(stored.clone(), |scope, (key, values)| scope.with(&key, values)),
        false => stored.clone(),
    };
    scope::inputs(&request.admin.contents.limits, &mut *request.read().await?, &scope).await
}

pub(super) async fn show_new(request: AdminRequest) -> Result<Reply> {
    Ok(new_form(&request, "", "", EDITOR.key).await?.into())
}

pub(super) async fn add(request: AdminRequest) -> Result<Reply> {
    let (name, email, role) = (request.form.get("name"), request.form.get("email"), request.form.get("role"));
    match insert(&request, name, email, role).await {
        Ok((account, link)) => {
            Ok(link_page(&request, &account, &link, format!("Account for {} added", account.name)).into())
        }
        Err(error) => Ok(new_form(&request, name, email, role).await?.refused(error)?.into()),
    }
}

async fn insert(request: &AdminRequest, name: &str, email: &str, role: &str) -> Result<(Account, String)> {
    let new = NewAccount::parse(email, name, role, &request.admin.contents.roles)?;
    let mut write = request.write_private().await?;
    let id = account::insert(&mut write, &new, None, request.now()).await?;
    let scope = limit(request, &mut write, id, &Scope::default()).await?;
    let link = invitation::create(&mut write, request, id).await?;
    let after = json!({ "email": new.email, "name": new.name, "role": new.role.key, "scope": scope.text() });
    request.audit(&mut write, Entry::new("add", "account").id(id).after(after)).await?;
    let account = account::find(&mut write, id, &request.admin.contents.roles).await?.ok_or_else(nothing_here)?;
    mail_link(request, &mut write, &account, &link).await?;
    write.commit().await?;
    Ok((account, link))
}

/// Limits an account as the form says, and returns its new limits.
async fn limit(request: &AdminRequest, write: &mut Write, id: i64, before: &Scope) -> Result<Scope> {
    let limits = &request.admin.contents.limits;
    let scope = scope::apply(limits, write, before, &scope::from_form(limits, &request.form)).await?;
    account::set_scope(write, id, &scope, request.now()).await?;
    Ok(scope)
}

/// Returns the checkbox that sends the link by mail; `None` if the site has no mail server.
fn by_mail(request: &AdminRequest) -> Option<Input> {
    let chosen = !request.form.has("role") || request.form.has(BY_MAIL);
    let hint = "You will see the link too, to send it another way.";
    let input = Input::new("flag", BY_MAIL, "Send the link by mail").hint(hint).value(if chosen { "yes" } else { "" });
    forgotten::is_available(request).then_some(input)
}

/// Puts the link into the outbox if the owner ticked that checkbox.
async fn mail_link(request: &AdminRequest, write: &mut Write, account: &Account, link: &str) -> Result<()> {
    if forgotten::is_available(request) && request.form.has(BY_MAIL) {
        invitation::enqueue(write, request, account, &invitation::INVITATION, link).await?;
    }
    Ok(())
}

/// Returns the page with an invitation link, which cannot be shown again.
fn link_page(request: &AdminRequest, account: &Account, link: &str, title: String) -> Page {
    let mailed = forgotten::is_available(request) && request.form.has(BY_MAIL);
    Reply::page("account-link", title)
        .crumb("Accounts", "/admin/accounts")
        .with("name", &account.name)
        .with("email", mailed.then_some(&account.email))
        .with("link", link)
}

/// Finds the account of the path parameter `id`.
async fn account_of_path(request: &AdminRequest) -> Result<Account> {
    let id = request.id()?;
    let mut connection = request.read().await?;
    account::find(&mut connection, id, &request.admin.contents.roles).await?.ok_or_else(nothing_here)
}

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    let account = account_of_path(&request).await?;
    let (name, role) = (account.name.clone(), account.role_key.clone());
    Ok(edit_form(&request, &account, &name, &role).await?.into())
}

async fn edit_form(request: &AdminRequest, account: &Account, name: &str, role: &str) -> Result<Page> {
    let limits = scope_inputs(request, &account.scope()).await?;
    let zone = &request.site.time_zone;
    Ok(Reply::page("account-edit", account.name.as_str())
        .crumb("Accounts", "/admin/accounts")
        .with("id", account.id)
        .with("email", &account.email)
        .inputs([name_input(name), role_input(request, role)])
        .inputs(limits)
        .with("state", account.state())
        .with("second_factor", account.has_second_factor())
        .with("signed_in", account.signed_in_at.as_deref().map(|at| time_text::short(at, zone)))
        .with("created", time_text::short(&account.created_at, zone))
        .with("own", account.id == request.account()?.id))
}

pub(super) async fn change(request: AdminRequest) -> Result<Reply> {
    let account = account_of_path(&request).await?;
    let (name, role) = (request.form.get("name"), request.form.get("role"));
    match update(&request, &account, name, role).await {
        Ok(()) => {
            let message = format!("Account of {} saved.", request.form.get("name"));
            Ok(Reply::redirect("/admin/accounts").done(message).into())
        }
        Err(error) => Ok(edit_form(&request, &account, name, role).await?.refused(error)?.into()),
    }
}

async fn update(request: &AdminRequest, account: &Account, name: &str, role: &str) -> Result<()> {
    let new = NewAccount::parse(&account.email, name, role, &request.admin.contents.roles)?;
    let mut write = request.write_private().await?;
    account::update(&mut write, account.id, &new.name, new.role, request.now()).await?;
    let scope_before = account.scope();
    let scope = limit(request, &mut write, account.id, &scope_before).await?;
    if new.role != account.role() || scope != scope_before {
        // Changed permissions take effect with a new sign-in.
        session::end_all(&mut write, account.id).await?;
    }
    let fields =
        |name: &str, role: &Role, scope: &Scope| json!({ "name": name, "role": role.key, "scope": scope.text() });
    let entry = Entry::new("change", "account").id(account.id);
    let entry =
        entry.before(fields(&account.name, account.role(), &scope_before)).after(fields(&new.name, new.role, &scope));
    request.commit(write, entry).await
}

/// Returns a page that asks for confirmation of `action` on an account.
fn confirmation(account: &Account, action: &'static str, title: String, message: &str, button: &str) -> Page {
    let above = format!("/admin/accounts/{}", account.id);
    Reply::page("confirmation", title)
        .crumb("Accounts", "/admin/accounts")
        .crumb(account.name.as_str(), above.as_str())
        .with("message", message)
        .with("action", format!("{above}/{action}"))
        .with("button", button)
        .with("danger", true)
        .with("back", above)
}

fn disable_form(account: &Account) -> Page {
    let message = "This person will be signed out everywhere. Their work stays, and you can enable the account again.";
    confirmation(account, "disable", format!("Disable {}?", account.name), message, "Disable account")
}

pub(super) async fn ask_disable(request: AdminRequest) -> Result<Reply> {
    Ok(disable_form(&account_of_path(&request).await?).into())
}

pub(super) async fn disable(request: AdminRequest) -> Result<Reply> {
    let account = account_of_path(&request).await?;
    let mut write = request.write_private().await?;
    if let Err(error) = account::set_disabled(&mut write, account.id, true, request.now()).await {
        write.rollback().await?;
        return Ok(disable_form(&account).refused(error)?.into());
    }
    session::end_all(&mut write, account.id).await?;
    invitation::revoke(&mut write, account.id).await?;
    request.commit(write, Entry::new("disable", "account").id(account.id)).await?;
    Ok(Reply::redirect("/admin/accounts").done(format!("Account of {} disabled.", account.name)).into())
}

pub(super) async fn enable(request: AdminRequest) -> Result<Reply> {
    let account = account_of_path(&request).await?;
    let mut write = request.write_private().await?;
    account::set_disabled(&mut write, account.id, false, request.now()).await?;
    request.commit(write, Entry::new("enable", "account").id(account.id)).await?;
    Ok(Reply::redirect("/admin/accounts").done(format!("Account of {} enabled.", account.name)).into())
}

pub(super) async fn ask_reset(request: AdminRequest) -> Result<Reply> {
    let account = account_of_path(&request).await?;
    let message = "You will get a link for this person to choose a new password. The old password and the second factor stop \
                   working now, and the person is signed out everywhere.";
    let title = format!("Reset the password of {}?", account.name);
    Ok(confirmation(&account, "reset", title, message, "Create link").inputs(by_mail(&request)).into())
}

pub(super) async fn reset(request: AdminRequest) -> Result<Reply> {
    let account = account_of_path(&request).await?;
    let mut write = request.write_private().await?;
    account::reset(&mut write, account.id, request.now()).await?;
    let link = invitation::create(&mut write, &request, account.id).await?;
    mail_link(&request, &mut write, &account, &link).await?;
    request.commit(write, Entry::new("reset", "account").id(account.id)).await?;
    Ok(link_page(&request, &account, &link, format!("Password of {} reset", account.name)).into())
}
