//! Setting up the second factor, its recovery codes, and giving it up.

use crate::account::{self, Account};
use crate::audit::Entry;
use crate::input::Input;
use crate::reply::{Page, Reply};
use crate::request::AdminRequest;
use crate::throttle::Attempt;
use crate::{recovery, session, totp};
use festival_base::db::Write;
use festival_base::error::{Error, FieldError, Result};

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    if request.account()?.has_second_factor() {
        return Ok(Reply::redirect("/admin/account").into());
    }
    Ok(form(&request, &totp::new_secret()?)?.into())
}

/// The secret travels in the form until a code proves that the telephone has it: GET keeps nothing.
fn form(request: &AdminRequest, secret: &str) -> Result<Page> {
    let issuer = &request.site.settings.product.name;
    Ok(Reply::page("second-factor", "Set up the second factor")
        .crumb("Your account", "/admin/account")
        .with("grouped", totp::grouped(secret))
        .with("picture", totp::picture(secret, issuer, &request.account()?.email)?)
        .inputs([Input::hidden("secret", secret), code_input("Code", "Six digits that the app shows now.")]))
}

fn code_input(label: &str, hint: &str) -> Input {
    Input::new("code", "code", label).hint(hint).required().autocomplete("one-time-code")
}

/// The input that [`prove`] reads.
pub(super) fn proof_input() -> Input {
    code_input("Code", "Six digits from the app on your telephone, or one of your recovery codes.")
}

/// With what a person proved to have the second factor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    Code,
    RecoveryCode,
}

/// Uses up the code in the field `code` and answers the transaction that did so, for what it was asked for. Guesses are
/// counted.
pub(super) async fn prove(request: &AdminRequest, account: &Account) -> Result<(Write, Proof)> {
    let (typed, now) = (request.form.get("code"), request.now());
    let attempt = Attempt::second_factor(account.id, &request.network);
    attempt.count(&request.site.db, now).await?;
    let secret = account.second_factor(&request.site.secrets);
    let mut write = request.write_private().await?;
    let step = secret.as_deref().and_then(|secret| totp::matching_step(secret, typed, now, account.totp_step));
    let by_code = match step {
        Some(step) => account::use_step(&mut write, account.id, step).await?,
        None => false,
    };
    if !by_code && !recovery::redeem(&mut write, account.id, typed, now).await? {
        request.audit(&mut write, Entry::new("second factor failed", "account").id(account.id)).await?;
        write.commit().await?;
        let words = match secret {
            Some(_) => "This code is not right, or it was used before.",
            None => {
                tracing::warn!(account = account.id, "the site's key does not open this second factor");
                "The site cannot check codes of your app any more, because its key is another. Use a recovery code, or ask \
                 an owner for a new link."
            }
        };
        return Err(Error::Invalid(vec![FieldError::new("code", words)]));
    }
    attempt.forget(&mut write).await?;
    Ok((write, if by_code { Proof::Code } else { Proof::RecoveryCode }))
}

pub(super) async fn set(request: AdminRequest) -> Result<Reply> {
    let (account, now) = (request.account()?, request.now());
    if account.has_second_factor() {
        return Ok(Reply::redirect("/admin/account").into());
    }
    let secret = request.form.get("secret");
    if !totp::is_secret(secret) {
        return Err(Error::BadRequest("This form is damaged. Open it again.".into()));
    }
    let Some(step) = totp::matching_step(secret, request.form.get("code"), now, 0) else {
        let words = "This is not the code that the app shows now. Check the clock of your telephone.";
        let wrong = Error::Invalid(vec![FieldError::new("code", words)]);
        return Ok(form(&request, secret)?.refused(wrong)?.into());
    };
    let mut write = request.write_private().await?;
    account::set_second_factor(&mut write, &request.site.secrets, account.id, (secret, step), now).await?;
    // Whoever is in with the password alone has to show the factor as well.
    session::end_others(&mut write, account.id, request.person()?.session.id).await?;
    let codes = recovery::renew(&mut write, account.id).await?;
    request.audit(&mut write, Entry::new("set second factor", "account").id(account.id)).await?;
    write.commit().await?;
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
    let codes = recovery::renew(&mut write, account.id).await?;
    request.audit(&mut write, Entry::new("renew recovery codes", "account").id(account.id)).await?;
    write.commit().await?;
    Ok(codes_page(&codes).into())
}

pub(super) async fn ask_remove(request: AdminRequest) -> Result<Reply> {
    if !request.account()?.has_second_factor() {
        return Ok(Reply::redirect("/admin/account").into());
    }
    Ok(remove_form().into())
}

fn remove_form() -> Page {
    Reply::page("ask", "Remove the second factor?")
        .crumb("Your account", "/admin/account")
        .with("words", "Afterwards the password alone opens your account. Your recovery codes stop working.")
        .with("action", "/admin/account/second-factor/remove")
        .with("button", "Remove the second factor")
        .with("danger", true)
        .with("back", "/admin/account")
        .inputs([proof_input()])
}

pub(super) async fn remove(request: AdminRequest) -> Result<Reply> {
    let (account, now) = (request.account()?, request.now());
    let mut write = match prove(&request, account).await {
        Ok((write, _)) => write,
        Err(error) => return Ok(remove_form().refused(error)?.into()),
    };
    account::remove_second_factor(&mut write, account.id, now).await?;
    request.audit(&mut write, Entry::new("remove second factor", "account").id(account.id)).await?;
    write.commit().await?;
    Ok(Reply::redirect("/admin/account").done("The second factor is removed.").into())
}
