//! The user's own account: password, second factor, sessions.

use serde_json::json;

use super::confirm::check_own_password;
use super::invited::{new_password, password_inputs};
use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::identity::{account, recovery, session};
use crate::serving::input::Input;
use crate::serving::reply::{Page, Reply, SessionCookie};
use festival_base::error::Result;
use festival_base::time_text;

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    Ok(page(&request).await?.into())
}

async fn page(request: &AdminRequest) -> Result<Page> {
    let user = request.user()?;
    let zone = &request.site.time_zone;
    let mut connection = request.read().await?;
    let sessions: Vec<_> = session::list(&mut connection, user.account.id, request.now())
        .await?
        .into_iter()
        .map(|session| {
            json!({
                "browser": session.browser,
                "network": session.network,
                "since": time_text::short(&session.created_at, zone),
                "seen": time_text::short(&session.seen_at, zone),
                "is_current": session.id == user.session.id,
            })
        })
        .collect();
    let unused_codes = recovery::count_unused(&mut connection, user.account.id).await?;
    let role = user.account.role();
    Ok(Reply::page("account", "Your account")
        .with("name", &user.account.name)
        .with("email", &user.account.email)
        .with("role", role.label)
        .with("description", role.description)
        .with("second_factor", user.account.has_second_factor())
        .with("recovery_codes", unused_codes)
        .with("sessions", sessions)
        .inputs([Input::new("password", "password", "Current password").required().autocomplete("current-password")])
        .inputs(password_inputs()))
}

pub(super) async fn change_password(request: AdminRequest) -> Result<Reply> {
    let user = request.user()?;
    let hash = match check_own_password(&request, "password").await {
        Ok(()) => new_password(&request, &user.account).await,
        Err(error) => Err(error),
    };
    let hash = match hash {
        Ok(hash) => hash,
        Err(error) => return Ok(page(&request).await?.refused(error)?.into()),
    };
    let (id, now) = (user.account.id, request.now());
    let mut write = request.write_private().await?;
    account::set_password(&mut write, id, Some(&hash), now).await?;
    session::end_all(&mut write, id).await?;
    let token = session::create(&mut write, id, true, request.client(), now).await?;
    request.commit(write, Entry::new("change password", "account").id(id)).await?;
    let message = "Password changed. All other browsers have been signed out.";
    Ok(Reply::redirect("/admin/account").done(message).session(SessionCookie::Set(token)).into())
}

pub(super) async fn end_sessions(request: AdminRequest) -> Result<Reply> {
    let id = request.account()?.id;
    let mut write = request.write_private().await?;
    session::end_all(&mut write, id).await?;
    request.commit(write, Entry::new("sign out everywhere", "account").id(id)).await?;
    Ok(Reply::redirect("/admin/sign-in")
        .done("You have been signed out everywhere.")
        .session(SessionCookie::Remove)
        .into())
}
