//! Asks for the password again before sensitive screens.

use super::second_factor::{code_or_recovery_input, verify_code};
use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::identity::account::Account;
use crate::identity::password::Verification;
use crate::identity::session;
use crate::identity::throttle::Attempt;
use crate::serving::guard::safe_redirect;
use crate::serving::input::Input;
use crate::serving::reply::{Page, Reply, SessionCookie};
use festival_base::db::Write;
use festival_base::error::{Error, FieldError, Result};

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    Ok(form(request.account()?, request.query.get("next")).into())
}

fn form(account: &Account, next: &str) -> Page {
    let password = Input::new("password", "password", "Password").required().autocomplete("current-password");
    Reply::page("confirm", "Confirm your password")
        .inputs([password])
        .inputs(account.has_second_factor().then(code_or_recovery_input))
        .inputs([Input::hidden("next", safe_redirect(next))])
}

pub(super) async fn confirm(request: AdminRequest) -> Result<Reply> {
    let next = request.form.get("next");
    match check(&request).await {
        Ok(mut write) => {
            let user = request.user()?;
            // A new token for the elevated session; the old one becomes invalid.
            session::end(&mut write, user.session.id).await?;
            let token = session::create(&mut write, user.account.id, true, request.client(), request.now()).await?;
            request.commit(write, Entry::new("confirm password", "account").id(user.account.id)).await?;
            Ok(Reply::redirect(safe_redirect(next)).session(SessionCookie::Set(token)).into())
        }
        Err(error) => Ok(form(request.account()?, next).refused(error)?.into()),
    }
}

/// Checks the password and, if the account has one, the second factor. Returns the transaction that consumed the code.
async fn check(request: &AdminRequest) -> Result<Write> {
    check_own_password(request, "password").await?;
    let account = request.account()?;
    if account.has_second_factor() { Ok(verify_code(request, account).await?.0) } else { request.write_private().await }
}

/// Checks the password of the signed-in user in the form field `field`, within the limit of failures.
///
/// # Errors
/// [`Error::Invalid`] at `field` if it is wrong, [`Error::TooMany`] after too many failures.
pub(super) async fn check_own_password(request: &AdminRequest, field: &str) -> Result<()> {
    let account = request.account()?;
    let attempt = Attempt::password(&account.email, &request.network, Some(account.id));
    attempt.record(&request.site.db, request.now()).await?;
    let verification =
        request.admin.passwords.verify(request.form.get(field), account.password_hash.as_deref()).await?;
    let mut write = request.write_private().await?;
    if verification == Verification::Wrong {
        request.commit(write, Entry::new("confirm password failed", "account").id(account.id)).await?;
        return Err(Error::Invalid(vec![FieldError::new(field, "The password is wrong.")]));
    }
    attempt.clear(&mut write).await?;
    write.commit().await
}
