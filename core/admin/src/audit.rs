//! What was done in the back office: the table `admin_audit`. Rows are added and never changed; the database refuses.

use jiff::Timestamp;
use serde_json::Value;
use sqlx::{AnyConnection, FromRow};

use festival_base::db::timestamp_text;
use festival_base::error::Result;

/// Who appears as the network of what the command line did.
pub const COMMAND_LINE: &str = "command line";

/// The action of a sign-in that went well.
pub(super) const SIGNED_IN: &str = "sign in";

/// What is written down.
#[derive(Clone, Debug)]
pub struct Entry {
    action: &'static str,
    object: &'static str,
    object_id: Option<i64>,
    before: Option<Value>,
    after: Option<Value>,
}

impl Entry {
    /// `action` ("edit", "export", "sign in") on an `object` ("account", the table of an entity).
    pub fn new(action: &'static str, object: &'static str) -> Self {
        Self { action, object, object_id: None, before: None, after: None }
    }

    /// On the row with this id.
    #[must_use]
    pub fn id(mut self, id: i64) -> Self {
        self.object_id = Some(id);
        self
    }

    /// What it was before.
    #[must_use]
    pub fn before(mut self, value: Value) -> Self {
        self.before = Some(value);
        self
    }

    /// What it is now; of an export: what was taken along.
    #[must_use]
    pub fn after(mut self, value: Value) -> Self {
        self.after = Some(value);
        self
    }
}

/// Writes `entry` down. `account_id` is who did it; nobody is the command line or a stranger.
pub async fn record(
    connection: &mut AnyConnection,
    account_id: Option<i64>,
    network: &str,
    entry: Entry,
    now: Timestamp,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO admin_audit (at, account_id, network, action, object, object_id, before_json, after_json) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(timestamp_text(now))
    .bind(account_id)
    .bind(network.to_owned())
    .bind(entry.action)
    .bind(entry.object)
    .bind(entry.object_id)
    .bind(entry.before.map(|value| value.to_string()))
    .bind(entry.after.map(|value| value.to_string()))
    .execute(connection)
    .await?;
    Ok(())
}

/// Whether the account signed in from this network since a moment.
pub(super) async fn signed_in_from(
    connection: &mut AnyConnection,
    account_id: i64,
    network: &str,
    since: &str,
) -> Result<bool> {
    let count: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM admin_audit WHERE account_id = $1 AND action = $2 AND network = $3 AND at > $4",
    )
    .bind(account_id)
    .bind(SIGNED_IN)
    .bind(network.to_owned())
    .bind(since.to_owned())
    .fetch_one(connection)
    .await?;
    Ok(count > 0)
}

/// A row of the log, as the list shows it.
#[derive(Clone, Debug, FromRow)]
pub struct Row {
    /// Row id; later ones are greater.
    pub id: i64,
    /// When.
    pub at: String,
    /// Whose account.
    pub email: Option<String>,
    /// From where.
    pub network: String,
    /// What was done.
    pub action: String,
    /// To what kind of thing.
    pub object: String,
    /// To which one.
    pub object_id: Option<i64>,
    /// JSON.
    pub before_json: Option<String>,
    /// JSON.
    pub after_json: Option<String>,
}

/// What part of the log is asked for; an empty text or 0 asks for any.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Of this account.
    pub account_id: i64,
    /// This action.
    pub action: String,
    /// Things of this kind.
    pub object: String,
    /// The thing with this id.
    pub object_id: i64,
    /// From this moment on.
    pub from: String,
    /// Before this moment.
    pub until: String,
    /// Rows before the one with this id.
    pub before_id: i64,
}

/// The latest `limit` rows that fit.
pub async fn list(connection: &mut AnyConnection, filter: &Filter, limit: i64) -> Result<Vec<Row>> {
    Ok(sqlx::query_as(
        "SELECT a.id, a.at, p.email, a.network, a.action, a.object, a.object_id, a.before_json, a.after_json \
         FROM admin_audit a LEFT JOIN admin_accounts p ON p.id = a.account_id \
         WHERE ($1 = 0 OR a.account_id = $1) AND ($2 = '' OR a.action = $2) AND ($3 = '' OR a.object = $3) \
         AND ($4 = 0 OR a.object_id = $4) AND ($5 = '' OR a.at >= $5) AND ($6 = '' OR a.at < $6) \
         AND ($7 = 0 OR a.id < $7) ORDER BY a.id DESC LIMIT $8",
    )
    .bind(filter.account_id)
    .bind(&filter.action)
    .bind(&filter.object)
    .bind(filter.object_id)
    .bind(&filter.from)
    .bind(&filter.until)
    .bind(filter.before_id)
    .bind(limit)
    .fetch_all(connection)
    .await?)
}

/// The actions and the kinds of things that occur, for the filters.
pub async fn distinct_actions_and_objects(connection: &mut AnyConnection) -> Result<(Vec<String>, Vec<String>)> {
    let actions = sqlx::query_scalar("SELECT DISTINCT action FROM admin_audit ORDER BY action")
        .fetch_all(&mut *connection)
        .await?;
    let objects = sqlx::query_scalar("SELECT DISTINCT object FROM admin_audit ORDER BY object")
        .fetch_all(&mut *connection)
        .await?;
    Ok((actions, objects))
}
