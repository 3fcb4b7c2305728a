//! `GET /forms/`: the settings of the forms that the browser needs, such as deadlines, consent notices, next steps.

use festival_core::db::timestamp_text;
use festival_core::{RequestContext, Result, time_text};
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::description::{CONTACT_MESSAGE, DELEGATE, FILM_SUBMISSION, FORMS, Form};
use crate::notice::Notice;
use crate::payment_settings::Fees;
use crate::settings::{ConsentBy, FormsSettings};
use crate::timestamps;

const SECOND: SignedDuration = SignedDuration::from_secs(1);

/// The rules that the forms follow now.
#[derive(Serialize, JsonSchema, TS)]
pub(crate) struct FormRules {
    /// Texts with more words than allowed are refused.
    hard_word_limits: bool,
    /// How senders agree to the notice on personal data.
    consent: ConsentBy,
    /// How the fee in dollars is paid; empty if it is not set.
    dollar_payment: String,
    /// Whether a code may reduce a fee.
    takes_fee_codes: bool,
    /// The e-mail address for corrections; empty if there is none.
    corrections: String,
    forms: Vec<FormTimes>,
    /// The consent notices, one for each kind of submission.
    notices: Vec<Notice>,
}

/// Whether a form is accepted, by its deadlines.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, TS)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Standing {
    /// It is accepted.
    Open,
    /// It is accepted and marked as late.
    Late,
    /// It is no longer accepted.
    Closed,
}

/// The deadlines of a form, and what happens after it is sent.
#[derive(Serialize, JsonSchema, TS)]
pub(crate) struct FormTimes {
    key: &'static str,
    /// When it closes, RFC 3339; null if it does not close.
    closes_at: Option<String>,
    /// The end of the grace period, in which it is accepted and marked as late, RFC 3339; null if it does not close.
    accepted_until: Option<String>,
    /// Submissions after this time are marked as late, RFC 3339; null if none are.
    late_after: Option<String>,
    /// The same for people to read, with the time zone; empty if none are.
    late_after_text: String,
    /// Whether it is accepted, by the server's clock.
    standing: Standing,
    /// What happens after it is sent, and by when; empty if that is not set.
    next_steps: String,
}

/// Handles `GET /forms/`.
pub(crate) async fn find_rules(request: RequestContext) -> Result<FormRules> {
    let in_force = request.site.in_force().await?;
    let settings = FormsSettings::in_force(&request.site).await?;
    let zone = request.time_zone();
    let now = request.site.clock.now();
    let edition = request.site.edition(&mut *request.read().await?).await?;
    let last_day = edition.as_ref().and_then(|edition| edition.submission_deadline.as_deref());
    // The archive accepts no forms: they closed with the edition.
    let over = request.site.archive.as_ref().and(edition.as_ref());
    let over = over.and_then(|edition| end_of_day(&edition.ends_on, zone)).map(|end| end.min(now - SECOND));
    let text = |at: Option<Timestamp>| at.map(|at| time_text::with_offset(&timestamp_text(at), zone));
    let forms = FORMS.iter().map(|form| {
        let times = Times::of(form, &settings, last_day, zone);
        let times = over.map_or(times, |end| times.closed_at(end));
        let Times { closes_at, accepted_until, late_after } = times;
        [late_after, accepted_until].into_iter().flatten().filter(|at| *at >= now).for_each(|at| request.expire_at(at));
        let standing = times.standing(now);
        FormTimes {
            key: form.key,
            closes_at: text(closes_at),
            accepted_until: text(accepted_until),
            late_after: text(late_after),
            late_after_text: late_after.map_or(String::new(), |at| timestamps::with_zone_name(at, zone)),
            next_steps: settings.after_sending.next_steps(form.key, edition.as_ref()),
            standing,
        }
    });
    Ok(FormRules {
        hard_word_limits: settings.hard_word_limits,
        consent: settings.consent,
        dollar_payment: settings.dollar_payment.clone(),
        takes_fee_codes: !Fees::of(&in_force).codes.is_empty(),
        corrections: settings.after_sending.corrections(&in_force).to_owned(),
        forms: forms.collect(),
        notices: [&DELEGATE, &FILM_SUBMISSION, &CONTACT_MESSAGE]
            .map(|entity| Notice::new(entity, &settings, &in_force))
            .into(),
    })
}

/// When a form closes, by the settings and the edition's deadline.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Times {
    /// When it closes; `None` if it does not.
    pub(crate) closes_at: Option<Timestamp>,
    /// The end of the grace period; `None` if it does not close.
    pub(crate) accepted_until: Option<Timestamp>,
    /// Submissions after this time are marked as late; `None` if none are.
    pub(crate) late_after: Option<Timestamp>,
}

impl Times {
    /// The times of `form`. `last_day` is the edition's last day for submissions, which counts for films.
    pub(crate) fn of(form: &Form, settings: &FormsSettings, last_day: Option<&str>, zone: &TimeZone) -> Self {
        let closes_at = settings.closes_at(form.key, zone);
        let deadline = last_day.and_then(|day| end_of_day(day, zone));
        let deadline = deadline.filter(|_| form.entity.table == FILM_SUBMISSION.table);
        Self {
            closes_at,
            accepted_until: settings.accepted_until(form.key, zone),
            late_after: [closes_at, deadline].into_iter().flatten().min(),
        }
    }

    /// These times, for a form that closed at `end` for good.
    fn closed_at(self, end: Timestamp) -> Self {
        let late_after = Some(self.late_after.map_or(end, |at| at.min(end)));
        Self { closes_at: Some(end), accepted_until: Some(end), late_after }
    }

    /// Whether the form is accepted at `now`.
    pub(crate) fn standing(&self, now: Timestamp) -> Standing {
        match (self.late_after.is_none_or(|at| at >= now), self.accepted_until) {
            (true, _) => Standing::Open,
            (false, Some(until)) if until < now => Standing::Closed,
            (false, _) => Standing::Late,
        }
    }
}

/// Returns the last second of a day ("2025-09-01").
pub(crate) fn end_of_day(day: &str, zone: &TimeZone) -> Option<Timestamp> {
    let last = Time::new(23, 59, 59, 0).ok()?;
    Some(day.parse::<Date>().ok()?.to_datetime(last).to_zoned(zone.clone()).ok()?.timestamp())
}
