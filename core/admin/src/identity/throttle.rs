//! Rate limit of password and code guesses: the table `admin_failures`, shared by all servers.
//!
//! An attempt is recorded before the check and cleared after success, so that parallel guesses are all counted. A user
//! who signed in from a network before, or who has a second factor, is not locked out by guesses from other networks.

use jiff::{SignedDuration, Timestamp};
use sqlx::{AnyConnection, FromRow};

use crate::audit;
use crate::identity::token;
use festival_base::db::{Db, time_before, timestamp_text};
use festival_base::error::{Error, Result};

/// Period in which failures count.
const WINDOW: SignedDuration = SignedDuration::from_mins(15);
/// Maximum failures per e-mail address and network.
const MAX_PER_ADDRESS: i64 = 10;
/// Maximum password failures per e-mail address from all networks together: high enough that nobody can lock out an
/// owner from one place, low enough that a botnet cannot guess a password of twelve characters.
const MAX_PASSWORD_FAILURES: i64 = 100;
/// Maximum links by mail per e-mail address, from all networks together: nobody's mailbox is filled from here.
const MAX_LINKS: i64 = 3;
/// Maximum failures per network, for all e-mail addresses together.
const MAX_PER_NETWORK: i64 = 50;
/// Period for which a network counts as known after a sign-in.
const KNOWN_NETWORK_PERIOD: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The beginning of a statement that selects a [`Tally`]; the condition follows.
macro_rules! tally {
    () => {
        "SELECT count(*) AS count, coalesce(min(failed_at), '') AS first FROM admin_failures WHERE "
    };
}

/// An attempt to guess a secret.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    address_hash: String,
    network: String,
    /// The account, if it exists.
    account_id: Option<i64>,
    /// Maximum failures from all networks together.
    max_all_networks: i64,
}

impl Attempt {
    /// Creates an attempt at the password of `email`.
    pub(crate) fn password(email: &str, network: &str, account_id: Option<i64>) -> Self {
        let address_hash = token::hash("address", email);
        Self { address_hash, network: network.to_owned(), account_id, max_all_networks: MAX_PASSWORD_FAILURES }
    }

    /// Creates an attempt at the second factor of an account; the password was already correct.
    pub(crate) fn second_factor(account_id: i64, network: &str) -> Self {
        let address_hash = token::hash("second factor", &account_id.to_string());
        // Six digits are too short to allow more guesses from many networks than from one.
        Self { address_hash, network: network.to_owned(), account_id: None, max_all_networks: MAX_PER_ADDRESS }
    }

    /// Creates a request for a link to the mailbox `email`, which counts whether or not there is such an account.
    pub(crate) fn link(email: &str, network: &str) -> Self {
        let address_hash = token::hash("link", email);
        Self { address_hash, network: network.to_owned(), account_id: None, max_all_networks: MAX_LINKS }
    }

    /// The same attempt, not limited by failures from other networks: for accounts that a password alone does not open.
    pub(crate) fn despite_other_networks(self) -> Self {
        Self { max_all_networks: i64::MAX, ..self }
    }

    /// Records the attempt.
    ///
    /// # Errors
    /// [`Error::TooMany`] if a limit is reached; the attempt is not recorded then.
    pub(crate) async fn record(&self, db: &Db, now: Timestamp) -> Result<()> {
        let mut connection = db.read().await?;
        self.check(&mut connection, now, 0).await?;
        drop(connection);
        let mut write = db.write_private().await?;
        let id: i64 = sqlx::query_scalar(
            "INSERT INTO admin_failures (address_hash, network, failed_at) VALUES ($1, $2, $3) RETURNING id",
        )
        .bind(&self.address_hash)
        .bind(&self.network)
        .bind(timestamp_text(now))
        .fetch_one(&mut *write)
        .await?;
        write.commit().await?;
        // Check again, because parallel attempts may have been recorded in the meantime.
        let mut connection = db.read().await?;
        let checked = self.check(&mut connection, now, 1).await;
        drop(connection);
        if checked.is_err() {
            // It was rejected before it was made.
            let mut write = db.write_private().await?;
            sqlx::query("DELETE FROM admin_failures WHERE id = $1").bind(id).execute(&mut *write).await?;
            write.commit().await?;
        }
        checked
    }

