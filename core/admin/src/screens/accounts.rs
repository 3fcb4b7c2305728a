//! The accounts of others: the owner's desk.

use serde_json::{Value, json};

use crate::account::{self, Account, NewAccount};
use crate::audit::Entry;
use crate::input::{Choice, Input};
use crate::reply::{Page, Reply};
use crate::request::{AdminRequest, nothing_here};
use crate::role::Role;
use crate::scope::{self, Scope};
use crate::{invitation, session};
use festival_base::error::Result;
use festival_base::time_text;

pub(super) async fn list(request: AdminRequest) -> Result<Reply> {
    let zone = &request.site.time_zone;
    let mut connection = request.read().await?;
    let own = request.account()?.id;
    let rows: Vec<Value> = account::list(&mut connection)
        .await?
        .iter()
        .map(|account| {
            json!({
                "href": format!("/admin/accounts/{}", account.id),
                "name": account.name,
                "email": account.email,
                "role": account.role().label(),
                "scope": account.scope().text(),
                "state": account.state(),
                "second_factor": account.has_second_factor(),
                "signed_in": account.signed_in_at.as_deref().map(|at| time_text::short(at, zone)),
                "own": account.id == own,
            })
        })
        .collect();
    let roles = Role::ALL.map(|role| json!({ "label": role.label(), "meaning": role.meaning() }));
    Ok(Reply::page("accounts", "Accounts").with("rows", rows).with("roles", roles).into())
}

/// The roles to choose from; `chosen` is the key of the present one.
fn role_input(chosen: &str) -> Input {
    let choice = |role: Role| Choice::new(role.key(), format!("{}: {}", role.label(), role.meaning()), chosen);
    Input::radio("role", "Role", Role::ALL.map(choice).into()).required()
}

fn name_input(name: &str) -> Input {
    Input::text("name", "Name").value(name).required()
}

async fn new_form(request: &AdminRequest, name: &str, email: &str, role: &str) -> Result<Page> {
    let limits = scope_inputs(request, &Scope::default()).await?;
    let page = Reply::page("account-new", "Add an account").crumb("Accounts", "/admin/accounts");
    let page = page.inputs([
        name_input(name),
        Input::new("email", "email", "E-mail address").hint("The person signs in with it.").value(email).required(),
        role_input(role),
    ]);
    Ok(page.inputs(limits))
}

/// What an account is limited to: as typed where a form was sent, else as it is kept.
async fn scope_inputs(request: &AdminRequest, kept: &Scope) -> Result<Vec<Input>> {
    let typed = match request.form.has("role") {
        true => scope::ticked(&request.admin.contents, &request.form)
            .into_iter()
            .fold(kept.clone(), |scope, (key, values)| scope.with(&key, values)),
        false => kept.clone(),
    };
    scope::inputs(&request.admin.contents, &mut *request.read().await?, &typed).await
}

pub(super) async fn show_new(request: AdminRequest) -> Result<Reply> {
    Ok(new_form(&request, "", "", Role::Editor.key()).await?.into())
}

pub(super) async fn add(request: AdminRequest) -> Result<Reply> {
    let (name, email, role) = (request.form.get("name"), request.form.get("email"), request.form.get("role"));
    match insert(&request, name, email, role).await {
        Ok((account, link)) => Ok(link_page(&account, &link, "is added").into()),
        Err(error) => Ok(new_form(&request, name, email, role).await?.refused(error)?.into()),
    }
}

async fn insert(request: &AdminRequest, name: &str, email: &str, role: &str) -> Result<(Account, String)> {
    let new = NewAccount::parse(email, name, role)?;
    let now = request.now();
    let mut write = request.write_private().await?;
    let id = account::insert(&mut write, &new, None, now).await?;
    let scope = scope::chosen(
        &request.admin.contents,
        &mut write,
        &Scope::default(),
        &scope::ticked(&request.admin.contents, &request.form),
    )
    .await?;
    account::set_scope(&mut write, id, &scope, now).await?;
    let link = link(request, &invitation::make(&mut write, id, now).await?);
    let after = json!({ "email": new.email, "name": new.name, "role": new.role.key(), "scope": scope.text() });
    request.audit(&mut write, Entry::new("add", "account").id(id).after(after)).await?;
    let account = account::find(&mut write, id).await?.ok_or_else(nothing_here)?;
    write.commit().await?;
    Ok((account, link))
}

fn link(request: &AdminRequest, token: &str) -> String {
    format!("{}/admin/invitation?token={token}", request.base_url)
}

/// Shows a link; it cannot be shown again.
fn link_page(account: &Account, link: &str, what: &str) -> Page {
    Reply::page("account-link", format!("{} {what}", account.name))
        .crumb("Accounts", "/admin/accounts")
        .with("name", &account.name)
        .with("link", link)
}

