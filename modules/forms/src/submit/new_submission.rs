//! A valid submission before it is stored, and the hashes by which repetitions of it are recognised.

use std::collections::BTreeMap;

use festival_core::db::timestamp_text;
use festival_core::edition::{self, Edition};
use festival_core::entity::{Datum, Values, trim};
use festival_core::text::{self, Cleaning};
use festival_core::{Error, Result};
use jiff::Timestamp;

use super::received::ReceivedForm;
use super::staged::FormFile;
use super::validate::ValidForm;
use crate::description::extra_fields;
use crate::findings::{self, Finding};
use crate::hash::hash;
use crate::notice::{Consent, Notice};
use crate::payment_settings::Fees;
use crate::submissions::WAIVED;
use crate::{payment_code, transaction_numbers};

/// A valid submission before it is stored.
pub(crate) struct NewSubmission<'s> {
    pub(super) form: ReceivedForm<'s>,
    pub(super) valid: ValidForm,
    /// The letters that its reference begins with.
    pub(super) prefix: &'static str,
    pub(super) edition: Edition,
    /// The values of [`SubmissionKind::own_columns`](crate::submissions::SubmissionKind) that are not the defaults of the
    /// table.
    pub(super) own_columns: Vec<(&'static str, Datum)>,
    /// Its subject, a payment or a film: submissions with the same subject are possible duplicates. Empty for messages.
    pub(super) subject: Vec<String>,
    pub(super) is_late: bool,
    pub(super) is_quarantined: bool,
    /// The notice that the sender agreed to; `None` without consent.
    pub(super) consent: Option<Consent>,
    /// Hash of everything that was sent.
    pub(super) payload_hash: String,
    /// When it was received.
    pub(super) now: Timestamp,
}

impl<'s> ReceivedForm<'s> {
    /// Makes a submission of this form, which is `valid`; its reference will begin with `prefix`. The caller adds what
    /// only its kind has.
    ///
    /// # Errors
    /// [`Error::Unavailable`] before the first edition.
    pub(super) async fn submission(self, mut valid: ValidForm, prefix: &'static str) -> Result<NewSubmission<'s>> {
        let edition = edition::current(&mut *self.site.db.read().await?).await.map_err(|error| match error {
            Error::NotFound(_) => Error::Unavailable("Submissions are not open yet.".into()),
            other => other,
        })?;
        let notice = valid.has_consent.then(|| Notice::new(self.kind.entity, &self.settings, &self.in_force));
        let own_columns = if self.kind.has_payment() { self.payment_columns(&mut valid) } else { Vec::new() };
        Ok(NewSubmission {
            prefix,
            edition,
            payload_hash: payload_hash(&self.values, &self.files),
            is_quarantined: self.is_suspicious(),
            consent: notice.map(|notice| notice.consent(&self.values)),
            own_columns,
            subject: Vec::new(),
            is_late: false,
            now: self.site.clock.now(),
            valid,
            form: self,
        })
    }

    /// Returns payment code, UTR and discount code as they are stored. Invalid ones are stored as sent, with a finding.
    fn payment_columns(&self, valid: &mut ValidForm) -> Vec<(&'static str, Datum)> {
        let [code, utr, fee_code] = extra_fields::OF_PAYMENTS.map(|name| {
            let sent = self.values.get(name).map_or("", String::as_str);
            text::clean(sent, false, Cleaning::Visible).unwrap_or_default()
        });
        let read = payment_code::read(&code);
        if read.is_none() && !code.is_empty() {
            valid.findings.push(Finding::new(extra_fields::PAYMENT_CODE, payment_code::INVALID));
        }
        if !(utr.is_empty() || transaction_numbers::is_utr(&utr)) {
            valid.findings.push(Finding::new(extra_fields::PAYMENT_UTR, transaction_numbers::UNUSUAL_UTR));
        }
        let code = read.unwrap_or(code);
        vec![
            (extra_fields::PAYMENT_CODE, Datum::Text(code)),
            (extra_fields::PAYMENT_UTR, Datum::Text(utr)),
            (extra_fields::FEE_CODE, Datum::Text(fee_code)),
        ]
    }

    /// Whether a bot seems to have filled it in: the honeypot is filled in, or it took too little time.
    ///
    /// A time of zero or less only means that a clock was set meanwhile.
    fn is_suspicious(&self) -> bool {
        let minimum = f64::from(self.settings.minimum_seconds);
        let elapsed = self.text(extra_fields::ELAPSED).parse::<f64>();
        let is_too_quick = elapsed.is_ok_and(|seconds| seconds > 0.0 && seconds < minimum);
        !self.text(extra_fields::TRAP).is_empty() || is_too_quick
    }
}

impl NewSubmission<'_> {
    /// Returns the text in the column called `name`, a field of the form; "" if it holds none.
    pub(super) fn text(&self, name: &str) -> &str {
        match self.form.kind.entity.position(name).and_then(|index| self.valid.record.get(index)) {
            Some(Datum::Text(text)) => text,
            _ => "",
        }
    }

