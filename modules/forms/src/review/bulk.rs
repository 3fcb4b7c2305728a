//! Decides about several submissions at once: those that were ticked in a list, or all of its filter. They are read and
//! changed in batches.

use festival_core::admin::selected::{self, Chosen, NamedRow, RowAction, Versions};
use festival_core::admin::{Action, AdminRequest, Input, Page, Reply, nothing_here};
use festival_core::db::{Datum, Select, Write, timestamp_text, update_rows};
use festival_core::entity::{Entity, trim};
use festival_core::settings::Settings;
use festival_core::{Error, FieldError, Result, deadline};
use serde_json::{Value, json};
use sqlx::{AnyConnection, AssertSqlSafe, Row as _};

use super::bulk_action::BulkAction;
use super::{list_query, payment_check, show};
use crate::description::SENDER;
use crate::mails::payment;
use crate::role::PEOPLE;
use crate::scope::within;
use crate::submissions::{PAYMENTS, Submission, SubmissionKind, SubmissionReader, edition_of, label_of};

/// Fields of the confirmation.
const REASON: &str = "payment_reason";
const TELL: &str = "tell";

/// Handles `POST selected`.
pub(super) async fn submit(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let Some(action) = BulkAction::parse(kind, request.form.get("action")) else {
        let back = request.address(&kind.list_path(), &[]);
        return Ok(Reply::redirect(back).problem("Choose first what to do.").into());
    };
    if !matches!(action, BulkAction::Status(_)) && !request.may(&PEOPLE, Action::Edit) {
        return Err(Error::Closed("Your role does not have access to payments.".into()));
    }
    let (settings, chosen) = (request.site.in_force().await?, Chosen::read(&request)?);
    let work = Work {
        request: &request,
        kind,
        settings: &settings,
        chosen: &chosen,
        action,
        reason: if action == BulkAction::Reject { trim(request.form.get(REASON)).to_owned() } else { String::new() },
        tells: request.form.get(TELL) == "yes",
    };
    selected::submit(&request, &chosen, &work).await
}

/// An action on chosen submissions, with its inputs.
struct Work<'a> {
    request: &'a AdminRequest,
    kind: &'static SubmissionKind,
    settings: &'a Settings,
    chosen: &'a Chosen,
    action: BulkAction,
    /// Why payments are rejected.
    reason: String,
    /// Whether mails are sent to the senders.
    tells: bool,
}

impl Work<'_> {
    /// Selects the chosen submissions.
    async fn select(&self, connection: &mut AnyConnection) -> Result<Select> {
        let Chosen::Ticked(ids) = self.chosen else {
            return Ok(list_query::read(self.request, connection, self.kind).await?.select);
        };
        let all = within(connection, &self.request.scope(), self.kind, self.kind.select_quarantined(false)).await?;
        Ok(all.among("id", ids.iter().copied().map(Datum::Integer).collect()))
    }

    /// Counts the submissions by status, and by that of their payment.
    async fn counts(&self, connection: &mut AnyConnection, select: &Select) -> Result<Vec<Value>> {
        let mut columns = vec![("status", "Status", self.kind.states)];
        if !matches!(self.action, BulkAction::Status(_)) {
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
        let Some(notice) = self.action.notice() else { return Ok(None) };
        if self.action == BulkAction::Reject && self.reason.is_empty() {
            return Ok(None); // The reason is most of the mail.
        }
        let edition = edition_of(connection, submission).await?;
        let site = (&*self.request.site, self.settings);
        let message = payment::compose(site, submission, &edition, (notice, &self.reason))?;
        Ok(Some(show::mail_preview(&message)))
    }

    /// Puts the mails about the payments of submissions into the outbox; returns how many senders have an address.
    async fn tell(&self, write: &mut Write, submissions: &[Submission]) -> Result<u64> {
        let (Some(notice), Some(first)) = (self.action.notice().filter(|_| self.tells), submissions.first()) else {
            return Ok(0);
        };
        let edition = edition_of(write, first).await?;
        let mut told = 0;
        for submission in submissions {
            let (site, mail) = ((self.request, self.settings), (notice, self.reason.as_str()));
            told += u64::from(payment_check::tell(write, site, submission, &edition, mail).await?);
        }
        Ok(told)
    }
}