    /// Fails with [`Error::TooMany`] if a limit is reached; `own` is the number of counted records of this attempt.
    pub(crate) async fn check(&self, connection: &mut AnyConnection, now: Timestamp, own: i64) -> Result<()> {
        let since = time_before(now, WINDOW);
        let is_known_network = match self.account_id {
            Some(id) => {
                audit::signed_in_from(connection, id, &self.network, &time_before(now, KNOWN_NETWORK_PERIOD)).await?
            }
            None => false,
        };
        // One static statement for each rule.
        let here: Tally = sqlx::query_as(concat!(tally!(), "address_hash = $1 AND network = $2 AND failed_at > $3"))
            .bind(&self.address_hash)
            .bind(&self.network)
            .bind(&since)
            .fetch_one(&mut *connection)
            .await?;
        let everywhere: Tally = sqlx::query_as(concat!(tally!(), "address_hash = $1 AND failed_at > $2"))
            .bind(&self.address_hash)
            .bind(&since)
            .fetch_one(&mut *connection)
            .await?;
        let network = Tally::of_network(&mut *connection, &self.network, &since).await?;
        let limit_everywhere = if is_known_network { i64::MAX } else { self.max_all_networks };
        let rules = [(here, MAX_PER_ADDRESS), (everywhere, limit_everywhere), (network, MAX_PER_NETWORK)];
        match rules.iter().find(|(tally, limit)| tally.count - own >= *limit) {
            Some((tally, _)) => Err(tally.error(now)),
            None => Ok(()),
        }
    }

    /// Deletes the failures of this address from this network, after success.
    pub(crate) async fn clear(&self, connection: &mut AnyConnection) -> Result<()> {
        sqlx::query("DELETE FROM admin_failures WHERE address_hash = $1 AND network = $2")
            .bind(&self.address_hash)
            .bind(&self.network)
            .execute(connection)
            .await?;
        Ok(())
    }
}

/// Fails with [`Error::TooMany`] if `network` has reached its limit, before its form is read.
pub(crate) async fn check_network(db: &Db, network: &str, now: Timestamp) -> Result<()> {
    let tally = Tally::of_network(&mut *db.read().await?, network, &time_before(now, WINDOW)).await?;
    if tally.count >= MAX_PER_NETWORK { Err(tally.error(now)) } else { Ok(()) }
}

/// Number of failures, and the time of the first.
#[derive(FromRow)]
struct Tally {
    count: i64,
    first: String,
}

impl Tally {
    /// Counts the failures of one network, for all e-mail addresses.
    async fn of_network(connection: &mut AnyConnection, network: &str, since: &str) -> Result<Self> {
        let tally = sqlx::query_as(concat!(tally!(), "network = $1 AND failed_at > $2"));
        Ok(tally.bind(network).bind(since).fetch_one(connection).await?)
    }

    fn error(&self, now: Timestamp) -> Error {
        let first: Timestamp = self.first.parse().unwrap_or(now);
        let wait = first.saturating_add(WINDOW).unwrap_or(now).duration_since(now).as_secs().clamp(1, WINDOW.as_secs());
        Error::TooMany {
            message: "There were too many attempts. Please wait a quarter of an hour and try again.".into(),
            retry_after: u32::try_from(wait).unwrap_or(900),
        }
    }
}

/// Deletes failures that no longer count.
pub(crate) async fn delete_expired(connection: &mut AnyConnection, now: Timestamp) -> Result<()> {
    sqlx::query("DELETE FROM admin_failures WHERE failed_at <= $1")
        .bind(time_before(now, WINDOW))
        .execute(connection)
        .await?;
    Ok(())
}
