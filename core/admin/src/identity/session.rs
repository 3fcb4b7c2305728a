//! Sessions: the table `admin_sessions`. The browser has a random token in a cookie, the table its hash.

use jiff::{SignedDuration, Timestamp};
use sqlx::{AnyConnection, FromRow};

use crate::identity::token;
use festival_base::db::{time_before, timestamp_text, update_rows};
use festival_base::error::Result;

/// A session ends after this time without a request.
pub(crate) const IDLE_TIMEOUT: SignedDuration = SignedDuration::from_mins(60);
/// A session ends after this time in any case.
pub(crate) const MAX_LIFETIME: SignedDuration = SignedDuration::from_hours(12);
/// Time in which the second factor must follow the password.
const SECOND_FACTOR_TIMEOUT: SignedDuration = SignedDuration::from_mins(10);
/// Time for which a password that was entered counts as fresh.
const FRESH_PERIOD: SignedDuration = SignedDuration::from_mins(15);
/// Minimum time between two updates of `seen_at`, so that not every click writes to the database.
const TOUCH_INTERVAL: SignedDuration = SignedDuration::from_secs(60);

/// A session.
#[derive(Clone, Debug, FromRow)]
pub struct Session {
    /// Row id.
    pub id: i64,
    /// Id of the account.
    pub account_id: i64,
    pub(crate) is_complete: i64,
    /// Address or network of the client at sign-in.
    pub network: String,
    /// Name of the browser: "Firefox on Linux".
    pub browser: String,
    /// Time of sign-in, as stored.
    pub created_at: String,
    /// Time of the last request, as stored, to within a minute.
    pub seen_at: String,
    pub(crate) confirmed_at: String,
}

impl Session {
    /// Whether the password was entered in the last 15 minutes.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        self.confirmed_at > time_before(now, FRESH_PERIOD)
    }

    fn is_valid(&self, now: Timestamp) -> bool {
        let idle_timeout = if self.is_complete == 1 { IDLE_TIMEOUT } else { SECOND_FACTOR_TIMEOUT };
        self.seen_at > time_before(now, idle_timeout) && self.created_at > time_before(now, MAX_LIFETIME)
    }

    /// Whether `seen_at` is old enough to be updated.
    pub(crate) fn needs_touch(&self, now: Timestamp) -> bool {
        self.seen_at <= time_before(now, TOUCH_INTERVAL)
    }
}

/// The client of a session.
#[derive(Clone, Copy, Debug)]
pub struct Client<'a> {
    /// Its address or network.
    pub network: &'a str,
    /// What people recognise it by: "Firefox on Linux".
    pub browser: &'a str,
}

/// Creates a session and returns its token. `is_complete` is false while the second factor is pending.
///
/// # Errors
/// If the database cannot be written.
pub async fn create(
    connection: &mut AnyConnection,
    account_id: i64,
    is_complete: bool,
    client: Client<'_>,
    now: Timestamp,
) -> Result<String> {
    let token = token::random()?;
    sqlx::query(
        "INSERT INTO admin_sessions \
         (token_hash, account_id, is_complete, network, browser, created_at, seen_at, confirmed_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $6, $6)",
    )
    .bind(token::hash("session", &token))
    .bind(account_id)
    .bind(i64::from(is_complete))
    .bind(client.network.to_owned())
    .bind(client.browser.to_owned())
    .bind(timestamp_text(now))
    .execute(connection)
    .await?;
    Ok(token)
}

/// Finds the session of `token`, if it has not expired.
pub(crate) async fn find(connection: &mut AnyConnection, token: &str, now: Timestamp) -> Result<Option<Session>> {
    let session: Option<Session> = sqlx::query_as(
        "SELECT id, account_id, is_complete, network, browser, created_at, seen_at, confirmed_at \
         FROM admin_sessions WHERE token_hash = $1",
    )
    .bind(token::hash("session", token))
    .fetch_optional(connection)
    .await?;
    Ok(session.filter(|session| session.is_valid(now)))
}

/// Lists the valid sessions of an account, the last used first.
pub(crate) async fn list(connection: &mut AnyConnection, account_id: i64, now: Timestamp) -> Result<Vec<Session>> {
    let sessions: Vec<Session> = sqlx::query_as(
        "SELECT id, account_id, is_complete, network, browser, created_at, seen_at, confirmed_at \
         FROM admin_sessions WHERE account_id = $1 AND is_complete = 1 ORDER BY seen_at DESC, id DESC",
    )
    .bind(account_id)
    .fetch_all(connection)
    .await?;
    Ok(sessions.into_iter().filter(|session| session.is_valid(now)).collect())
}

/// Updates the time of the last request.
pub(crate) async fn touch(connection: &mut AnyConnection, id: i64, now: Timestamp) -> Result<()> {
    update_rows(connection, "admin_sessions", &[("seen_at", timestamp_text(now).into())], &[id]).await
}

/// Ends one session.
pub(crate) async fn end(connection: &mut AnyConnection, id: i64) -> Result<()> {
    sqlx::query("DELETE FROM admin_sessions WHERE id = $1").bind(id).execute(connection).await?;
    Ok(())
}

/// Ends all sessions of an account except the one with the id `kept_id`.
pub(crate) async fn end_others(connection: &mut AnyConnection, account_id: i64, kept_id: i64) -> Result<()> {
    sqlx::query("DELETE FROM admin_sessions WHERE account_id = $1 AND id <> $2")
        .bind(account_id)
        .bind(kept_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Ends every session of an account.
pub async fn end_all(connection: &mut AnyConnection, account_id: i64) -> Result<()> {
    sqlx::query("DELETE FROM admin_sessions WHERE account_id = $1").bind(account_id).execute(connection).await?;
    Ok(())
}

/// Deletes expired sessions.
pub(crate) async fn delete_expired(connection: &mut AnyConnection, now: Timestamp) -> Result<()> {
    sqlx::query("DELETE FROM admin_sessions WHERE seen_at <= $1 OR created_at <= $2")
        .bind(time_before(now, IDLE_TIMEOUT))
        .bind(time_before(now, MAX_LIFETIME))
        .execute(connection)
        .await?;
    Ok(())
}

/// Returns the name of the browser in a User-Agent header, for the list of sessions: "Firefox on Linux".
pub(crate) fn browser_name(user_agent: &str) -> String {
    let first = |names: &[(&str, &'static str)]| {
        names.iter().find(|(token, _)| user_agent.contains(token)).map(|(_, name)| *name)
    };
    let browser = first(&[
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("SamsungBrowser/", "Samsung Internet"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ]);
    let system = first(&[
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS X", "macOS"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ]);
    match (browser, system) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => "Unknown browser".to_owned(),
    }
}
