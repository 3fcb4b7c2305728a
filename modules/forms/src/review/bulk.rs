//! Decides about several submissions at once: those that were ticked in a list, or all of its filter. A confirmation
//! first shows which ones are affected, and nothing is done if that has changed in between.

use festival_core::admin::{Action, AdminRequest, Input, Page, Reply, selected};
use festival_core::db::Select;
use festival_core::entity::{Datum, trim};
use festival_core::{Error, FieldError, Result};
use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::bulk_action::BulkAction;
use super::bulk_set::{self, Versions, Work};
use super::{list_query, payment_check, show};
use crate::description::SENDER;
use crate::mails::payment;
use crate::role::PEOPLE;
use crate::scope::within;
use crate::submissions::{PAYMENTS, Submission, SubmissionKind, edition_of, label_of};

/// Maximum number of submissions that are ticked one by one.
const MAX_TICKED: usize = 200;
/// Maximum number of submissions of a filter that the confirmation names.
const MAX_NAMED: u16 = 20;
/// Why nothing is done if the set has changed.
const SET_CHANGED: &str = "The results of this filter have changed meanwhile. Nothing was done. Look at the numbers \
                           again, and confirm if you still want to continue.";
/// Fields of the confirmation.
const REASON: &str = "payment_reason";
const TELL: &str = "tell";

/// The submissions that were chosen in the list.
struct Chosen {
    select: Select,
    /// The ids that were ticked; `None`: all of the filter.
    ticked: Option<Vec<i64>>,
}

impl Chosen {
    /// Parses the form. `Err` has the message for an empty choice.
    async fn parse(
        request: &AdminRequest,
        connection: &mut AnyConnection,
        kind: &'static SubmissionKind,
    ) -> Result<Option<Self>> {
        if request.form.get("all") == "yes" {
            return Ok(Some(Self { select: list_query::read(request, connection, kind).await?.select, ticked: None }));
        }
        let mut ids: Vec<i64> = request.form.all("row").filter_map(|id| id.parse().ok()).collect();
        ids.sort_unstable();
        ids.dedup();
        if ids.len() > MAX_TICKED {
            return Err(Error::BadRequest(format!("Tick at most {MAX_TICKED}, or choose all of the filter.")));
        }
        if ids.is_empty() {
            return Ok(None);
        }
        let select = within(connection, &request.scope(), kind, kind.select_quarantined(false)).await?;
        let select = select.among("id", ids.iter().copied().map(Datum::Integer).collect());
        Ok(Some(Self { select, ticked: Some(ids) }))
    }

    /// Whether these versions are what the confirmation showed.
    ///
    /// # Errors
    /// 404 if the account may not see a ticked one.
    fn is_unchanged(&self, request: &AdminRequest, versions: &Versions) -> Result<bool> {
        match &self.ticked {
            None => Ok(request.form.get("set") == bulk_set::fingerprint(versions)),
            Some(ids) if ids.len() != versions.len() => Err(festival_core::admin::nothing_here()),
            Some(_) => {
                Ok(versions.iter().all(|(id, version)| selected::seen_version(request, *id) == version.to_string()))
            }
        }
    }

    /// Returns the hidden inputs that name the submissions and their versions.
    fn inputs(&self, versions: &Versions) -> Vec<Input> {
        match &self.ticked {
            None => vec![Input::hidden("all", "yes"), Input::hidden("set", bulk_set::fingerprint(versions))],
            Some(_) => versions
                .iter()
                .flat_map(|(id, version)| {
                    [Input::hidden("row", id.to_string()), Input::hidden(format!("version-{id}"), version.to_string())]
                })
                .collect(),
        }
    }
}

/// Handles `POST selected`.
pub(super) async fn submit(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let back = request.address(&kind.list_path(), &[]);
    let Some(action) = BulkAction::parse(kind, request.form.get("action")) else {
        return Ok(Reply::redirect(back).problem("Choose first what to do.").into());
    };
    if !matches!(action, BulkAction::Status(_)) && !request.may(&PEOPLE, Action::Edit) {
        return Err(Error::Closed("Your role does not have access to payments.".into()));
    }
    let settings = request.site.in_force().await?;
    let mut connection = request.read().await?;
    let Some(chosen) = Chosen::parse(&request, &mut connection, kind).await? else {
        return Ok(Reply::redirect(back).problem(format!("Tick the {} first.", kind.entity.plural)).into());
    };
    drop(connection);
    let work = Work {
        request: &request,
        kind,
        settings: &settings,
        action,
        reason: if action == BulkAction::Reject { trim(request.form.get(REASON)).to_owned() } else { String::new() },
        tells: request.form.get(TELL) == "yes",
    };
    let is_confirmed = request.form.get("sure") == "yes";
    if !is_confirmed || request.form.get("then") == "preview" {
        return Ok(confirmation(&work, &chosen).await?.into());
    }
    if let Err(error) = check(&work) {
        return Ok(confirmation(&work, &chosen).await?.refused(error)?.into());
    }
    let mut write = request.write_private().await?;
    let versions = bulk_set::lock(&mut write, &request, kind, &chosen.select).await?;
    if !chosen.is_unchanged(&request, &versions)? {
        drop(write);
        let page = confirmation(&work, &chosen).await?;
        let is_filter = chosen.ticked.is_none();
        let page =
            if is_filter { page.refused(Error::Conflict(SET_CHANGED.into()))? } else { selected::conflict(page)? };
        return Ok(page.into());
    }
    let applied = work.apply(&mut write, &chosen.select, &versions).await?;
    write.commit().await?;
    Ok(Reply::redirect(back).done(action.done(applied.changed, applied.told, kind)).into())
}

