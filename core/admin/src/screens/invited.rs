//! The page of an invitation link: choosing a password.

use crate::audit::{self, Entry};
use crate::back_office::AdminRequest;
use crate::identity::account::{self, Account};
use crate::identity::{invitation, password, session};
use crate::serving::input::Input;
use crate::serving::reply::{Page, Reply};
use festival_base::error::{Error, FieldError, Result};

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    let token = request.query.get("token").to_owned();
    let account = account_of(&request, &token).await?;
    Ok(form(&account, &token).into())
}

fn form(account: &Account, token: &str) -> Page {
    Reply::page("invitation", "Choose a password")
        .with("name", &account.name)
        .with("email", &account.email)
        .inputs([Input::hidden("token", token)])
        .inputs(password_inputs())
}

/// Returns the inputs for a new password.
pub(super) fn password_inputs() -> [Input; 2] {
    let hint = "At least 12 characters. Use four or more unrelated words, or a password manager.";
    [
        Input::new("password", "new_password", "New password").hint(hint).required().autocomplete("new-password"),
        Input::new("password", "again", "Repeat password").required().autocomplete("new-password"),
    ]
}

async fn account_of(request: &AdminRequest, token: &str) -> Result<Account> {
    let expired = || Error::NotFound("This link has expired. Ask an owner for a new one.".into());
    let mut connection = request.read().await?;
    let id = invitation::find(&mut connection, token, request.now()).await?.ok_or_else(expired)?;
    account::find(&mut connection, id, &request.admin.contents.roles)
        .await?
        .filter(Account::is_enabled)
        .ok_or_else(expired)
}

pub(super) async fn accept(request: AdminRequest) -> Result<Reply> {
    let token = request.form.get("token").to_owned();
    let account = account_of(&request, &token).await?;
    let hash = match new_password(&request, &account).await {
        Ok(hash) => hash,
        Err(error) => return Ok(form(&account, &token).refused(error)?.into()),
    };
    let now = request.now();
    let mut write = request.write_private().await?;
    if !invitation::revoke(&mut write, account.id).await? {
        return Err(Error::Conflict("This link has already been used.".into()));
    }
    account::set_password(&mut write, account.id, Some(&hash), now).await?;
    session::end_all(&mut write, account.id).await?;
    let entry = Entry::new("choose password", "account").id(account.id);
    audit::record(&mut write, Some(account.id), &request.network, entry, now).await?;
    write.commit().await?;
    Ok(Reply::redirect("/admin/sign-in").done("Password set. Sign in with it.").into())
}

/// Returns the hash of the new password in the fields `new_password` and `again`.
///
/// # Errors
/// [`Error::Invalid`] if it is weak or the two differ.
pub(super) async fn new_password(request: &AdminRequest, account: &Account) -> Result<String> {
    let (new, repeated) = (request.form.get("new_password"), request.form.get("again"));
    let product = &request.site.settings.product;
    let guessable = [account.email.as_str(), &account.name, &product.name, &product.full_name];
    if let Some(message) = password::weakness(new, &guessable) {
        return Err(Error::Invalid(vec![FieldError::new("new_password", message)]));
    }
    if new != repeated {
        return Err(Error::Invalid(vec![FieldError::new("again", "The passwords do not match.")]));
    }
    request.admin.passwords.hash(new).await
}
