//! Who is in: the table `admin_sessions`. The browser holds a random token in a cookie, the table its hash.

use jiff::{SignedDuration, Timestamp};
use sqlx::{AnyConnection, FromRow};

use super::token;
use festival_base::db::timestamp_text;
use festival_base::error::Result;

/// Without a request for so long, a session is over.
pub(super) const IDLE: SignedDuration = SignedDuration::from_mins(60);
/// After so long it is over in any case.
pub(super) const LONGEST: SignedDuration = SignedDuration::from_hours(12);
/// So long the second factor may take.
const SECOND_FACTOR: SignedDuration = SignedDuration::from_mins(10);
/// So long the password counts as just typed.
const FRESH: SignedDuration = SignedDuration::from_mins(15);
/// A request within this time of the last noted one is not noted: a write for each click would be too much.
const NOTED: SignedDuration = SignedDuration::from_secs(60);

/// A session.
#[derive(Clone, Debug, FromRow)]
pub struct Session {
    /// Row id.
    pub id: i64,
    /// Whose it is.
    pub account_id: i64,
    pub(super) is_complete: i64,
    /// Where it was begun: the client's address or network.
    pub network: String,
    /// The browser, in a few words.
    pub browser: String,
    /// When it was begun.
    pub created_at: String,
    /// When it was used last, give or take a minute.
    pub seen_at: String,
    pub(super) confirmed_at: String,
}

impl Session {
    /// Whether the password was typed a short while ago.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        self.confirmed_at > before(now, FRESH)
    }

    fn is_alive(&self, now: Timestamp) -> bool {
        let idle = if self.is_complete == 1 { IDLE } else { SECOND_FACTOR };
        self.seen_at > before(now, idle) && self.created_at > before(now, LONGEST)
    }

    pub(super) fn needs_noting(&self, now: Timestamp) -> bool {
        self.seen_at <= before(now, NOTED)
    }
}

/// The moment so long before `now`, as the database writes it.
pub(super) fn before(now: Timestamp, long: SignedDuration) -> String {
    timestamp_text(now.saturating_sub(long).unwrap_or(now))
}

/// Where and with what a person came.
#[derive(Clone, Copy, Debug)]
pub(super) struct From<'a> {
    pub(super) network: &'a str,
    pub(super) browser: &'a str,
}

/// Begins a session and answers its token. `complete`: nothing more is asked for.
pub(super) async fn begin(
    connection: &mut AnyConnection,
    account_id: i64,
    complete: bool,
    from: From<'_>,
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
    .bind(i64::from(complete))
    .bind(from.network.to_owned())
    .bind(from.browser.to_owned())
    .bind(timestamp_text(now))
    .execute(connection)
    .await?;
    Ok(token)
}

/// The session of `token`, if it lives.
pub(super) async fn find(connection: &mut AnyConnection, token: &str, now: Timestamp) -> Result<Option<Session>> {
    let session: Option<Session> = sqlx::query_as(
        "SELECT id, account_id, is_complete, network, browser, created_at, seen_at, confirmed_at \
         FROM admin_sessions WHERE token_hash = $1",
    )
    .bind(token::hash("session", token))
    .fetch_optional(connection)
    .await?;
    Ok(session.filter(|session| session.is_alive(now)))
}

/// The living sessions of an account, the last used first.
pub(super) async fn list(connection: &mut AnyConnection, account_id: i64, now: Timestamp) -> Result<Vec<Session>> {
    let sessions: Vec<Session> = sqlx::query_as(
        "SELECT id, account_id, is_complete, network, browser, created_at, seen_at, confirmed_at \
         FROM admin_sessions WHERE account_id = $1 AND is_complete = 1 ORDER BY seen_at DESC, id DESC",
    )
    .bind(account_id)
    .fetch_all(connection)
    .await?;
    Ok(sessions.into_iter().filter(|session| session.is_alive(now)).collect())
}

/// Notes that the session was used.
pub(super) async fn note(connection: &mut AnyConnection, id: i64, now: Timestamp) -> Result<()> {
    sqlx::query("UPDATE admin_sessions SET seen_at = $1 WHERE id = $2")
        .bind(timestamp_text(now))
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Ends one session.
pub(super) async fn end(connection: &mut AnyConnection, id: i64) -> Result<()> {
    sqlx::query("DELETE FROM admin_sessions WHERE id = $1").bind(id).execute(connection).await?;
    Ok(())
}

/// Ends the sessions of an account but the one that stays.
pub(super) async fn end_others(connection: &mut AnyConnection, account_id: i64, stays: i64) -> Result<()> {
    sqlx::query("DELETE FROM admin_sessions WHERE account_id = $1 AND id <> $2")
        .bind(account_id)
        .bind(stays)
        .execute(connection)
        .await?;
    Ok(())
}

/// Ends every session of an account.
pub async fn end_all(connection: &mut AnyConnection, account_id: i64) -> Result<()> {
    sqlx::query("DELETE FROM admin_sessions WHERE account_id = $1").bind(account_id).execute(connection).await?;
    Ok(())
}

/// Removes the sessions that are over.
pub(super) async fn sweep(connection: &mut AnyConnection, now: Timestamp) -> Result<()> {
    sqlx::query("DELETE FROM admin_sessions WHERE seen_at <= $1 OR created_at <= $2")
        .bind(before(now, IDLE))
        .bind(before(now, LONGEST))
        .execute(connection)
        .await?;
    Ok(())
}

/// A browser in a few words, for the list of sessions: "Firefox on Linux".
pub(super) fn browser_name(agent: &str) -> String {
    let first =
        |known: &[(&str, &'static str)]| known.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name);
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
        (Some(one), None) | (None, Some(one)) => one.to_owned(),
        (None, None) => "another program".to_owned(),
    }
}
