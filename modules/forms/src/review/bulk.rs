//! Decides about several submissions at once: those that were ticked in a list, or all of its filter. They are read and
//! changed in batches.

use festival_core::admin::collections::{self, RowAction, Versions};
use festival_core::admin::{Action, AdminRequest, Input, Page, Reply};
use festival_core::db::{Datum, Select, Write, timestamp_text, update_rows};
use festival_core::entity::trim;
use festival_core::settings::Settings;
use festival_core::{Error, FieldError, Result, deadline};
use serde_json::{Value, json};
use sqlx::{AnyConnection, AssertSqlSafe};

use super::bulk_action::BulkAction;
use super::decision::Decision;
use super::fee::{self, FeeReduction};
use super::list::SubmissionList;
use super::payment_check;
use crate::decider::Decider;
use crate::description::SENDER;
use crate::mails::{PaymentNotice, SubmissionMails};
use crate::role::PEOPLE;
use crate::submissions::{PAYMENTS, Submission, SubmissionKind, SubmissionReader, label_of};

/// Fields of the confirmation.
const REASON: &str = "payment_reason";
const TELL: &str = "tell";

/// Handles `POST selected`.
pub(super) async fn submit(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let Some(action) = BulkAction::parse(kind, request.form.get("action")) else {
        let back = request.address(&kind.list_path(), &[]);
        return Ok(Reply::redirect(back).problem("Choose first what to do.").into());
    };
    if (action.reduces || !action.payment.is_empty()) && !request.may(&PEOPLE, Action::Edit) {
        return Err(Error::Closed("Your role does not have access to payments.".into()));
    }
    let settings = request.site.in_force().await?;
    let work = Work {
        request: &request,
        kind,
        settings: &settings,
        reason: if action.rejects() { trim(request.form.get(REASON)).to_owned() } else { String::new() },
        action,
        tells: request.form.get(TELL) == "yes",
    };
    collections::submit(&request, &SubmissionList { kind }, &work).await
}

/// An action on chosen submissions, with its inputs.
struct Work<'a> {
    request: &'a AdminRequest,
    kind: &'static SubmissionKind,
    settings: &'a Settings,
    action: BulkAction,
    /// Why payments are rejected.
    reason: String,
    /// Whether mails are sent to the senders.
    tells: bool,
}

impl Work<'_> {
    /// Counts the submissions by status, and by that of their payment.
    async fn counts(&self, connection: &mut AnyConnection, select: &Select) -> Result<Vec<Value>> {
        let mut columns = vec![("status", "Status", self.kind.states)];
        if self.action.reduces || !self.action.payment.is_empty() {
            columns.push(("payment", "Payment", PAYMENTS));
        }
        let mut counts = Vec::new();
        for (column, title, states) in columns {
            for (key, count) in select.counts(connection, column).await? {
                counts.push(json!({ "label": format!("{title}: {}", label_of(states, &key)), "count": count }));
            }
        }
        Ok(counts)
    }

    /// Returns the mail to the sender of a submission as it would be sent.
    async fn preview(&self, connection: &mut AnyConnection, submission: &Submission) -> Result<Option<Value>> {
        let Some(notice) = self.action.notice else { return Ok(None) };
        if self.action.rejects() && self.reason.is_empty() {
            return Ok(None); // The reason is most of the mail.
        }
        let mails = SubmissionMails::about(&self.request.site, self.settings, connection, submission).await?;
        Ok(Some(mails.about_payment(notice, &self.reason)?.preview()))
    }

    /// Puts the mails about the payments of a batch into the outbox; returns how many senders have an address.
    async fn tell(&self, write: &mut Write, decider: &Decider, submissions: &[Submission]) -> Result<u64> {
        let (Some(notice), Some(first)) = (self.action.notice.filter(|_| self.tells), submissions.first()) else {
            return Ok(0);
        };
        let mails = SubmissionMails::about(&self.request.site, self.settings, write, first).await?;
        let ids: Vec<i64> = submissions.iter().map(|submission| submission.id).collect();
        payment_check::tell(write, decider, &mails, &ids, (notice, &self.reason)).await
    }
}

