//! Decisions about a submission on its page: status, award, payment and notes, saved by one form.

use std::slice;

use festival_core::admin::audit::Entry;
use festival_core::admin::{Action, AdminRequest, Reply};
use festival_core::entity::trim;
use festival_core::mail::Message;
use festival_core::{Error, FieldError, Result};

use super::decision::Decision;
use super::fee::{self, FeeReduction};
use super::payment_check::{self, PaymentCheck, find_state};
use super::{events, show};
use crate::decider::Decider;
use crate::description::{FILM_FORMS, Form};
use crate::mails::{PaymentNotice, SubmissionMails};
use crate::role::PEOPLE;
use crate::scope::{self, SECTIONS};
use crate::submissions::{CONFIRMED, State, SubmissionKind, WAIVED};

/// Longest note, in characters.
const MAX_NOTE: usize = 4_000;

/// Handles `POST {id}`.
pub(super) async fn save(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let id = request.id()?;
    if request.form.get("then") == "preview" {
        return match preview(&request, kind, id).await {
            Ok(message) => Ok(show::with_preview(&request, kind, id, &message).await?.into()),
            refused => show::after_saving(&request, kind, id, refused.map(|_| String::new())).await,
        };
    }
    let saved = update(&request, kind, id).await;
    show::after_saving(&request, kind, id, saved).await
}

/// The parts of the form that were sent; `None` stays as it is.
struct Decisions {
    status: Option<State>,
    award: Option<String>,
    fee: Option<FeeReduction>,
    payment: Option<PaymentCheck>,
    /// The mail to the sender about the payment.
    notice: Option<PaymentNotice>,
    note: Option<String>,
}

impl Decisions {
    /// Parses and validates the form.
    ///
    /// # Errors
    /// 403 if the account's role may not decide about one of the parts, and the errors of the inputs.
    fn parse(request: &AdminRequest, kind: &'static SubmissionKind) -> Result<Self> {
        let is_sent = |names: &[&str]| names.iter().any(|name| request.form.has(name));
        let (decides, pays) = (is_sent(&["status", "award"]), is_sent(&payment_check::INPUTS) || is_sent(&["tell"]));
        let reduces = is_sent(&fee::INPUTS);
        let may_pay = kind.has_payment() && request.may(&PEOPLE, Action::Edit);
        if decides && !request.may(kind.resource, Action::Edit) || (pays || reduces) && !may_pay {
            return Err(Error::Closed("Your role does not have access to this part of the page.".into()));
        }
        let mut errors = Vec::new();
        let status = request.form.has("status").then(|| parse_status(kind, request.form.get("status")));
        let status = status.transpose().unwrap_or_else(|error| {
            errors.push(error);
            None
        });
        let award = (kind.has_award() && request.form.has("award")).then(|| request.form.get("award").to_owned());
        let fee = reduces.then(|| FeeReduction::parse(request, &mut errors));
        let payment = pays.then(|| PaymentCheck::parse(request, &mut errors));
        let notice = match &payment {
            Some(payment) if request.form.get("tell") == "yes" => Some(notice(payment, status)),
            _ => None,
        };
        let note = parse_note(request.form.get("note"), &mut errors);
        if errors.is_empty() {
            Ok(Self { status, award, fee, payment, notice, note })
        } else {
            Err(Error::Invalid(errors))
        }
    }
}

/// Returns the status that was chosen in a form.
///
/// # Errors
/// If it is not a status of this kind.
pub(super) fn parse_status(kind: &SubmissionKind, key: &str) -> Result<State, FieldError> {
    let invalid = || FieldError::new("status", "Choose one of the statuses.");
    kind.states.iter().find(|state| state.key == key).copied().ok_or_else(invalid)
}

/// Returns the mail about a payment, or about the registration that is confirmed with it.
fn notice(payment: &PaymentCheck, status: Option<State>) -> PaymentNotice {
    let is_confirmed = status.is_some_and(|status| status.key == CONFIRMED);
    if payment.state == "verified" && is_confirmed {
        PaymentNotice::Confirmed
    } else {
        PaymentNotice::about(payment.state)
    }
}

/// Returns the text of a note as it is stored; `None` without one.
fn parse_note(text: &str, errors: &mut Vec<FieldError>) -> Option<String> {
    let text = trim(text);
    if text.chars().count() > MAX_NOTE {
        errors.push(FieldError::new("note", format!("A note has at most {MAX_NOTE} characters.")));
    }
    // Pages cannot show control characters.
    let text: String =
        text.replace("\r\n", "\n").chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    Some(text).filter(|text| !text.is_empty())
}

