//! Sign in with password and second factor, and sign out.

use serde_json::json;

use super::forgotten;
use super::second_factor::{CodeKind, code_or_recovery_input, verify_code};
use crate::audit::{self, Entry};
use crate::back_office::{AdminRequest, User};
use crate::identity::account::{self, Account, normalized_email};
use crate::identity::password::Verification;
use crate::identity::throttle::Attempt;
use crate::identity::{recovery, session};
use crate::serving::guard::{safe_redirect, with_next};
use crate::serving::input::Input;
use crate::serving::reply::{Page, Redirect, Reply, SessionCookie};
use festival_base::db::Write;
use festival_base::error::{Error, Result};

/// The message after a failed sign-in. It does not reveal whether the account exists.
const WRONG_CREDENTIALS: &str = "The e-mail address or the password is wrong.";

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    if request.user.is_some() {
        return Ok(Reply::redirect(safe_redirect(request.query.get("next"))).into());
    }
    let next = request.query.get("next").to_owned();
    Ok(form(&request, "", &next).await?.into())
}

async fn form(request: &AdminRequest, email: &str, next: &str) -> Result<Page> {
    let mut connection = request.read().await?;
    let first = account::count(&mut connection).await? == 0;
    let page = Reply::page("sign-in", "Sign in").with("first", first);
    let page = page.with("forgotten", forgotten::is_available(request).then_some(forgotten::PATH));
    Ok(page.inputs([
        Input::new("email", "email", "E-mail address").value(email).required().autocomplete("username"),
        Input::new("password", "password", "Password").required().autocomplete("current-password"),
        Input::hidden("next", safe_redirect(next)),
    ]))
}

pub(super) async fn sign_in(request: AdminRequest) -> Result<Reply> {
    let (email, next) = (request.form.get("email").to_owned(), request.form.get("next").to_owned());
    match check_password(&request, &email, request.form.get("password")).await {
        Ok(account) => start_session(&request, account, &next).await,
        Err(error) => Ok(form(&request, &email, &next).await?.refused(error)?.into()),
    }
}

/// Returns the account if the password is correct. Unknown address, disabled account and wrong password take the same
/// time and return the same error.
async fn check_password(request: &AdminRequest, email: &str, password: &str) -> Result<Account> {
    let (site, now) = (&request.site, request.now());
    let mut connection = request.read().await?;
    let account = account::find_by_email(&mut connection, email, &request.admin.contents.roles).await?;
    drop(connection);
    let id = account.as_ref().map(|account| account.id);
    let attempt = Attempt::password(&normalized_email(email), &request.network, id);
    let has_second_factor = account.as_ref().is_some_and(Account::has_second_factor);
    let permitted = if has_second_factor { attempt.clone().despite_other_networks() } else { attempt.clone() };
    permitted.record(&site.db, now).await?;
    let stored = account.as_ref().filter(|account| account.is_enabled());
    let stored = stored.and_then(|account| account.password_hash.as_deref());
    let verification = request.admin.passwords.verify(password, stored).await?;
    let mut write = request.write_private().await?;
    let (Some(account), true) = (&account, verification != Verification::Wrong) else {
        let entry = Entry::new("sign in failed", "account");
        audit::record(&mut write, id, &request.network, entry, now).await?;
        write.commit().await?;
        // With a second factor, too, so that nobody learns who has one.
        attempt.check(&mut *request.read().await?, now, 1).await?;
        return Err(Error::BadRequest(WRONG_CREDENTIALS.into()));
    };
    attempt.clear(&mut write).await?;
    write.commit().await?;
    if verification == Verification::Outdated {
        let hash = request.admin.passwords.hash(password).await?;
        let mut write = request.write_private().await?;
        account::set_password(&mut write, account.id, Some(&hash), now).await?;
        write.commit().await?;
    }
    Ok(account.clone())
}

/// Starts a session, which is incomplete while a second factor is pending.
async fn start_session(request: &AdminRequest, account: Account, next: &str) -> Result<Reply> {
    let mut write = request.write_private().await?;
    let is_complete = !account.has_second_factor();
    let redirect = create_session(request, &mut write, &account, is_complete).await?;
    write.commit().await?;
    let to = if is_complete { safe_redirect(next).to_owned() } else { with_next("/admin/sign-in/code", next) };
    Ok(Redirect { to, ..redirect }.into())
}

/// Creates a session with a new token and ends the previous session of the browser.
async fn create_session(
    request: &AdminRequest,
    write: &mut Write,
    account: &Account,
    is_complete: bool,
) -> Result<Redirect> {
    let now = request.now();
    for user in [&request.user, &request.pending_user].into_iter().flatten() {
        session::end(write, user.session.id).await?;
    }
    let token = session::create(write, account.id, is_complete, request.client(), now).await?;
    if is_complete {
        account::record_sign_in(write, account.id, now).await?;
        let entry = Entry::new(audit::SIGN_IN, "account").id(account.id);
        audit::record(write, Some(account.id), &request.network, entry, now).await?;
    }
    Ok(Reply::redirect("/admin/").session(SessionCookie::Set(token)))
}

pub(super) async fn show_code(request: AdminRequest) -> Result<Reply> {
    if request.pending_user.is_none() {
        return Ok(Reply::redirect("/admin/sign-in").into());
    }
    let next = request.query.get("next").to_owned();
    Ok(code_form(&next).into())
}

fn code_form(next: &str) -> Page {
    Reply::page("sign-in-code", "Second factor")
        .inputs([code_or_recovery_input(), Input::hidden("next", safe_redirect(next))])
}

pub(super) async fn enter_code(request: AdminRequest) -> Result<Reply> {
    let next = request.form.get("next").to_owned();
    let Some(user) = request.pending_user.clone() else {
        let message = "Your sign-in has expired. Sign in again.";
        return Ok(Reply::redirect(with_next("/admin/sign-in", &next)).problem(message).into());
    };
    match check_code(&request, &user).await {
        Ok(redirect) => Ok(Redirect { to: safe_redirect(&next).to_owned(), ..redirect }.into()),
        Err(error) => Ok(code_form(&next).refused(error)?.into()),
    }
}

async fn check_code(request: &AdminRequest, user: &User) -> Result<Redirect> {
    let account = &user.account;
    let (mut write, kind) = verify_code(request, account).await?;
    let mut redirect = create_session(request, &mut write, account, true).await?;
    if kind == CodeKind::Recovery {
        let left = recovery::count_unused(&mut write, account.id).await?;
        let entry = Entry::new("use recovery code", "account").id(account.id).after(json!({ "left": left }));
        request.audit(&mut write, entry).await?;
        redirect = redirect.done(format!(
            "You used a recovery code. You have {left} left, and can create new ones on your account page."
        ));
    }
    write.commit().await?;
    Ok(redirect)
}

pub(super) async fn sign_out(request: AdminRequest) -> Result<Reply> {
    let user = request.user()?;
    let mut write = request.write_private().await?;
    session::end(&mut write, user.session.id).await?;
    request.commit(write, Entry::new("sign out", "account").id(user.account.id)).await?;
    Ok(Reply::redirect("/admin/sign-in").done("You have been signed out.").session(SessionCookie::Remove).into())
}
