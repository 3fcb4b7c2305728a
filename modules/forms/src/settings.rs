//! The module's own settings: `[modules.forms]`.

use festival_core::settings::Section;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What organisers decide about the forms.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FormsSettings {
    /// Minutes after closes_at during which a form is still taken, marked as late.
    pub grace_minutes: u32,
    /// Refuse texts with more words than asked for. Off: they are kept whole and marked.
    pub hard_word_limits: bool,
    /// Refuse forms without the tick below the notice on personal data. Off: clients that do not know it are taken too.
    pub require_consent: bool,
    /// The version of the notice on personal data that people agree to; kept with each submission.
    pub consent_notice: String,
    /// How many forms one client may send in ten minutes. An IPv6 network of 64 bits counts as one client.
    pub posts_per_10_minutes: u32,
    /// Minutes within which the same form with the same content and files counts as sent once.
    pub duplicate_window_minutes: u32,
    /// Forms that were filled in faster than this many seconds are kept apart as the work of a machine.
    pub minimum_seconds: u32,
    /// When forms close, in the festival's time zone ("2025-09-01T23:59:59") or with an offset. Empty: never. What comes after the edition's deadline is marked as late all the same.
    pub closes_at: ClosesAt,
}

/// When forms close.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ClosesAt {
    /// Submission for the Asian awards.
    pub asian: String,
    /// Submission for the Indian award.
    pub indian: String,
    /// Submission for the Malayalam award.
    pub malayalam: String,
    /// Registration of delegates and members.
    pub delegate: String,
}

impl Default for FormsSettings {
    fn default() -> Self {
        Self {
            grace_minutes: 0,
            hard_word_limits: false,
            require_consent: false,
            consent_notice: "1".into(),
            posts_per_10_minutes: 30,
            duplicate_window_minutes: 10,
            minimum_seconds: 3,
            closes_at: ClosesAt::default(),
        }
    }
}

impl ClosesAt {
    fn of(&self, form: &str) -> &str {
        match form {
            "asian" => &self.asian,
            "indian" => &self.indian,
            "malayalam" => &self.malayalam,
            "delegate" => &self.delegate,
            _ => "",
        }
    }
}

impl Section for FormsSettings {
    fn problems(&self) -> Vec<String> {
        ["asian", "indian", "malayalam", "delegate"]
            .into_iter()
            .map(|form| (form, self.closes_at.of(form)))
            .filter(|(_, text)| !text.is_empty() && moment(text, &TimeZone::UTC).is_none())
            .map(|(form, text)| {
                format!("closes_at.{form}: \"{text}\" is no moment; write one like 2025-09-01T23:59:59")
            })
            .collect()
    }
}

impl FormsSettings {
    /// When the form called `form` closes; `None`: never.
    pub fn closes_at(&self, form: &str, zone: &TimeZone) -> Option<Timestamp> {
        moment(self.closes_at.of(form), zone)
    }

    /// Whether the form called `form` is closed at `now`: its time and the grace after it are over.
    pub fn is_closed(&self, form: &str, now: Timestamp, zone: &TimeZone) -> bool {
        let grace = SignedDuration::from_secs(i64::from(self.grace_minutes) * 60);
        self.closes_at(form, zone).and_then(|end| end.checked_add(grace).ok()).is_some_and(|end| now > end)
    }
}

fn moment(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Some(moment);
    }
    Some(text.parse::<DateTime>().ok()?.to_zoned(zone.clone()).ok()?.timestamp())
}
