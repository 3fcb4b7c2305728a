//! The accounts of others: the owner's desk.

use serde_json::{Value, json};

use crate::account::{self, Account, NewAccount};
use crate::audit::Entry;
use crate::input::{Choice, Input};
use crate::reply::{Page, Reply};
use crate::role::Role;
use crate::scope::{self, Scope};
use crate::visit::{Visit, nothing_here};
use crate::{invitation, session};
use festival_base::error::Result;
use festival_base::time_text;

pub(super) async fn list(visit: Visit) -> Result<Reply> {
    let zone = &visit.site.time_zone;
    let mut connection = visit.read().await?;
    let own = visit.account()?.id;
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

async fn new_form(visit: &Visit, name: &str, email: &str, role: &str) -> Result<Page> {
    let limits = scope_inputs(visit, &Scope::default()).await?;
    let page = Reply::page("account-new", "Add an account").crumb("Accounts", "/admin/accounts");
    let page = page.inputs([
        name_input(name),
        Input::new("email", "email", "E-mail address").hint("The person signs in with it.").value(email).required(),
        role_input(role),
    ]);
    Ok(page.inputs(limits))
}

/// What an account is limited to: as typed where a form was sent, else as it is kept.
async fn scope_inputs(visit: &Visit, kept: &Scope) -> Result<Vec<Input>> {
    let typed = match visit.form.has("role") {
        true => scope::ticked(&visit.admin.contents, &visit.form)
            .into_iter()
            .fold(kept.clone(), |scope, (key, values)| scope.with(&key, values)),
        false => kept.clone(),
    };
    scope::inputs(&visit.admin.contents, &mut *visit.read().await?, &typed).await
}

pub(super) async fn show_new(visit: Visit) -> Result<Reply> {
    Ok(new_form(&visit, "", "", Role::Editor.key()).await?.into())
}

pub(super) async fn add(visit: Visit) -> Result<Reply> {
    let (name, email, role) = (visit.form.get("name"), visit.form.get("email"), visit.form.get("role"));
    match insert(&visit, name, email, role).await {
        Ok((account, link)) => Ok(link_page(&account, &link, "is added").into()),
        Err(error) => Ok(new_form(&visit, name, email, role).await?.refused(error)?.into()),
    }
}

async fn insert(visit: &Visit, name: &str, email: &str, role: &str) -> Result<(Account, String)> {
    let new = NewAccount::parse(email, name, role)?;
    let now = visit.now();
    let mut write = visit.write().await?;
    let id = account::insert(&mut write, &new, None, now).await?;
    let scope = scope::chosen(
        &visit.admin.contents,
        &mut write,
        &Scope::default(),
        &scope::ticked(&visit.admin.contents, &visit.form),
    )
    .await?;
    account::set_scope(&mut write, id, &scope, now).await?;
    let link = link(visit, &invitation::make(&mut write, id, now).await?);
    let after = json!({ "email": new.email, "name": new.name, "role": new.role.key(), "scope": scope.text() });
    visit.audit(&mut write, Entry::new("add", "account").id(id).after(after)).await?;
    let account = account::find(&mut write, id).await?.ok_or_else(nothing_here)?;
    write.commit().await?;
    Ok((account, link))
}

fn link(visit: &Visit, token: &str) -> String {
    format!("{}/admin/invitation?token={token}", visit.base_url)
}

/// Shows a link; it cannot be shown again.
fn link_page(account: &Account, link: &str, what: &str) -> Page {
    Reply::page("account-link", format!("{} {what}", account.name))
        .crumb("Accounts", "/admin/accounts")
        .with("name", &account.name)
        .with("link", link)
}

/// The account that the path names.
async fn named(visit: &Visit) -> Result<Account> {
    let id = visit.id()?;
    let mut connection = visit.read().await?;
    account::find(&mut connection, id).await?.ok_or_else(nothing_here)
}

pub(super) async fn show(visit: Visit) -> Result<Reply> {
    let account = named(&visit).await?;
    let (name, role) = (account.name.clone(), account.role_key.clone());
    Ok(edit_form(&visit, &account, &name, &role).await?.into())
}

async fn edit_form(visit: &Visit, account: &Account, name: &str, role: &str) -> Result<Page> {
    let limits = scope_inputs(visit, &account.scope()).await?;
    let zone = &visit.site.time_zone;
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
        .with("own", account.id == visit.account()?.id))
}

