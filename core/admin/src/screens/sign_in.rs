//! The way in: password, second factor; and the way out.

use serde_json::json;

use super::second_factor::{Proof, proof_input, prove};
use crate::account::{self, Account, normal_email};
use crate::audit::{self, Entry};
use crate::guard::{local, with_next};
use crate::input::Input;
use crate::password::Checked;
use crate::reply::{Page, Redirect, Reply, SessionCookie};
use crate::request::{AdminRequest, Person};
use crate::throttle::Attempt;
use crate::{recovery, session};
use festival_base::db::Write;
use festival_base::error::{Error, Result};

/// What is said to whoever got it wrong: it never says what was wrong.
const WRONG: &str = "The address or the password is not right.";

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    if request.person.is_some() {
        return Ok(Reply::redirect(local(request.query.get("next"))).into());
    }
    let next = request.query.get("next").to_owned();
    Ok(form(&request, "", &next).await?.into())
}

async fn form(request: &AdminRequest, email: &str, next: &str) -> Result<Page> {
    let mut connection = request.read().await?;
    let first = account::count(&mut connection).await? == 0;
    Ok(Reply::page("sign-in", "Sign in").with("first", first).inputs([
        Input::new("email", "email", "E-mail address").value(email).required().autocomplete("username"),
        Input::new("password", "password", "Password").required().autocomplete("current-password"),
        Input::hidden("next", local(next)),
    ]))
}

pub(super) async fn sign_in(request: AdminRequest) -> Result<Reply> {
    let (email, next) = (request.form.get("email").to_owned(), request.form.get("next").to_owned());
    match check_password(&request, &email, request.form.get("password")).await {
        Ok(account) => enter(&request, account, &next).await,
        Err(error) => Ok(form(&request, &email, &next).await?.refused(error)?.into()),
    }
}

/// The account whose password this is. Everything that is not right takes as long and says the same.
async fn check_password(request: &AdminRequest, email: &str, password: &str) -> Result<Account> {
    let (site, now) = (&request.site, request.now());
    let mut connection = request.read().await?;
    let found = account::find_by_email(&mut connection, email).await?;
    drop(connection);
    let attempt = Attempt::password(&normal_email(email), &request.network, found.as_ref().map(|found| found.id));
    attempt.count(&site.db, now).await?;
    let kept = found.as_ref().filter(|found| found.is_enabled()).and_then(|found| found.password_hash.as_deref());
    let checked = request.admin.passwords.check(password, kept).await?;
    let mut write = request.write_private().await?;
    let (Some(account), true) = (&found, checked != Checked::Wrong) else {
        let entry = Entry::new("sign in failed", "account");
        audit::record(&mut write, found.map(|found| found.id), &request.network, entry, now).await?;
        write.commit().await?;
        return Err(Error::BadRequest(WRONG.into()));
    };
    attempt.forget(&mut write).await?;
    write.commit().await?;
    if checked == Checked::Outdated {
        let hash = request.admin.passwords.hash(password).await?;
        let mut write = request.write_private().await?;
        account::set_password(&mut write, account.id, Some(&hash), now).await?;
        write.commit().await?;
    }
    Ok(account.clone())
}

/// Begins the session, or the half of it that waits for the second factor.
async fn enter(request: &AdminRequest, account: Account, next: &str) -> Result<Reply> {
    let mut write = request.write_private().await?;
    let complete = !account.has_second_factor();
    let redirect = begin(request, &mut write, &account, complete).await?;
    write.commit().await?;
    let to = if complete { local(next).to_owned() } else { with_next("/admin/sign-in/code", next) };
    Ok(Redirect { to, ..redirect }.into())
}

/// Begins a session under a new token; whatever session the browser had is over.
async fn begin(request: &AdminRequest, write: &mut Write, account: &Account, complete: bool) -> Result<Redirect> {
    let now = request.now();
    for person in [&request.person, &request.half].into_iter().flatten() {
        session::end(write, person.session.id).await?;
    }
    let token = session::begin(write, account.id, complete, request.from(), now).await?;
    if complete {
        account::signed_in(write, account.id, now).await?;
        let entry = Entry::new(audit::SIGNED_IN, "account").id(account.id);
        audit::record(write, Some(account.id), &request.network, entry, now).await?;
    }
    Ok(Reply::redirect("/admin/").session(SessionCookie::Set(token)))
}

pub(super) async fn show_code(request: AdminRequest) -> Result<Reply> {
    if request.half.is_none() {
        return Ok(Reply::redirect("/admin/sign-in").into());
    }
    let next = request.query.get("next").to_owned();
    Ok(code_form(&next).into())
}

fn code_form(next: &str) -> Page {
    Reply::page("sign-in-code", "Second factor").inputs([proof_input(), Input::hidden("next", local(next))])
}

pub(super) async fn enter_code(request: AdminRequest) -> Result<Reply> {
    let next = request.form.get("next").to_owned();
    let Some(person) = request.half.clone() else {
        let words = "That took too long. Please sign in again.";
        return Ok(Reply::redirect(with_next("/admin/sign-in", &next)).problem(words).into());
    };
    match check_code(&request, &person).await {
        Ok(redirect) => Ok(Redirect { to: local(&next).to_owned(), ..redirect }.into()),
        Err(error) => Ok(code_form(&next).refused(error)?.into()),
    }
}

async fn check_code(request: &AdminRequest, person: &Person) -> Result<Redirect> {
    let account = &person.account;
    let (mut write, proof) = prove(request, account).await?;
    let mut redirect = begin(request, &mut write, account, true).await?;
    if proof == Proof::RecoveryCode {
        let left = recovery::left(&mut write, account.id).await?;
        let entry = Entry::new("use recovery code", "account").id(account.id).after(json!({ "left": left }));
        request.audit(&mut write, entry).await?;
        redirect =
            redirect.done(format!("You used a recovery code. {left} are left; your account page makes new ones."));
    }
    write.commit().await?;
    Ok(redirect)
}

pub(super) async fn sign_out(request: AdminRequest) -> Result<Reply> {
    let person = request.person()?;
    let mut write = request.write_private().await?;
    session::end(&mut write, person.session.id).await?;
    request.audit(&mut write, Entry::new("sign out", "account").id(person.account.id)).await?;
    write.commit().await?;
    Ok(Reply::redirect("/admin/sign-in").done("You are signed out.").session(SessionCookie::Remove).into())
}
