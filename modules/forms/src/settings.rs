//! Settings of the module: `[modules.forms]`.

use festival_core::Result;
use festival_core::edition::{Edition, day_text};
use festival_core::settings::{Section, Settings};
use festival_core::site::Site;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;
use ts_rs::TS;

/// Name of the module and of its section in the settings.
pub(crate) const MODULE: &str = "forms";

/// What organisers decide about the forms.
#[derive(Clone, Debug, SmartDefault, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct FormsSettings {
    /// Minutes after closes_at during which forms are still accepted, marked as late.
    pub(crate) grace_minutes: u32,
    /// Refuse texts with more words than the form allows. Off: they are stored in full and marked.
    pub(crate) hard_word_limits: bool,
    /// How senders agree to the notice on personal data: "sentence" (by sending, as a sentence beside the button says) or "tick" (by ticking a box; forms without consent are refused).
    #[default(ConsentBy::Sentence)]
    pub(crate) consent: ConsentBy,
    /// How many forms of each kind (films, registrations, messages) one client may send in ten minutes. An IPv6 network of 64 bits counts as one client.
    #[default = 30]
    pub(crate) posts_per_10_minutes: u32,
    /// Minutes within which the same form with the same content and files counts as sent once.
    #[default = 10]
    pub(crate) duplicate_window_minutes: u32,
    /// Forms that were filled in faster than this many seconds are put into quarantine as automated.
    #[default = 3]
    pub(crate) minimum_seconds: u32,
    /// Hours for which a file that was uploaded before its form is stored; after that it has to be sent again.
    #[default = 24]
    pub(crate) staged_hours: u32,
    /// Space for all such files together, in MiB. While it is full, files are accepted with their form only.
    #[default = 4_096]
    pub(crate) staged_mib: u32,
    /// How the fee in dollars is paid, on the form of the Asian awards. Empty: "Write to us for payment in dollars".
    pub(crate) dollar_payment: String,
    /// Texts that people read after sending a form.
    pub(crate) after_sending: AfterSending,
    /// Days after which submissions are erased, from the day of receipt; 0: never. Payments are retained without the person.
    pub(crate) retention: Retention,
    /// When forms close, in the festival's time zone ("2025-09-01T23:59:59") or with an offset. Empty: never. Forms after the edition's deadline are marked as late all the same.
    pub(crate) closes_at: ClosesAt,
}

/// How senders agree to the notice on personal data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema, TS)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ConsentBy {
    /// By sending the form.
    Sentence,
    /// By ticking a box.
    Tick,
}

/// Texts that people read after sending a form, on the page and in the receipt. {festival_begins} stands for the first day of the edition.
#[derive(Clone, Debug, SmartDefault, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AfterSending {
    /// What happens with a film, and by when.
    #[default = "We check the payment and the documents, then the film goes to the selection committee. We write to you about the selection before the festival begins on {festival_begins}."]
    pub(crate) film: String,
    /// What happens with a registration, and by when.
    #[default = "We check the payment, then we write to you about your pass, before the festival begins on {festival_begins}."]
    pub(crate) delegate: String,
    /// The e-mail address for corrections. Empty: that of contact.email.
    pub(crate) corrections: String,
}

impl AfterSending {
    /// Returns what happens after the form called `form` is sent, and by when; "" for the contact form.
    pub(crate) fn next_steps(&self, form: &str, edition: Option<&Edition>) -> String {
        let text = match form {
            "contact" => return String::new(),
            "delegate" => &self.delegate,
            _ => &self.film,
        };
        let begins = edition.map_or_else(|| "its first day".to_owned(), |edition| day_text(&edition.starts_on));
        text.replace("{festival_begins}", &begins)
    }

    /// Returns the e-mail address for corrections; "" if none is set.
    pub(crate) fn corrections<'a>(&'a self, settings: &'a Settings) -> &'a str {
        Some(self.corrections.as_str()).filter(|address| !address.is_empty()).unwrap_or(&settings.contact.email)
    }
}

/// When forms close.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ClosesAt {
    /// Submission for the Asian awards.
    pub(crate) asian: String,
    /// Submission for the Indian award.
    pub(crate) indian: String,
    /// Submission for the Malayalam award.
    pub(crate) malayalam: String,
    /// Registration of delegates and members.
    pub(crate) delegate: String,
}

/// Days after which submissions are erased; 0: never. Nothing is erased before an owner decides so.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Retention {
    /// Films, whatever their outcome.
    pub(crate) film_days: u32,
    /// Registrations of delegates and members, whatever their outcome.
    pub(crate) delegate_days: u32,
    /// Messages to the organisers.
    pub(crate) contact_days: u32,
    /// Films that were not selected or were withdrawn, and registrations that were rejected: days after the last change.
    pub(crate) refused_days: u32,
    /// Forms in quarantine, which looked automated.
    pub(crate) quarantined_days: u32,
    /// Records of received payments, retained after the person is erased: reference, amount and date.
    pub(crate) payment_days: u32,
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
            .filter(|(_, text)| !text.is_empty() && parse_timestamp(text, &TimeZone::UTC).is_none())
            .map(|(form, text)| {
                format!("closes_at.{form}: \"{text}\" is not a date and time; write one like 2025-09-01T23:59:59")
            })
            .collect()
    }
}

impl FormsSettings {
    /// Returns the section of `settings`.
    pub(crate) fn of(settings: &Settings) -> Self {
        settings.section(MODULE)
    }

    /// Returns the settings in force: those of the file with the changes made in the browser.
    pub(crate) async fn in_force(site: &Site) -> Result<Self> {
        Ok(Self::of(&*site.in_force().await?))
    }

    /// Returns when the form called `form` closes; `None` if it does not.
    pub(crate) fn closes_at(&self, form: &str, zone: &TimeZone) -> Option<Timestamp> {
        parse_timestamp(self.closes_at.of(form), zone)
    }

    /// Returns the end of the grace period of the form called `form`; `None` if it does not close.
    pub(crate) fn accepted_until(&self, form: &str, zone: &TimeZone) -> Option<Timestamp> {
        let grace = SignedDuration::from_secs(i64::from(self.grace_minutes) * 60);
        self.closes_at(form, zone)?.checked_add(grace).ok()
    }

    /// Whether the form called `form` closed before `at`. In the grace period it is accepted and marked as late.
    pub(crate) fn is_late(&self, form: &str, at: Timestamp, zone: &TimeZone) -> bool {
        self.closes_at(form, zone).is_some_and(|closes_at| at > closes_at)
    }

    /// Whether the grace period of the form called `form` is over at `now`.
    pub(crate) fn is_closed(&self, form: &str, now: Timestamp, zone: &TimeZone) -> bool {
        self.accepted_until(form, zone).is_some_and(|end| now > end)
    }
}

/// Parses a time with an offset, or one without in `zone`.
fn parse_timestamp(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    if let Ok(timestamp) = text.parse::<Timestamp>() {
        return Some(timestamp);
    }
    Some(text.parse::<DateTime>().ok()?.to_zoned(zone.clone()).ok()?.timestamp())
}