pub(super) async fn change(visit: Visit) -> Result<Reply> {
    let account = named(&visit).await?;
    let (name, role) = (visit.form.get("name"), visit.form.get("role"));
    match update(&visit, &account, name, role).await {
        Ok(()) => {
            let words = format!("{} is saved.", visit.form.get("name"));
            Ok(Reply::redirect("/admin/accounts").done(words).into())
        }
        Err(error) => Ok(edit_form(&visit, &account, name, role).await?.refused(error)?.into()),
    }
}

async fn update(visit: &Visit, account: &Account, name: &str, role: &str) -> Result<()> {
    let new = NewAccount::parse(&account.email, name, role)?;
    let mut write = visit.write().await?;
    account::update(&mut write, account.id, &new.name, new.role, visit.now()).await?;
    let kept = account.scope();
    let scope =
        scope::chosen(&visit.admin.contents, &mut write, &kept, &scope::ticked(&visit.admin.contents, &visit.form))
            .await?;
    account::set_scope(&mut write, account.id, &scope, visit.now()).await?;
    if new.role != account.role() || scope != kept {
        // Rights that changed begin with a new sign-in.
        session::end_all(&mut write, account.id).await?;
    }
    let said =
        |name: &str, role: Role, scope: &Scope| json!({ "name": name, "role": role.key(), "scope": scope.text() });
    let entry = Entry::new("change", "account").id(account.id);
    let entry = entry.before(said(&account.name, account.role(), &kept)).after(said(&new.name, new.role, &scope));
    visit.audit(&mut write, entry).await?;
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

pub(super) async fn ask_disable(visit: Visit) -> Result<Reply> {
    Ok(disable_form(&named(&visit).await?).into())
}

pub(super) async fn disable(visit: Visit) -> Result<Reply> {
    let account = named(&visit).await?;
    let mut write = visit.write().await?;
    if let Err(error) = account::set_disabled(&mut write, account.id, true, visit.now()).await {
        write.rollback().await?;
        return Ok(disable_form(&account).refused(error)?.into());
    }
    session::end_all(&mut write, account.id).await?;
    invitation::withdraw(&mut write, account.id).await?;
    visit.audit(&mut write, Entry::new("disable", "account").id(account.id)).await?;
    write.commit().await?;
    Ok(Reply::redirect("/admin/accounts").done(format!("{} is disabled.", account.name)).into())
}

pub(super) async fn enable(visit: Visit) -> Result<Reply> {
    let account = named(&visit).await?;
    let mut write = visit.write().await?;
    account::set_disabled(&mut write, account.id, false, visit.now()).await?;
    visit.audit(&mut write, Entry::new("enable", "account").id(account.id)).await?;
    write.commit().await?;
    Ok(Reply::redirect("/admin/accounts").done(format!("{} is enabled.", account.name)).into())
}

pub(super) async fn ask_reset(visit: Visit) -> Result<Reply> {
    let account = named(&visit).await?;
    let words = "You get a link with which this person chooses a new password. The second factor is removed, and \
                 every browser of the person is signed out. The old password works until the link is used.";
    let title = format!("Let {} choose a new password?", account.name);
    Ok(ask(&account, "reset", title, words, "Make the link").into())
}

pub(super) async fn reset(visit: Visit) -> Result<Reply> {
    let account = named(&visit).await?;
    let now = visit.now();
    let mut write = visit.write().await?;
    account::remove_second_factor(&mut write, account.id, now).await?;
    session::end_all(&mut write, account.id).await?;
    let link = link(&visit, &invitation::make(&mut write, account.id, now).await?);
    visit.audit(&mut write, Entry::new("reset", "account").id(account.id)).await?;
    write.commit().await?;
    Ok(link_page(&account, &link, "can choose a new password").into())
}
