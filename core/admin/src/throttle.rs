//! How often one may guess: the table `admin_failures`, so that two servers count together.
//!
//! An attempt is counted before it is made and taken back when it was right: a hundred guesses at once are a hundred
//! counted guesses. Who signed in from a network before is not shut out by strangers who guess elsewhere.

use jiff::{SignedDuration, Timestamp};
use sqlx::AnyConnection;

use super::session::before;
use super::{audit, token};
use festival_base::db::{Db, timestamp_text};
use festival_base::error::{Error, Result};

/// The time that is looked back on.
const WINDOW: SignedDuration = SignedDuration::from_mins(15);
/// How many failures of one address from one network are too many.
const MOST_PER_ADDRESS: i64 = 10;
/// How many failures of one address from all networks together are too many at its password: so many that nobody shuts
/// an owner out from one place, so few that thousands of hired networks guess no password of twelve characters.
const MOST_AT_PASSWORD: i64 = 100;
/// How many failures of one network are too many, whatever the addresses.
const MOST_PER_NETWORK: i64 = 50;
/// How long a network stays known to an account.
const KNOWN: SignedDuration = SignedDuration::from_hours(30 * 24);

/// What is guessed at, by whom.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    address_hash: String,
    network: String,
    /// The account, where there is one.
    account_id: Option<i64>,
    /// How many failures from all networks together are too many.
    most_everywhere: i64,
}

/// An attempt that is counted.
pub(super) struct Counted {
    id: i64,
}

impl Attempt {
    /// An attempt at the password of `email`.
    pub(super) fn password(email: &str, network: &str, account_id: Option<i64>) -> Self {
        let address_hash = token::hash("address", email);
        Self { address_hash, network: network.to_owned(), account_id, most_everywhere: MOST_AT_PASSWORD }
    }

    /// An attempt at the second factor of an account: whoever makes it knows the password.
    pub(super) fn second_factor(account_id: i64, network: &str) -> Self {
        let address_hash = token::hash("second factor", &account_id.to_string());
        // Six digits bear no more guesses from many networks than from one.
        Self { address_hash, network: network.to_owned(), account_id: None, most_everywhere: MOST_PER_ADDRESS }
    }

    /// Counts the attempt, or says when the next one is welcome.
    pub(super) async fn count(&self, db: &Db, now: Timestamp) -> Result<Counted> {
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
        // Others may have counted theirs meanwhile: now all see all.
        let mut connection = db.read().await?;
        let checked = self.check(&mut connection, now, 1).await;
        drop(connection);
        if let Err(error) = checked {
            Counted { id }.take_back(db).await?;
            return Err(error);
        }
        Ok(Counted { id })
    }

    /// Refuses where there are too many; `own` of them is the attempt itself.
    async fn check(&self, connection: &mut AnyConnection, now: Timestamp, own: i64) -> Result<()> {
        let since = before(now, WINDOW);
        let known = match self.account_id {
            Some(id) => audit::signed_in_from(connection, id, &self.network, &before(now, KNOWN)).await?,
            None => false,
        };
        // One statement a rule: SQL without conditions that depend on what was typed.
        let here = Tally::of(
            sqlx::query_as(
                "SELECT count(*), coalesce(min(failed_at), '') FROM admin_failures \
                 WHERE address_hash = $1 AND network = $2 AND failed_at > $3",
            )
            .bind(&self.address_hash)
            .bind(&self.network)
            .bind(&since)
            .fetch_one(&mut *connection)
            .await?,
        );
        let everywhere = Tally::of(
            sqlx::query_as(
                "SELECT count(*), coalesce(min(failed_at), '') FROM admin_failures \
                 WHERE address_hash = $1 AND failed_at > $2",
            )
            .bind(&self.address_hash)
            .bind(&since)
            .fetch_one(&mut *connection)
            .await?,
        );
        let network = Tally::of_network(&mut *connection, &self.network, &since).await?;
        let strangers = if known { i64::MAX } else { self.most_everywhere };
        let rules = [(here, MOST_PER_ADDRESS), (everywhere, strangers), (network, MOST_PER_NETWORK)];
        match rules.iter().find(|(tally, most)| tally.count - own >= *most) {
            Some((tally, _)) => Err(tally.refusal(now)),
            None => Ok(()),
        }
    }

    /// Forgets the failures of this address from this network: the person got in.
    pub(super) async fn forget(&self, connection: &mut AnyConnection) -> Result<()> {
        sqlx::query("DELETE FROM admin_failures WHERE address_hash = $1 AND network = $2")
            .bind(&self.address_hash)
            .bind(&self.network)
            .execute(connection)
            .await?;
        Ok(())
    }
}

impl Counted {
    /// Takes the count back: the attempt was not made.
    async fn take_back(self, db: &Db) -> Result<()> {
        let mut write = db.write_private().await?;
        sqlx::query("DELETE FROM admin_failures WHERE id = $1").bind(self.id).execute(&mut *write).await?;
        write.commit().await
    }
}

/// Refuses a form of `network` before it is read, where there were too many failures already.
pub(super) async fn check_network(db: &Db, network: &str, now: Timestamp) -> Result<()> {
    let tally = Tally::of_network(&mut *db.read().await?, network, &before(now, WINDOW)).await?;
    if tally.count >= MOST_PER_NETWORK { Err(tally.refusal(now)) } else { Ok(()) }
}

/// How many failures there were, and when the first.
struct Tally {
    count: i64,
    first: String,
}

impl Tally {
    fn of((count, first): (i64, String)) -> Self {
        Self { count, first }
    }

    /// The failures of one network, whatever the addresses.
    async fn of_network(connection: &mut AnyConnection, network: &str, since: &str) -> Result<Self> {
        let tally = sqlx::query_as(
            "SELECT count(*), coalesce(min(failed_at), '') FROM admin_failures WHERE network = $1 AND failed_at > $2",
        );
        Ok(Self::of(tally.bind(network).bind(since).fetch_one(connection).await?))
    }

    fn refusal(&self, now: Timestamp) -> Error {
        let first: Timestamp = self.first.parse().unwrap_or(now);
        let wait = first.saturating_add(WINDOW).unwrap_or(now).duration_since(now).as_secs().clamp(1, WINDOW.as_secs());
        Error::TooMany {
            message: "There were too many attempts. Please wait a quarter of an hour and try again.".into(),
            retry_after: u32::try_from(wait).unwrap_or(900),
        }
    }
}

/// Removes what counts no more.
pub(super) async fn sweep(connection: &mut AnyConnection, now: Timestamp) -> Result<()> {
    sqlx::query("DELETE FROM admin_failures WHERE failed_at <= $1")
        .bind(before(now, WINDOW))
        .execute(connection)
        .await?;
    Ok(())
}