#[rocket::async_trait]
impl RowAction for Work<'_> {
    fn list(&self) -> (&'static Entity, String) {
        (self.kind.entity, self.request.address(&self.kind.list_path(), &[]))
    }

    async fn versions(&self, connection: &mut AnyConnection) -> Result<Versions> {
        let ids = self.select(connection).await?.ids(connection).await?;
        if matches!(self.chosen, Chosen::Ticked(ticked) if ticked.len() != ids.len()) {
            return Err(nothing_here());
        }
        let (first, last) = (ids.first().copied().unwrap_or_default(), ids.last().copied().unwrap_or_default());
        let mut versions: Versions = ids.into_iter().map(|id| (id, "0".to_owned())).collect();
        let owner = self.kind.owner_column;
        let sql = format!(
            "SELECT {owner}, max(id) FROM submission_events WHERE {owner} >= $1 AND {owner} <= $2 AND kind <> 'note' \
             GROUP BY {owner}"
        );
        let rows = sqlx::query(AssertSqlSafe(sql)).bind(first).bind(last).fetch_all(connection).await?;
        for row in rows {
            if let Some(version) = versions.get_mut(&row.try_get::<i64, _>(0)?) {
                *version = row.try_get::<i64, _>(1)?.to_string();
            }
        }
        Ok(versions)
    }

    async fn lock(&self) -> Result<(Write, Versions)> {
        let mut write = self.request.write_private().await?;
        let ids = self.select(&mut write).await?.ids(&mut write).await?;
        let now = Datum::Text(timestamp_text(self.request.now()));
        update_rows(&mut write, self.kind.entity.table, &[("updated_at", now)], &ids).await?;
        let versions = self.versions(&mut write).await?;
        Ok((write, versions))
    }

    fn check(&self) -> Result<()> {
        let mut errors = Vec::new();
        payment_check::check_reason(self.action.payment(), &self.reason, &mut errors);
        if self.action == BulkAction::NotFound && !self.tells {
            errors.push(FieldError::new(TELL, "Tick this: no mail is sent otherwise."));
        }
        if errors.is_empty() { Ok(()) } else { Err(Error::Invalid(errors)) }
    }

    async fn confirmation(
        &self,
        connection: &mut AnyConnection,
        versions: &Versions,
        limit: usize,
    ) -> Result<(Page, Vec<NamedRow>)> {
        let (request, kind, action) = (self.request, self.kind, self.action);
        let select = self.select(connection).await?;
        let rows = select.newest(connection, 0, limit as u16).await?;
        let submissions: Vec<Submission> =
            rows.into_iter().map(|(id, values)| Submission::new(&request.site.secrets, kind, id, values)).collect();
        let counts = self.counts(connection, &select).await?;
        let has_address = |submission: &&Submission| !submission.text(kind.email_of(SENDER)).is_empty();
        let preview = match submissions.iter().find(has_address) {
            Some(first) => self.preview(connection, first).await?,
            None => None,
        };
        let row = |submission: &Submission| NamedRow {
            id: submission.id,
            title: format!("{} {}", submission.reference(), submission.title()),
            href: request.address(&submission.path(), &[]),
        };
        let mut inputs = vec![Input::hidden("action", action.key())];
        if action == BulkAction::Reject {
            inputs.push(Input::text(REASON, "Why they are rejected").value(&self.reason).required());
        }
        if action.notice().is_some() {
            let tell = Input::new("flag", TELL, "Tell them by mail").value(request.form.get(TELL));
            inputs.push(tell.hint("The mails go out at once, each with the data of its submission."));
        }
        let page = Reply::page("submissions-selected", action.question(versions.len(), kind))
            .inputs(inputs)
            .crumb(kind.list_title(), request.address(&kind.list_path(), &[]))
            .lists_people(
                kind.entity.table,
                submissions.len(),
                json!({ "action": action.key(), "selected": versions.len() }),
            )
            .with("counts", counts)
            .with("preview", preview)
            .with("may_preview", action.notice().is_some())
            .with("message", action.consequence())
            .with("button", action.button())
            .with("danger", action == BulkAction::Reject)
            .with("action", request.address(&format!("{}/selected", kind.list_path()), &[]))
            .with("back", request.address(&kind.list_path(), &[]));
        Ok((page, submissions.iter().map(row).collect()))
    }

    async fn apply(&self, mut write: Write, versions: &Versions) -> Result<Reply> {
        let select = self.select(&mut write).await?;
        let decision = self.action.decision(&self.reason);
        let (mut changed, mut told) = (0, 0);
        let mut reader = SubmissionReader::new(&self.request.site.secrets, self.kind, &select);
        while let Some(mut submissions) = reader.next(&mut write).await? {
            deadline::progress();
            submissions.retain(|submission| versions.contains_key(&submission.id));
            changed += decision.apply(&mut write, self.request, self.kind, &submissions).await?;
            told += self.tell(&mut write, &submissions).await?;
        }
        write.commit().await?;
        let back = self.request.address(&self.kind.list_path(), &[]);
        Ok(Reply::redirect(back).done(self.action.done(changed, told, self.kind)).into())
    }
}
