//! Who decides about submissions: an account in the back office, or somebody at the command line.

use festival_core::Result;
use festival_core::admin::AdminRequest;
use festival_core::admin::audit::{self, COMMAND_LINE, Entry};
use festival_core::db::Write;
use jiff::Timestamp;

/// Who decides, when, and from where.
pub(crate) struct Decider {
    /// The account; `None` for the command line.
    pub(crate) account: Option<i64>,
    /// The name at that time.
    pub(crate) name: String,
    network: String,
    pub(crate) now: Timestamp,
}

impl Decider {
    /// The account of a request.
    ///
    /// # Errors
    /// If nobody is signed in.
    pub(crate) fn of(request: &AdminRequest) -> Result<Self> {
        let account = request.account()?;
        let (name, network) = (account.name.clone(), request.network.clone());
        Ok(Self { account: Some(account.id), name, network, now: request.now() })
    }

    /// Somebody without an account, under this name.
    pub(crate) fn without_account(name: &str, now: Timestamp) -> Self {
        Self { account: None, name: name.to_owned(), network: COMMAND_LINE.to_owned(), now }
    }

    /// Somebody at the command line.
    pub(crate) fn command_line(now: Timestamp) -> Self {
        Self::without_account(COMMAND_LINE, now)
    }

    /// Records an entry in the audit log, in the transaction of the change.
    pub(crate) async fn audit(&self, write: &mut Write, entry: Entry) -> Result<()> {
        audit::record(write, self.account, &self.network, entry, self.now).await
    }

    /// Records an entry for each of many rows.
    pub(crate) async fn audit_rows(&self, write: &mut Write, entries: &[Entry]) -> Result<()> {
        audit::record_all(write, self.account, &self.network, entries, self.now).await
    }
}