#[rocket::async_trait]
impl RowAction<SubmissionList> for Work<'_> {
    async fn versions(&self, connection: &mut AnyConnection, ids: &[i64]) -> Result<Versions> {
        let (first, last) = (ids.first().copied().unwrap_or_default(), ids.last().copied().unwrap_or_default());
        let mut versions: Versions = ids.iter().map(|id| (*id, "0".to_owned())).collect();
        let owner = self.kind.owner_column;
        let sql = format!(
            "SELECT {owner}, max(id) FROM submission_events WHERE {owner} >= $1 AND {owner} <= $2 AND kind <> 'note' \
             GROUP BY {owner}"
        );
        let rows: Vec<(i64, i64)> =
            sqlx::query_as(AssertSqlSafe(sql)).bind(first).bind(last).fetch_all(connection).await?;
        for (id, event) in rows {
            versions.entry(id).and_modify(|version| *version = event.to_string());
        }
        Ok(versions)
    }

    async fn lock(&self, write: &mut Write, ids: &[i64]) -> Result<()> {
        let now = Datum::Text(timestamp_text(self.request.now()));
        update_rows(write, self.kind.entity.table, &[("updated_at", now)], ids).await
    }

    fn check(&self) -> Result<()> {
        let mut errors = Vec::new();
        payment_check::check_reason(self.action.payment, &self.reason, &mut errors);
        if self.action.reduces {
            FeeReduction::parse(self.request, &mut errors);
        }
        if self.action.notice == Some(PaymentNotice::NotFound) && !self.tells {
            errors.push(FieldError::new(TELL, "Tick this: no mail is sent otherwise."));
        }
        if errors.is_empty() { Ok(()) } else { Err(Error::Invalid(errors)) }
    }

    async fn confirmation(
        &self,
        connection: &mut AnyConnection,
        select: &Select,
        submissions: &[Submission],
        count: usize,
    ) -> Result<Page> {
        let (request, kind, action) = (self.request, self.kind, &self.action);
        let counts = self.counts(connection, select).await?;
        let has_address = |submission: &&Submission| !submission.text(kind.email_of(SENDER)).is_empty();
        let preview = match submissions.iter().find(has_address) {
            Some(first) => self.preview(connection, first).await?,
            None => None,
        };
        let mut inputs = vec![Input::hidden("action", &action.key)];
        if action.reduces {
            inputs.extend(fee::inputs(request, None));
        }
        if action.rejects() {
            inputs.push(Input::text(REASON, "Why they are rejected").value(&self.reason).required());
        }
        if action.notice.is_some() {
            let tell = Input::new("flag", TELL, "Tell them by mail").value(request.form.get(TELL));
            inputs.push(tell.hint("The mails go out at once, each with the data of its submission."));
        }
        let audited = json!({ "action": action.key, "selected": count });
        Ok(Reply::page("selected", action.question(count, kind))
            .inputs(inputs)
            .lists_people(kind.entity.table, submissions.len(), audited)
            .with("counts", counts)
            .with("preview", preview)
            .with("may_preview", action.notice.is_some())
            .with("message", action.consequence())
            .with("button", action.button)
            .with("danger", action.rejects()))
    }

    async fn apply(&self, mut write: Write, select: &Select, versions: &Versions) -> Result<Reply> {
        let (decider, mut decisions) = (Decider::of(self.request)?, self.action.decisions(&self.reason));
        if self.action.reduces {
            decisions.push(Decision::Fee(FeeReduction::parse(self.request, &mut Vec::new())));
        }
        let (mut changed, mut told) = (0, 0);
        let mut reader = SubmissionReader::new(&self.request.site.secrets, self.kind, select);
        while let Some(mut submissions) = reader.next_batch(&mut write).await? {
            deadline::progress();
            submissions.retain(|submission| versions.contains_key(&submission.id));
            let mut most = 0;
            for decision in &decisions {
                most = most.max(decision.apply(&mut write, &decider, &submissions).await?);
            }
            changed += most;
            told += self.tell(&mut write, &decider, &submissions).await?;
        }
        write.commit().await?;
        let back = self.request.address(&self.kind.list_path(), &[]);
        Ok(Reply::redirect(back).done(self.action.done(changed, told, self.kind)).into())
    }
}
