//! The submissions of a bulk action: those that were ticked, or all of a list's filter. Either may be any number; they are
//! read and changed in batches, so that the write lock is held for seconds and not for minutes.

use std::collections::BTreeMap;

use festival_core::admin::AdminRequest;
use festival_core::admin::audit::Entry;
use festival_core::db::{Datum, Select, Write, timestamp_text, update_rows};
use festival_core::edition::Edition;
use festival_core::settings::Settings;
use festival_core::{Result, deadline};
use serde_json::json;
use sqlx::{AnyConnection, AssertSqlSafe, Row as _};

use super::bulk_action::BulkAction;
use super::events::{self, NewEvent};
use super::payment_check::{self, PaymentCheck};
use crate::hash::hash;
use crate::submissions::{Submission, SubmissionKind, SubmissionReader, edition_of, label_of};

/// The ids of the submissions in ascending order, each with the version of its history.
pub(super) type Versions = BTreeMap<i64, i64>;

/// Reads the versions of the submissions that `select` returns.
pub(super) async fn versions(
    connection: &mut AnyConnection,
    kind: &SubmissionKind,
    select: &Select,
) -> Result<Versions> {
    let ids = select.ids(connection).await?;
    let (first, last) = (ids.first().copied().unwrap_or_default(), ids.last().copied().unwrap_or_default());
    let mut versions: Versions = ids.into_iter().map(|id| (id, 0)).collect();
    let owner = kind.owner_column;
    let sql = format!(
        "SELECT {owner}, max(id) FROM submission_events WHERE {owner} >= $1 AND {owner} <= $2 AND kind <> 'note' \
         GROUP BY {owner}"
    );
    let rows = sqlx::query(AssertSqlSafe(sql)).bind(first).bind(last).fetch_all(connection).await?;
    for row in rows {
        if let Some(version) = versions.get_mut(&row.try_get::<i64, _>(0)?) {
            *version = row.try_get(1)?;
        }
    }
    Ok(versions)
}

/// Returns a text that is equal only for sets with the same submissions in the same versions.
pub(super) fn fingerprint(versions: &Versions) -> String {
    let parts: Vec<String> = versions.iter().map(|(id, version)| format!("{id}:{version}")).collect();
    format!("{}-{}", versions.len(), hash(parts.iter().map(String::as_str)))
}

/// Locks the submissions that `select` returns until the transaction ends, and returns their versions.
pub(super) async fn lock(
    write: &mut Write,
    request: &AdminRequest,
    kind: &SubmissionKind,
    select: &Select,
) -> Result<Versions> {
    let ids = select.ids(write).await?;
    let now = Datum::Text(timestamp_text(request.now()));
    update_rows(write, kind.entity.table, &[("updated_at", now)], &ids).await?;
    versions(write, kind, select).await
}

/// The result of a bulk action.
#[derive(Default)]
pub(super) struct Applied {
    pub(super) changed: u64,
    /// Mails that were put into the outbox.
    pub(super) told: u64,
}

/// A bulk action with its inputs, to be applied to locked submissions.
pub(super) struct Work<'a> {
    pub(super) request: &'a AdminRequest,
    pub(super) kind: &'static SubmissionKind,
    pub(super) settings: &'a Settings,
    pub(super) action: BulkAction,
    /// Why payments are rejected.
    pub(super) reason: String,
    /// Whether mails are sent to the senders.
    pub(super) tells: bool,
}

impl Work<'_> {
    /// Applies the action to the submissions with these ids, which `select` returns.
    pub(super) async fn apply(&self, write: &mut Write, select: &Select, ids: &Versions) -> Result<Applied> {
        let mut applied = Applied::default();
        let mut edition = None;
        let mut reader = SubmissionReader::new(&self.request.site.secrets, self.kind, select);
        while let Some(mut submissions) = reader.next(write).await? {
            deadline::progress();
            submissions.retain(|submission| ids.contains_key(&submission.id));
            applied.changed += self.change(write, &submissions).await?;
            for submission in submissions.iter().filter(|_| self.tells) {
                if edition.is_none() {
                    edition = Some(edition_of(write, submission).await?);
                }
                if let Some(edition) = &edition {
                    applied.told += u64::from(self.tell(write, submission, edition).await?);
                }
            }
        }
        Ok(applied)
    }

    /// Changes the submissions that differ from what the action sets, with history and audit log; returns their number.
    async fn change(&self, write: &mut Write, submissions: &[Submission]) -> Result<u64> {
        let kind = self.kind;
        let (mut ids, mut events, mut entries) = (Vec::new(), Vec::new(), Vec::new());
        let mut add = |submission: &Submission, event, (before, after), entry: Entry| {
            ids.push(submission.id);
            events.push(NewEvent { id: submission.id, kind: event, before, after });
            entries.push(entry.id(submission.id));
        };
        for submission in submissions {
            let before = submission.text("status");
            if let BulkAction::Status(status) = self.action {
                if before != status.key {
                    let labels = (label_of(kind.states, before), status.label.to_owned());
                    let entry = Entry::new("set status", kind.entity.table).before(json!({ "status": before }));
                    add(submission, "status", labels, entry.after(json!({ "status": status.key })));
                }
                continue;
            }
            let (before, after) = (PaymentCheck::stored(submission), self.check(submission));
            if before != after {
                let entry = Entry::new("check payment", kind.entity.table).before(json!({ "payment": before.state }));
                let texts = (before.summary(), after.summary());
                add(submission, "payment", texts, entry.after(json!({ "payment": after.state })));
            }
        }
        let text = |text: &str| Datum::Text(text.to_owned());
        let values = match self.action {
            BulkAction::Status(status) => vec![("status", text(status.key))],
            _ => vec![("payment", text(self.action.payment())), ("payment_reason", text(&self.reason))],
        };
        update_rows(write, kind.entity.table, &values, &ids).await?;
        let count = ids.len() as u64;
        events::add_all(write, self.request, kind, events).await?;
        self.request.audit_rows(write, &entries).await?;
        Ok(count)
    }

    /// Returns what the action states about the payment of a submission.
    pub(super) fn check(&self, submission: &Submission) -> PaymentCheck {
        let reason = self.reason.clone();
        PaymentCheck { state: self.action.payment(), reason, ..PaymentCheck::stored(submission) }
    }

    /// Puts the mail about the payment of a submission into the outbox; `false` if its sender has no address.
    async fn tell(&self, write: &mut Write, submission: &Submission, edition: &Edition) -> Result<bool> {
        let Some(notice) = self.action.notice() else { return Ok(false) };
        payment_check::tell(write, (self.request, self.settings), submission, edition, (notice, &self.reason)).await
    }
}
