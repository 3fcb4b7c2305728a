//! Setting up the second factor, its recovery codes, and giving it up.

use crate::audit::Entry;
use crate::input::Input;
use crate::reply::{Page, Reply};
use crate::request::AdminRequest;
use crate::throttle::Attempt;
use crate::{account, recovery, totp};
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
    let mut write = request.write().await?;
    account::set_second_factor(&mut write, account.id, Some((secret, step)), now).await?;
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
    let mut write = request.write().await?;
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
        .inputs([code_input("Code", "Six digits from the app on your telephone, or one of your recovery codes.")])
}

pub(super) async fn remove(request: AdminRequest) -> Result<Reply> {
    let (account, now) = (request.account()?, request.now());
    let attempt = Attempt::second_factor(account.id, &request.network);
    if let Err(error) = attempt.count(&request.site.db, now).await {
        return Ok(remove_form().refused(error)?.into());
    }
    let typed = request.form.get("code");
    let secret = account.totp_secret.as_deref().unwrap_or_default();
    let mut write = request.write().await?;
    let proven = totp::matching_step(secret, typed, now, account.totp_step).is_some()
        || recovery::redeem(&mut write, account.id, typed, now).await?;
    if !proven {
        write.rollback().await?;
        let wrong = Error::Invalid(vec![FieldError::new("code", "This code is not right, or it was used before.")]);
        return Ok(remove_form().refused(wrong)?.into());
    }
    attempt.forget(&mut write).await?;
    account::remove_second_factor(&mut write, account.id, now).await?;
    request.audit(&mut write, Entry::new("remove second factor", "account").id(account.id)).await?;
    write.commit().await?;
    Ok(Reply::redirect("/admin/account").done("The second factor is removed.").into())
}
