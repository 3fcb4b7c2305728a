//! The password once more, before what must not be done by whoever finds an open browser.

use crate::audit::Entry;
use crate::guard::local;
use crate::input::Input;
use crate::password::Checked;
use crate::reply::{Page, Reply, SessionCookie};
use crate::session;
use crate::throttle::Attempt;
use crate::visit::Visit;
use festival_base::error::{Error, FieldError, Result};

pub(super) async fn show(visit: Visit) -> Result<Reply> {
    Ok(form(visit.query.get("next")).into())
}

fn form(next: &str) -> Page {
    Reply::page("confirm", "Your password, please").inputs([
        Input::new("password", "password", "Password").required().autocomplete("current-password"),
        Input::hidden("next", local(next)),
    ])
}

pub(super) async fn confirm(visit: Visit) -> Result<Reply> {
    let next = visit.form.get("next");
    match check_own_password(&visit, "password").await {
        Ok(()) => {
            let person = visit.person()?;
            let mut write = visit.write().await?;
            // A new token with the new rights; the old one is worth nothing.
            session::end(&mut write, person.session.id).await?;
            let token = session::begin(&mut write, person.account.id, true, visit.from(), visit.now()).await?;
            visit.audit(&mut write, Entry::new("confirm password", "account").id(person.account.id)).await?;
            write.commit().await?;
            Ok(Reply::redirect(local(next)).session(SessionCookie::Set(token)).into())
        }
        Err(error) => Ok(form(next).refused(error)?.into()),
    }
}

/// Checks the password of whoever is signed in, as typed into `field`; guesses are counted.
pub(super) async fn check_own_password(visit: &Visit, field: &str) -> Result<()> {
    let account = visit.account()?;
    let attempt = Attempt::password(&account.email, &visit.network, Some(account.id));
    attempt.count(&visit.site.db, visit.now()).await?;
    let checked = visit.admin.passwords.check(visit.form.get(field), account.password_hash.as_deref()).await?;
    let mut write = visit.write().await?;
    if checked == Checked::Wrong {
        visit.audit(&mut write, Entry::new("confirm password failed", "account").id(account.id)).await?;
        write.commit().await?;
        return Err(Error::Invalid(vec![FieldError::new(field, "This is not your password.")]));
    }
    attempt.forget(&mut write).await?;
    write.commit().await
}
