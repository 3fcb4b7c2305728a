//! The password once more, before what must not be done by whoever finds an open browser.

use super::second_factor::{proof_input, prove};
use crate::account::Account;
use crate::audit::Entry;
use crate::guard::local;
use crate::input::Input;
use crate::password::Checked;
use crate::reply::{Page, Reply, SessionCookie};
use crate::request::AdminRequest;
use crate::session;
use crate::throttle::Attempt;
use festival_base::db::Write;
use festival_base::error::{Error, FieldError, Result};

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    Ok(form(request.account()?, request.query.get("next")).into())
}

fn form(account: &Account, next: &str) -> Page {
    let password = Input::new("password", "password", "Password").required().autocomplete("current-password");
    Reply::page("confirm", "Your password, please")
        .inputs([password])
        .inputs(account.has_second_factor().then(proof_input))
        .inputs([Input::hidden("next", local(next))])
}

pub(super) async fn confirm(request: AdminRequest) -> Result<Reply> {
    let next = request.form.get("next");
    match check(&request).await {
        Ok(mut write) => {
            let person = request.person()?;
            // A new token with the new rights; the old one is worth nothing.
            session::end(&mut write, person.session.id).await?;
            let token = session::begin(&mut write, person.account.id, true, request.from(), request.now()).await?;
            request.audit(&mut write, Entry::new("confirm password", "account").id(person.account.id)).await?;
            write.commit().await?;
            Ok(Reply::redirect(local(next)).session(SessionCookie::Set(token)).into())
        }
        Err(error) => Ok(form(request.account()?, next).refused(error)?.into()),
    }
}

/// Checks what was typed, the second factor where the person has one.
async fn check(request: &AdminRequest) -> Result<Write> {
    check_own_password(request, "password").await?;
    let account = request.account()?;
    if account.has_second_factor() { Ok(prove(request, account).await?.0) } else { request.write_private().await }
}

/// Checks the password of whoever is signed in, as typed into `field`; guesses are counted.
pub(super) async fn check_own_password(request: &AdminRequest, field: &str) -> Result<()> {
    let account = request.account()?;
    let attempt = Attempt::password(&account.email, &request.network, Some(account.id));
    attempt.count(&request.site.db, request.now()).await?;
    let checked = request.admin.passwords.check(request.form.get(field), account.password_hash.as_deref()).await?;
    let mut write = request.write_private().await?;
    if checked == Checked::Wrong {
        request.audit(&mut write, Entry::new("confirm password failed", "account").id(account.id)).await?;
        write.commit().await?;
        return Err(Error::Invalid(vec![FieldError::new(field, "This is not your password.")]));
    }
    attempt.forget(&mut write).await?;
    write.commit().await
}
