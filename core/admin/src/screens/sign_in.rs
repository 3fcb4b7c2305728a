//! The way in: password, second factor; and the way out.

use serde_json::json;

use crate::account::{self, Account, normal_email};
use crate::audit::{self, Entry};
use crate::guard::{local, with_next};
use crate::input::Input;
use crate::password::Checked;
use crate::reply::{Page, Redirect, Reply, SessionCookie};
use crate::throttle::Attempt;
use crate::visit::{Person, Visit};
use crate::{recovery, session, totp};
use festival_base::db::Write;
use festival_base::error::{Error, Result};

/// What is said to whoever got it wrong: it never says what was wrong.
const WRONG: &str = "The address or the password is not right.";
const WRONG_CODE: &str = "This code is not right, or it was used before.";

pub(super) async fn show(visit: Visit) -> Result<Reply> {
    if visit.person.is_some() {
        return Ok(Reply::redirect(local(visit.query.get("next"))).into());
    }
    let next = visit.query.get("next").to_owned();
    Ok(form(&visit, "", &next).await?.into())
}

async fn form(visit: &Visit, email: &str, next: &str) -> Result<Page> {
    let mut connection = visit.read().await?;
    let first = account::count(&mut connection).await? == 0;
    Ok(Reply::page("sign-in", "Sign in").with("first", first).inputs([
        Input::new("email", "email", "E-mail address").value(email).required().autocomplete("username"),
        Input::new("password", "password", "Password").required().autocomplete("current-password"),
        Input::hidden("next", local(next)),
    ]))
}

pub(super) async fn sign_in(visit: Visit) -> Result<Reply> {
    let (email, next) = (visit.form.get("email").to_owned(), visit.form.get("next").to_owned());
    match check_password(&visit, &email, visit.form.get("password")).await {
        Ok(account) => enter(&visit, account, &next).await,
        Err(error) => Ok(form(&visit, &email, &next).await?.refused(error)?.into()),
    }
}

/// The account whose password this is. Everything that is not right takes as long and says the same.
async fn check_password(visit: &Visit, email: &str, password: &str) -> Result<Account> {
    let (site, now) = (&visit.site, visit.now());
    let mut connection = visit.read().await?;
    let found = account::find_by_email(&mut connection, email).await?;
    drop(connection);
    let attempt = Attempt::password(&normal_email(email), &visit.network, found.as_ref().map(|found| found.id));
    attempt.count(&site.db, now).await?;
    let kept = found.as_ref().filter(|found| found.is_enabled()).and_then(|found| found.password_hash.as_deref());
    let checked = visit.admin.passwords.check(password, kept).await?;
    let mut write = visit.write().await?;
    let (Some(account), true) = (&found, checked != Checked::Wrong) else {
        let entry = Entry::new("sign in failed", "account");
        audit::record(&mut write, found.map(|found| found.id), &visit.network, entry, now).await?;
        write.commit().await?;
        return Err(Error::BadRequest(WRONG.into()));
    };
    attempt.forget(&mut write).await?;
    write.commit().await?;
    if checked == Checked::Outdated {
        let hash = visit.admin.passwords.hash(password).await?;
        let mut write = visit.write().await?;
        account::set_password(&mut write, account.id, Some(&hash), now).await?;
        write.commit().await?;
    }
    Ok(account.clone())
}

/// Begins the session, or the half of it that waits for the second factor.
async fn enter(visit: &Visit, account: Account, next: &str) -> Result<Reply> {
    let mut write = visit.write().await?;
    let complete = !account.has_second_factor();
    let redirect = begin(visit, &mut write, &account, complete).await?;
    write.commit().await?;
    let to = if complete { local(next).to_owned() } else { with_next("/admin/sign-in/code", next) };
    Ok(Redirect { to, ..redirect }.into())
}

/// Begins a session under a new token; whatever session the browser had is over.
async fn begin(visit: &Visit, write: &mut Write, account: &Account, complete: bool) -> Result<Redirect> {
    let now = visit.now();
    for person in [&visit.person, &visit.half].into_iter().flatten() {
        session::end(write, person.session.id).await?;
    }
    let token = session::begin(write, account.id, complete, visit.from(), now).await?;
    if complete {
        account::signed_in(write, account.id, now).await?;
        let entry = Entry::new(audit::SIGNED_IN, "account").id(account.id);
        audit::record(write, Some(account.id), &visit.network, entry, now).await?;
    }
    Ok(Reply::redirect("/admin/").session(SessionCookie::Set(token)))
}

pub(super) async fn show_code(visit: Visit) -> Result<Reply> {
    if visit.half.is_none() {
        return Ok(Reply::redirect("/admin/sign-in").into());
    }
    let next = visit.query.get("next").to_owned();
    Ok(code_form(&next).into())
}

fn code_form(next: &str) -> Page {
    let hint = "Six digits from the app on your telephone, or one of your recovery codes.";
    Reply::page("sign-in-code", "Second factor").inputs([
        Input::new("code", "code", "Code").hint(hint).required().autocomplete("one-time-code"),
        Input::hidden("next", local(next)),
    ])
}

pub(super) async fn enter_code(visit: Visit) -> Result<Reply> {
    let next = visit.form.get("next").to_owned();
    let Some(person) = visit.half.clone() else {
        let words = "That took too long. Please sign in again.";
        return Ok(Reply::redirect(with_next("/admin/sign-in", &next)).problem(words).into());
    };
    match check_code(&visit, &person).await {
        Ok(redirect) => Ok(Redirect { to: local(&next).to_owned(), ..redirect }.into()),
        Err(error) => Ok(code_form(&next).refused(error)?.into()),
    }
}

async fn check_code(visit: &Visit, person: &Person) -> Result<Redirect> {
    let (typed, now, account) = (visit.form.get("code"), visit.now(), &person.account);
    let attempt = Attempt::second_factor(account.id, &visit.network);
    attempt.count(&visit.site.db, now).await?;
    let mut write = visit.write().await?;
    let secret = account.totp_secret.as_deref().unwrap_or_default();
    let by_code = match totp::matching_step(secret, typed, now, account.totp_step) {
        Some(step) => account::use_step(&mut write, account.id, step).await?,
        None => false,
    };
    let by_recovery = !by_code && recovery::redeem(&mut write, account.id, typed, now).await?;
    if !by_code && !by_recovery {
        visit.audit(&mut write, Entry::new("second factor failed", "account").id(account.id)).await?;
        write.commit().await?;
        return Err(Error::BadRequest(WRONG_CODE.into()));
    }
    attempt.forget(&mut write).await?;
    let mut redirect = begin(visit, &mut write, account, true).await?;
    if by_recovery {
        let left = recovery::left(&mut write, account.id).await?;
        let entry = Entry::new("use recovery code", "account").id(account.id).after(json!({ "left": left }));
        visit.audit(&mut write, entry).await?;
        redirect =
            redirect.done(format!("You used a recovery code. {left} are left; your account page makes new ones."));
    }
    write.commit().await?;
    Ok(redirect)
}

pub(super) async fn sign_out(visit: Visit) -> Result<Reply> {
    let person = visit.person()?;
    let mut write = visit.write().await?;
    session::end(&mut write, person.session.id).await?;
    visit.audit(&mut write, Entry::new("sign out", "account").id(person.account.id)).await?;
    write.commit().await?;
    Ok(Reply::redirect("/admin/sign-in").done("You are signed out.").session(SessionCookie::Remove).into())
}