/// Checks the inputs of the confirmation.
fn check(work: &Work<'_>) -> Result<()> {
    let mut errors = Vec::new();
    payment_check::check_reason(work.action.payment(), &work.reason, &mut errors);
    if work.action == BulkAction::NotFound && !work.tells {
        errors.push(FieldError::new(TELL, "Tick this: no mail is sent otherwise."));
    }
    if errors.is_empty() { Ok(()) } else { Err(Error::Invalid(errors)) }
}

/// Returns the page that shows the present state of the affected submissions and asks for confirmation.
async fn confirmation(work: &Work<'_>, chosen: &Chosen) -> Result<Page> {
    let (request, kind, action) = (work.request, work.kind, work.action);
    let mut connection = request.read().await?;
    let versions = bulk_set::versions(&mut connection, kind, &chosen.select).await?;
    if chosen.ticked.as_ref().is_some_and(|ids| ids.len() != versions.len()) {
        return Err(festival_core::admin::nothing_here());
    }
    let limit = if chosen.ticked.is_some() { MAX_TICKED as u16 } else { MAX_NAMED };
    let rows = chosen.select.newest(&mut connection, 0, limit).await?;
    let submissions: Vec<Submission> =
        rows.into_iter().map(|(id, values)| Submission::new(&request.site.secrets, kind, id, values)).collect();
    let counts = counts(&mut connection, work, &chosen.select).await?;
    let preview = match submissions.iter().find(|submission| !submission.text(kind.email_of(SENDER)).is_empty()) {
        Some(first) => preview(&mut connection, work, first).await?,
        None => None,
    };
    let is_confirmed = request.form.get("sure") == "yes";
    let row = |submission: &Submission| {
        let version = versions.get(&submission.id).copied().unwrap_or_default().to_string();
        json!({
            "title": format!("{} {}", submission.reference(), submission.title()),
            "href": request.address(&submission.path(), &[]),
            "changed": chosen.ticked.is_some() && is_confirmed && selected::seen_version(request, submission.id) != version,
        })
    };
    let mut inputs = chosen.inputs(&versions);
    inputs.extend([Input::hidden("action", action.key()), Input::hidden("sure", "yes")]);
    if action == BulkAction::Reject {
        inputs.push(Input::text(REASON, "Why they are rejected").value(&work.reason).required());
    }
    if action.notice().is_some() {
        let tell = Input::new("flag", TELL, "Tell them by mail").value(request.form.get(TELL));
        inputs.push(tell.hint("The mails go out at once, each with the data of its submission."));
    }
    let count = versions.len();
    Ok(Reply::page("submissions-selected", action.question(count, kind))
        .inputs(inputs)
        .crumb(kind.list_title(), request.address(&kind.list_path(), &[]))
        .lists_people(kind.entity.table, submissions.len(), json!({ "action": action.key(), "selected": count }))
        .with("rows", submissions.iter().map(row).collect::<Vec<_>>())
        .with("more", Some(count.saturating_sub(submissions.len())).filter(|more| *more > 0))
        .with("counts", counts)
        .with("preview", preview)
        .with("may_preview", action.notice().is_some())
        .with("message", action.consequence())
        .with("button", action.button())
        .with("danger", action == BulkAction::Reject)
        .with("action", request.address(&format!("{}/selected", kind.list_path()), &[]))
        .with("back", request.address(&kind.list_path(), &[])))
}

/// Counts the submissions by status, and by that of their payment.
async fn counts(connection: &mut AnyConnection, work: &Work<'_>, select: &Select) -> Result<Vec<Value>> {
    let about_payments = !matches!(work.action, BulkAction::Status(_));
    let mut columns = vec![("status", "Status", work.kind.states)];
    if about_payments {
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
async fn preview(connection: &mut AnyConnection, work: &Work<'_>, submission: &Submission) -> Result<Option<Value>> {
    let Some(notice) = work.action.notice() else { return Ok(None) };
    if work.action == BulkAction::Reject && work.reason.is_empty() {
        return Ok(None); // The reason is most of the mail.
    }
    let edition = edition_of(connection, submission).await?;
    let site = (&*work.request.site, work.settings);
    let message = payment::compose(site, submission, &edition, (notice, &work.reason))?;
    Ok(Some(show::mail_preview(&message)))
}
