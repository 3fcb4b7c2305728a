//! Setting up and removing the second factor, and its recovery codes.

use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::identity::account::{self, Account};
use crate::identity::throttle::Attempt;
use crate::identity::{recovery, session, totp};
use crate::serving::input::Input;
use crate::serving::reply::{Page, Reply};
use festival_base::db::Write;
use festival_base::error::{Error, FieldError, Result};

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    if request.account()?.has_second_factor() {
        return Ok(Reply::redirect("/admin/account").into());
    }
    Ok(form(&request, &totp::new_secret()?)?.into())
}

/// Returns the form. It carries the secret until a code proves that the app has it; nothing is stored before.
fn form(request: &AdminRequest, secret: &str) -> Result<Page> {
    let issuer = &request.site.settings.product.name;
    Ok(Reply::page("second-factor", "Set up second factor")
        .crumb("Your account", "/admin/account")
        .with("grouped", totp::grouped(secret))
        .with("picture", totp::qr_code(secret, issuer, &request.account()?.email)?)
        .inputs([Input::hidden("secret", secret), code_input("Code", "The six digits that the app shows.")]))
}

fn code_input(label: &str, hint: &str) -> Input {
    Input::new("code", "code", label).hint(hint).required().autocomplete("one-time-code")
}

/// Returns the input that [`verify_code`] reads.
pub(super) fn code_or_recovery_input() -> Input {
    code_input("Code", "Six digits from your authenticator app, or one of your recovery codes.")
}

/// The kind of code that a user entered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CodeKind {
    Totp,
    Recovery,
}

/// Checks and consumes the code in the field `code`, within the limit of failures. Returns the open transaction that
/// consumed it.
///
/// # Errors
/// [`Error::Invalid`] at `code` if it is wrong, [`Error::TooMany`] after too many failures.
pub(super) async fn verify_code(request: &AdminRequest, account: &Account) -> Result<(Write, CodeKind)> {
    let (input, now) = (request.form.get("code"), request.now());
    let attempt = Attempt::second_factor(account.id, &request.network);
    attempt.record(&request.site.db, now).await?;
    let secret = account.second_factor(&request.site.secrets);
    let mut write = request.write_private().await?;
    let step = secret.as_deref().and_then(|secret| totp::matching_step(secret, input, now, account.totp_step));
    let is_totp = match step {
        Some(step) => account::consume_totp_step(&mut write, account.id, step).await?,
        None => false,
    };
    if !is_totp && !recovery::redeem(&mut write, account.id, input, now).await? {
        request.commit(write, Entry::new("second factor failed", "account").id(account.id)).await?;
        let message = match secret {
            Some(_) => "The code is wrong or has already been used.",
            None => {
                tracing::warn!(
                    account = account.id,
                    "the secret of this second factor cannot be decrypted with the site's key"
                );
                "Codes from your app cannot be checked because the key of the site has changed. Use a recovery code, or ask \
                 an owner for a new link."
            }
        };
        return Err(Error::Invalid(vec![FieldError::new("code", message)]));
    }
    attempt.clear(&mut write).await?;
    Ok((write, if is_totp { CodeKind::Totp } else { CodeKind::Recovery }))
}

pub(super) async fn set(request: AdminRequest) -> Result<Reply> {
    let (account, now) = (request.account()?, request.now());
    if account.has_second_factor() {
        return Ok(Reply::redirect("/admin/account").into());
    }
    let secret = request.form.get("secret");
    if !totp::is_secret(secret) {
        return Err(Error::BadRequest("This form is incomplete. Open it again.".into()));
    }
    let Some(step) = totp::matching_step(secret, request.form.get("code"), now, 0) else {
        let message = "The code is wrong. Check that the clock of your phone is right.";
        let error = Error::Invalid(vec![FieldError::new("code", message)]);
        return Ok(form(&request, secret)?.refused(error)?.into());
    };
    let mut write = request.write_private().await?;
    account::set_second_factor(&mut write, &request.site.secrets, account.id, (secret, step), now).await?;
    // Sessions that were opened with the password alone must sign in again.
    session::end_others(&mut write, account.id, request.user()?.session.id).await?;
    let codes = recovery::replace(&mut write, account.id).await?;
    request.commit(write, Entry::new("set second factor", "account").id(account.id)).await?;
    Ok(codes_page(&codes).into())
}

fn codes_page(codes: &[String]) -> Page {
    Reply::page("recovery-codes", "Your recovery codes").crumb("Your account", "/admin/account").with("codes", codes)
}

pub(super) async fn renew_codes(request: AdminRequest) -> Result<Reply> {
    let account = request.account()?;
    if !account.has_second_factor() {
        return Ok(Reply::redirect("/admin/account").into());
    }
    let mut write = request.write_private().await?;
    let codes = recovery::replace(&mut write, account.id).await?;
    request.commit(write, Entry::new("renew recovery codes", "account").id(account.id)).await?;
    Ok(codes_page(&codes).into())
}

pub(super) async fn ask_remove(request: AdminRequest) -> Result<Reply> {
    if !request.account()?.has_second_factor() {
        return Ok(Reply::redirect("/admin/account").into());
    }
    Ok(remove_form().into())
}

fn remove_form() -> Page {
    Reply::page("confirmation", "Remove the second factor?")
        .crumb("Your account", "/admin/account")
        .with("message", "You will sign in with your password only. Your recovery codes stop working.")
        .with("action", "/admin/account/second-factor/remove")
        .with("button", "Remove second factor")
        .with("danger", true)
        .with("back", "/admin/account")
        .inputs([code_or_recovery_input()])
}

pub(super) async fn remove(request: AdminRequest) -> Result<Reply> {
    let (account, now) = (request.account()?, request.now());
    let mut write = match verify_code(&request, account).await {
        Ok((write, _)) => write,
        Err(error) => return Ok(remove_form().refused(error)?.into()),
    };
    account::remove_second_factor(&mut write, account.id, now).await?;
    request.commit(write, Entry::new("remove second factor", "account").id(account.id)).await?;
    Ok(Reply::redirect("/admin/account").done("Second factor removed.").into())
}
