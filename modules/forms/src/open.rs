//! What the browser must know of the settings: when forms close, how strict they are, what follows them.

use festival_core::{RequestContext, Result, edition};
use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::description::{CONTACT_MESSAGE, DELEGATE, FILM_SUBMISSION, FORMS};
use crate::moment;
use crate::notice::Notice;
use crate::submit::Intake;

/// What holds for the forms now.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "forms-api.ts")]
pub(crate) struct FormRules {
    /// Texts with more words than asked for are refused.
    hard_word_limits: bool,
    /// Forms without consent to the notice on personal data are refused.
    require_consent: bool,
    /// How the fee in dollars is paid; empty: nothing is said about it.
    dollar_payment: String,
    /// The e-mail address for corrections; empty: there is none.
    corrections: String,
    forms: Vec<FormTimes>,
    /// What people agree to, for each kind of form.
    notices: Vec<Notice>,
}

/// Where a form stands towards its deadline.
#[derive(Clone, Copy, Serialize, JsonSchema, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "forms-api.ts")]
pub(crate) enum Standing {
    /// It is taken.
    Open,
    /// It is taken and marked as late.
    Late,
    /// It is not taken any more.
    Closed,
}

/// When a form closes, and what follows it.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "forms-api.ts")]
pub(crate) struct FormTimes {
    key: &'static str,
    /// The last moment, RFC 3339; null: it does not close.
    closes_at: Option<String>,
    /// The end of the time in which it is still taken and marked as late, RFC 3339; null: it is always taken.
    accepted_until: Option<String>,
    /// What comes after this moment is marked as late, RFC 3339; null: nothing is.
    late_after: Option<String>,
    /// The same for people, with the time zone; empty: nothing is.
    late_after_text: String,
    /// Where it stands by the server's clock.
    standing: Standing,
    /// What happens with what was sent, and by when; empty: nothing is said.
    next_steps: String,
}

pub(crate) async fn find_rules(request: RequestContext) -> Result<FormRules> {
    let in_force = request.site.in_force().await?;
    let settings = Intake::settings(&request.site).await?;
    let zone = request.time_zone();
    let now = request.site.clock.now();
    let edition = edition::find_current(&mut *request.read().await?).await?;
    let last_day = edition.as_ref().and_then(|edition| edition.submission_deadline.as_deref());
    let deadline = last_day.and_then(|day| end_of(day, zone));
    let text = |moment: Option<Timestamp>| moment.map(|moment| moment::rfc3339(moment, zone));
    let forms = FORMS.iter().map(|form| {
        let closes_at = settings.closes_at(form.key, zone);
        let deadline = deadline.filter(|_| form.entity.table == FILM_SUBMISSION.table);
        let late_after = [closes_at, deadline].into_iter().flatten().min();
        let accepted_until = settings.accepted_until(form.key, zone);
        let ahead = |moment: Option<Timestamp>| moment.filter(|moment| *moment >= now);
        [late_after, accepted_until].into_iter().filter_map(ahead).for_each(|moment| request.expire_at(moment));
        let standing = match (ahead(late_after).is_some() || late_after.is_none(), accepted_until) {
            (true, _) => Standing::Open,
            (false, Some(moment)) if moment < now => Standing::Closed,
            (false, _) => Standing::Late,
        };
        FormTimes {
            key: form.key,
            closes_at: text(closes_at),
            accepted_until: text(accepted_until),
            late_after: text(late_after),
            late_after_text: late_after.map_or(String::new(), |moment| moment::in_words(moment, zone)),
            next_steps: settings.after_sending.next_steps(form.key, edition.as_ref()),
            standing,
        }
    });
    Ok(FormRules {
        hard_word_limits: settings.hard_word_limits,
        require_consent: settings.require_consent,
        dollar_payment: settings.dollar_payment.clone(),
        corrections: settings.after_sending.corrections(&in_force).to_owned(),
        forms: forms.collect(),
        notices: [&DELEGATE, &FILM_SUBMISSION, &CONTACT_MESSAGE]
            .map(|entity| Notice::of(entity, &settings, &in_force))
            .into(),
    })
}

/// The last second of a day.
fn end_of(day: &str, zone: &TimeZone) -> Option<Timestamp> {
    let last = Time::new(23, 59, 59, 0).ok()?;
    Some(day.parse::<Date>().ok()?.to_datetime(last).to_zoned(zone.clone()).ok()?.timestamp())
}
