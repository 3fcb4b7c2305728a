//! The audit log: the table `admin_audit`. Rows are only appended; database triggers reject changes.

use jiff::Timestamp;
use serde_json::Value;
use sqlx::{AnyConnection, FromRow};

use festival_base::db::{Datum, insert_rows, timestamp_text};
use festival_base::error::Result;

/// Stored as the network of actions from the command line.
pub const COMMAND_LINE: &str = "command line";

/// The action of a successful sign-in.
pub(super) const SIGN_IN: &str = "sign in";

/// An entry to be recorded.
#[must_use]
#[derive(Clone, Debug)]
pub struct Entry {
    action: &'static str,
    object: &'static str,
    object_id: Option<i64>,
    before: Option<Value>,
    after: Option<Value>,
}

impl Entry {
    /// Creates an entry: `action` ("edit", "export", "sign in") on an `object` ("account", the table of an entity).
    pub fn new(action: &'static str, object: &'static str) -> Self {
        Self { action, object, object_id: None, before: None, after: None }
    }

    /// Sets the id of the row.
    pub fn id(mut self, id: i64) -> Self {
        self.object_id = Some(id);
        self
    }

    /// Sets the state before the action.
    pub fn before(mut self, value: Value) -> Self {
        self.before = Some(value);
        self
    }

    /// Sets the state after the action; for an export, what it contained.
    pub fn after(mut self, value: Value) -> Self {
        self.after = Some(value);
        self
    }
}

/// Appends `entry`. `account_id` is who did it; `None` for the command line and for visitors who are not signed in.
pub async fn record(
    connection: &mut AnyConnection,
    account_id: Option<i64>,
    network: &str,
    entry: Entry,
    now: Timestamp,
) -> Result<()> {
    record_all(connection, account_id, network, &[entry], now).await
}

/// Appends several entries as [`record`] does.
///
/// # Errors
/// If the database cannot be written.
pub async fn record_all(
    connection: &mut AnyConnection,
    account_id: Option<i64>,
    network: &str,
    entries: &[Entry],
    now: Timestamp,
) -> Result<()> {
    const COLUMNS: [&str; 8] =
        ["at", "account_id", "network", "action", "object", "object_id", "before_json", "after_json"];
    let text = |text: &str| Datum::Text(text.to_owned());
    let number = |number: Option<i64>| number.map_or(Datum::Null, Datum::Integer);
    let json = |value: &Option<Value>| value.as_ref().map_or(Datum::Null, |value| Datum::Text(value.to_string()));
    let row = |entry: &Entry| {
        vec![
            Datum::Text(timestamp_text(now)),
            number(account_id),
            text(network),
            text(entry.action),
            text(entry.object),
            number(entry.object_id),
            json(&entry.before),
            json(&entry.after),
        ]
    };
    insert_rows(connection, "admin_audit", &COLUMNS, &entries.iter().map(row).collect::<Vec<_>>()).await
}

/// Whether the account signed in from this network after `since`, a time as stored.
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
    .bind(SIGN_IN)
    .bind(network.to_owned())
    .bind(since.to_owned())
    .fetch_one(connection)
    .await?;
    Ok(count > 0)
}

/// A row of the log.
#[derive(Clone, Debug, FromRow)]
pub struct AuditRow {
    /// Row id; ascending in time.
    pub id: i64,
    /// Time, as stored.
    pub at: String,
    /// E-mail address of the account; `None` if nobody was signed in.
    pub email: Option<String>,
    /// Address or network of the client, or [`COMMAND_LINE`].
    pub network: String,
    /// The action: "edit".
    pub action: String,
    /// Kind of object: "account", the table of an entity.
    pub object: String,
    /// Row id of the object.
    pub object_id: Option<i64>,
    /// State before the action, as JSON.
    pub before_json: Option<String>,
    /// State after the action, as JSON.
    pub after_json: Option<String>,
}

/// Filter of the log. An empty text or 0 matches everything.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Id of the account.
    pub account_id: i64,
    /// The action.
    pub action: String,
    /// Kind of object.
    pub object: String,
    /// Row id of the object.
    pub object_id: i64,
    /// Earliest time, inclusive, as stored.
    pub from: String,
    /// Latest time, exclusive, as stored.
    pub until: String,
    /// Only rows with a smaller id: the next page.
    pub before_id: i64,
}

/// Lists the latest `limit` rows that match, newest first.
pub async fn list(connection: &mut AnyConnection, filter: &Filter, limit: i64) -> Result<Vec<AuditRow>> {
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

/// Returns all actions and kinds of objects in the log, for the filters.
pub async fn distinct_actions_and_objects(connection: &mut AnyConnection) -> Result<(Vec<String>, Vec<String>)> {
    let actions = sqlx::query_scalar("SELECT DISTINCT action FROM admin_audit ORDER BY action")
        .fetch_all(&mut *connection)
        .await?;
    let objects = sqlx::query_scalar("SELECT DISTINCT object FROM admin_audit ORDER BY object")
        .fetch_all(&mut *connection)
        .await?;
    Ok((actions, objects))
}