/// Returns the mail that would be sent if the form is saved with that box ticked.
async fn preview(request: &AdminRequest, kind: &'static SubmissionKind, id: i64) -> Result<Message> {
    let decisions = Decisions::parse(request, kind)?;
    let payment = decisions.payment.filter(|payment| payment.state != WAIVED);
    let payment = payment.ok_or_else(|| Error::BadRequest("There is no mail to preview.".into()))?;
    let notice = notice(&payment, decisions.status);
    let settings = request.site.in_force().await?;
    let mut connection = request.read().await?;
    let submission = scope::find(request, &mut connection, (kind, id)).await?;
    let mails = SubmissionMails::about(&request.site, &settings, &mut connection, &submission).await?;
    mails.about_payment(notice, &payment.reason)
}

/// Saves the form and returns the message about it.
///
/// # Errors
/// [`Error::Conflict`] if the form changes a decision after another one was made meanwhile; notes do not conflict.
async fn update(request: &AdminRequest, kind: &'static SubmissionKind, id: i64) -> Result<String> {
    let mut decisions = Decisions::parse(request, kind)?;
    let decider = Decider::of(request)?;
    // Before the transaction: waiting for a second connection while holding one may deadlock.
    let settings = request.site.in_force().await?;
    let mut write = request.write_private().await?;
    let submission = events::lock(&mut write, request, (kind, id)).await?;
    let conflict = events::conflict(&mut write, &submission, request.form.get("version")).await?;
    let award = decisions.award.as_deref().filter(|award| *award != submission.text("award_category"));
    let award = award.map(|award| find_award(request, award)).transpose()?;
    if let (Some(fee), Some(payment)) = (&decisions.fee, &mut decisions.payment)
        && payment.state == submission.text("payment")
    {
        // Nobody chose another status: that of the fee.
        payment.state = find_state(fee.payment_state(&submission)).map_or(payment.state, |state| state.key);
    }
    if decisions.notice.is_some() && decisions.payment.as_ref().is_some_and(|payment| payment.state == WAIVED) {
        let message = "There is no mail about a waived fee. Untick this.";
        return Err(Error::Invalid(vec![FieldError::new("tell", message)]));
    }
    let mut saved = Vec::new();
    for (name, decision) in [
        ("status", decisions.status.map(Decision::Status)),
        ("award", award.map(Decision::Award)),
        ("fee", decisions.fee.map(Decision::Fee)),
        ("payment", decisions.payment.clone().map(|check| Decision::Payment([(id, check)].into()))),
    ] {
        let Some(decision) = decision else { continue };
        if decision.apply(&mut write, &decider, slice::from_ref(&submission)).await? > 0 {
            saved.push(name);
        }
    }
    let mut is_told = false;
    if let Some((notice, payment)) = decisions.notice.zip(decisions.payment.as_ref()) {
        let mails = SubmissionMails::about(&request.site, &settings, &mut write, &submission).await?;
        is_told = payment_check::tell(&mut write, &decider, &mails, &[id], (notice, &payment.reason)).await? > 0;
        if !is_told {
            let message = "There is no e-mail address. Untick this.";
            return Err(Error::Invalid(vec![FieldError::new("tell", message)]));
        }
        saved.push("mail");
    }
    if let Some(conflict) = conflict.filter(|_| !saved.is_empty()) {
        return Err(conflict);
    }
    if let Some(note) = &decisions.note {
        events::add(&mut write, &decider, &submission, "note", note).await?;
        decider.audit(&mut write, Entry::new("note", kind.entity.table).id(id)).await?;
        saved.push("note");
    }
    let reference = submission.reference();
    let Some((last, others)) = saved.split_last() else { return Ok(format!("{reference} is as it was.")) };
    write.commit().await?;
    let and = if others.is_empty() { String::new() } else { format!("{} and ", others.join(", ")) };
    let mail = if is_told { " The mail is on its way." } else { "" };
    Ok(format!("{reference} saved: {and}{last}.{mail}"))
}

/// Returns the award that was chosen in a form.
///
/// # Errors
/// [`Error::Invalid`] if it is not an award, or not one that the account may see.
fn find_award(request: &AdminRequest, award: &str) -> Result<&'static Form> {
    let form = FILM_FORMS.into_iter().find(|form| form.key == award && request.scope().allows(SECTIONS, form.key));
    form.ok_or_else(|| {
        Error::Invalid(vec![FieldError::new("award", "Choose the award that the film is submitted for.")])
    })
}