/// The account that the path names.
async fn named(request: &AdminRequest) -> Result<Account> {
    let id = request.id()?;
    let mut connection = request.read().await?;
    account::find(&mut connection, id).await?.ok_or_else(nothing_here)
}

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    let account = named(&request).await?;
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
        .inputs([name_input(name), role_input(role)])
        .inputs(limits)
        .with("state", account.state())
        .with("second_factor", account.has_second_factor())
        .with("signed_in", account.signed_in_at.as_deref().map(|at| time_text::short(at, zone)))
        .with("created", time_text::short(&account.created_at, zone))
        .with("own", account.id == request.account()?.id))
}

pub(super) async fn change(request: AdminRequest) -> Result<Reply> {
    let account = named(&request).await?;
    let (name, role) = (request.form.get("name"), request.form.get("role"));
    match update(&request, &account, name, role).await {
        Ok(()) => {
            let words = format!("{} is saved.", request.form.get("name"));
            Ok(Reply::redirect("/admin/accounts").done(words).into())
        }
        Err(error) => Ok(edit_form(&request, &account, name, role).await?.refused(error)?.into()),
    }
}

async fn update(request: &AdminRequest, account: &Account, name: &str, role: &str) -> Result<()> {
    let new = NewAccount::parse(&account.email, name, role)?;
    let mut write = request.write_private().await?;
    account::update(&mut write, account.id, &new.name, new.role, request.now()).await?;
    let kept = account.scope();
    let scope = scope::chosen(
        &request.admin.contents,
        &mut write,
        &kept,
        &scope::ticked(&request.admin.contents, &request.form),
    )
    .await?;
    account::set_scope(&mut write, account.id, &scope, request.now()).await?;
    if new.role != account.role() || scope != kept {
        // Rights that changed begin with a new sign-in.
        session::end_all(&mut write, account.id).await?;
    }
    let said =
        |name: &str, role: Role, scope: &Scope| json!({ "name": name, "role": role.key(), "scope": scope.text() });
    let entry = Entry::new("change", "account").id(account.id);
    let entry = entry.before(said(&account.name, account.role(), &kept)).after(said(&new.name, new.role, &scope));
    request.audit(&mut write, entry).await?;
    write.commit().await
}

/// A page that asks before something is done to an account.
fn ask(account: &Account, what: &'static str, title: String, words: &str, button: &str) -> Page {
    let above = format!("/admin/accounts/{}", account.id);
    Reply::page("ask", title)
        .crumb("Accounts", "/admin/accounts")
        .crumb(account.name.as_str(), above.as_str())
        .with("words", words)
        .with("action", format!("{above}/{what}"))
        .with("button", button)
        .with("danger", true)
        .with("back", above)
}

fn disable_form(account: &Account) -> Page {
    let words = "Every browser of this person is signed out at once. What the person did stays; you can enable the account again.";
    ask(account, "disable", format!("Disable {}?", account.name), words, "Disable the account")
}

pub(super) async fn ask_disable(request: AdminRequest) -> Result<Reply> {
    Ok(disable_form(&named(&request).await?).into())
}

pub(super) async fn disable(request: AdminRequest) -> Result<Reply> {
    let account = named(&request).await?;
    let mut write = request.write_private().await?;
    if let Err(error) = account::set_disabled(&mut write, account.id, true, request.now()).await {
        write.rollback().await?;
        return Ok(disable_form(&account).refused(error)?.into());
    }
    session::end_all(&mut write, account.id).await?;
    invitation::withdraw(&mut write, account.id).await?;
    request.audit(&mut write, Entry::new("disable", "account").id(account.id)).await?;
    write.commit().await?;
    Ok(Reply::redirect("/admin/accounts").done(format!("{} is disabled.", account.name)).into())
}

pub(super) async fn enable(request: AdminRequest) -> Result<Reply> {
    let account = named(&request).await?;
    let mut write = request.write_private().await?;
    account::set_disabled(&mut write, account.id, false, request.now()).await?;
    request.audit(&mut write, Entry::new("enable", "account").id(account.id)).await?;
    write.commit().await?;
    Ok(Reply::redirect("/admin/accounts").done(format!("{} is enabled.", account.name)).into())
}

pub(super) async fn ask_reset(request: AdminRequest) -> Result<Reply> {
    let account = named(&request).await?;
    let words = "You get a link with which this person chooses a new password. The old password and the second factor \
                 stop working now, and every browser of the person is signed out.";
    let title = format!("Let {} choose a new password?", account.name);
    Ok(ask(&account, "reset", title, words, "Make the link").into())
}

pub(super) async fn reset(request: AdminRequest) -> Result<Reply> {
    let account = named(&request).await?;
    let now = request.now();
    let mut write = request.write_private().await?;
    account::reset(&mut write, account.id, now).await?;
    let link = link(&request, &invitation::make(&mut write, account.id, now).await?);
    request.audit(&mut write, Entry::new("reset", "account").id(account.id)).await?;
    write.commit().await?;
    Ok(link_page(&account, &link, "can choose a new password").into())
}
