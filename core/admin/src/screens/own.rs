//! One's own account: password, second factor, where one is signed in.

use serde_json::json;

use super::confirm::check_own_password;
use super::invited::{new_password, password_inputs};
use crate::audit::Entry;
use crate::input::Input;
use crate::reply::{Page, Reply, SessionCookie};
use crate::request::AdminRequest;
use crate::{account, recovery, session};
use festival_base::error::Result;
use festival_base::time_text;

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    Ok(page(&request).await?.into())
}

async fn page(request: &AdminRequest) -> Result<Page> {
    let person = request.person()?;
    let zone = &request.site.time_zone;
    let mut connection = request.read().await?;
    let sessions: Vec<_> = session::list(&mut connection, person.account.id, request.now())
        .await?
        .into_iter()
        .map(|session| {
            json!({
                "browser": session.browser,
                "network": session.network,
                "since": time_text::short(&session.created_at, zone),
                "seen": time_text::short(&session.seen_at, zone),
                "here": session.id == person.session.id,
            })
        })
        .collect();
    let left = recovery::left(&mut connection, person.account.id).await?;
    let role = person.account.role();
    Ok(Reply::page("account", "Your account")
        .with("name", &person.account.name)
        .with("email", &person.account.email)
        .with("role", role.label())
        .with("meaning", role.meaning())
        .with("second_factor", person.account.has_second_factor())
        .with("recovery_codes", left)
        .with("sessions", sessions)
        .inputs([Input::new("password", "password", "Present password").required().autocomplete("current-password")])
        .inputs(password_inputs()))
}

pub(super) async fn change_password(request: AdminRequest) -> Result<Reply> {
    let person = request.person()?;
    let changed = match check_own_password(&request, "password").await {
        Ok(()) => new_password(&request, &person.account).await,
        Err(error) => Err(error),
    };
    let hash = match changed {
        Ok(hash) => hash,
        Err(error) => return Ok(page(&request).await?.refused(error)?.into()),
    };
    let (id, now) = (person.account.id, request.now());
    let mut write = request.write_private().await?;
    account::set_password(&mut write, id, Some(&hash), now).await?;
    session::end_all(&mut write, id).await?;
    let token = session::begin(&mut write, id, true, request.from(), now).await?;
    request.audit(&mut write, Entry::new("change password", "account").id(id)).await?;
    write.commit().await?;
    let words = "Your password is changed. Every other browser is signed out.";
    Ok(Reply::redirect("/admin/account").done(words).session(SessionCookie::Set(token)).into())
}

pub(super) async fn end_sessions(request: AdminRequest) -> Result<Reply> {
    let id = request.account()?.id;
    let mut write = request.write_private().await?;
    session::end_all(&mut write, id).await?;
    request.audit(&mut write, Entry::new("sign out everywhere", "account").id(id)).await?;
    write.commit().await?;
    Ok(Reply::redirect("/admin/sign-in").done("You are signed out everywhere.").session(SessionCookie::Remove).into())
}