    /// Sets the fee, and what the code of the sender takes off it. An unknown code is stored as sent, with a finding.
    pub(super) fn charge(&mut self, fees: &Fees, rupees: i64, dollars: Option<i64>) {
        self.own_columns.push(("fee_inr", Datum::Integer(rupees)));
        self.own_columns.extend(dollars.map(|dollars| ("fee_usd", Datum::Integer(dollars))));
        let code = self.form.text(extra_fields::FEE_CODE);
        if code.is_empty() {
            return;
        }
        let Some((reduction, reason)) = fees.reduction(code) else {
            self.valid.findings.push(Finding::new(extra_fields::FEE_CODE, "This code is not known"));
            return;
        };
        let (less_rupees, less_dollars) = reduction.of(rupees, dollars.unwrap_or_default());
        if less_rupees == 0 {
            return;
        }
        self.own_columns.extend([
            ("fee_reduction_inr", Datum::Integer(less_rupees)),
            ("fee_reduction_reason", Datum::Text(reason)),
        ]);
        self.own_columns.extend(dollars.map(|_| ("fee_reduction_usd", Datum::Integer(less_dollars))));
        if less_rupees == rupees {
            self.own_columns.push(("payment", Datum::Text(WAIVED.to_owned())));
        }
    }

    /// Returns a hash that two submissions share if they are equal in every field and file.
    ///
    /// A quarantined one never equals one that is not: otherwise a person who repeats a form that looked like a bot's
    /// would get a receipt without being stored.
    pub(super) fn fingerprint(&self) -> String {
        let quarantine = if self.is_quarantined { "apart" } else { "" };
        hash([self.prefix, quarantine, &self.payload_hash])
    }

    /// Returns the hash of its subject; "" without one.
    pub(super) fn subject_hash(&self) -> String {
        if self.subject.is_empty() { String::new() } else { hash(self.subject.iter().map(String::as_str)) }
    }

    /// Returns the names of the fields that an organiser should look at.
    fn flagged(&self) -> Vec<&str> {
        let flagged = self.valid.findings.iter().filter(|finding| finding.reason.is_some());
        flagged.map(|finding| finding.field.as_str()).collect()
    }

    /// Returns the values of the columns that are not fields of the form.
    pub(super) fn columns(&self, reference: &str) -> Vec<(&'static str, Datum)> {
        let text = |text: &str| Datum::Text(text.to_owned());
        let flag = |flag: bool| Datum::Integer(i64::from(flag));
        let consented_at = self.consent.as_ref().map(|_| timestamp_text(self.now));
        let mut columns = vec![
            ("reference", text(reference)),
            ("status", text("new")),
            ("is_quarantined", flag(self.is_quarantined)),
            ("is_late", flag(self.is_late)),
            ("is_possible_duplicate", flag(false)),
            ("over_long", text(&self.valid.over_long.join(" "))),
            ("flagged", text(&self.flagged().join(" "))),
            ("findings", Datum::Text(findings::to_json(&self.valid.findings))),
            ("consent_notice", self.consent.as_ref().map_or(Datum::Null, |consent| text(&consent.version))),
            ("consented_at", consented_at.map_or(Datum::Null, Datum::Text)),
            ("fingerprint", Datum::Text(self.fingerprint())),
            ("subject_hash", Datum::Text(self.subject_hash())),
        ];
        columns.extend(self.form.kind.stored_search_keys(|name| self.text(name)));
        columns.extend(self.own_columns.iter().cloned());
        columns
    }
}

/// Returns the hash of a whole form and its files, without the time taken to fill it in.
pub(super) fn payload_hash(values: &Values, files: &BTreeMap<&'static str, FormFile>) -> String {
    let texts = values
        .iter()
        .filter(|(name, _)| name.as_str() != extra_fields::ELAPSED)
        .flat_map(|(name, text)| [name.as_str(), trim(text)]);
    hash(texts.chain(files.iter().flat_map(|(field, file)| [*field, file.stored.sent_sha256.as_str()])))
}

/// Returns `text` in lower case with single spaces, for comparison.
pub(super) fn normalized(text: &str) -> String {
    text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
