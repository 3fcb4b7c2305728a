//! A valid submission before it is stored, and the hashes by which repetitions of it are recognised.

use std::collections::BTreeMap;

use festival_core::db::timestamp_text;
use festival_core::edition::Edition;
use festival_core::entity::{Datum, Record, Values, trim};
use jiff::Timestamp;

use super::staged::FormFile;
use crate::description::extra_fields;
use crate::findings::{self, Finding};
use crate::hash::hash;
use crate::notice::Consent;
use crate::submissions::SubmissionKind;

/// A valid submission before it is stored.
pub(crate) struct NewSubmission {
    pub(crate) kind: &'static SubmissionKind,
    /// The letters that its reference begins with.
    pub(crate) prefix: &'static str,
    pub(crate) edition: Edition,
    /// The values in the order of the entity's columns.
    pub(crate) record: Record,
    pub(crate) files: BTreeMap<&'static str, FormFile>,
    /// The values of [`SubmissionKind::own_columns`] that are not the defaults of the table.
    pub(crate) own_columns: Vec<(&'static str, Datum)>,
    /// Its subject, a payment or a film: submissions with the same subject are possible duplicates. Empty for messages.
    pub(crate) subject: Vec<String>,
    /// The fields with more words than allowed.
    pub(crate) over_long: Vec<&'static str>,
    /// Notes about single values, in the order of the form.
    pub(crate) findings: Vec<Finding>,
    pub(crate) is_late: bool,
    pub(crate) is_quarantined: bool,
    /// The notice that the sender agreed to; `None` without consent.
    pub(crate) consent: Option<Consent>,
    /// Hash of everything that was sent.
    pub(crate) payload_hash: String,
    /// When it was received.
    pub(crate) now: Timestamp,
}

impl NewSubmission {
    /// Returns the text in the column called `name`, a field of the form; "" if it holds none.
    pub(crate) fn text(&self, name: &str) -> &str {
        match self.kind.entity.position(name).and_then(|index| self.record.get(index)) {
            Some(Datum::Text(text)) => text,
            _ => "",
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
        let flagged = self.findings.iter().filter(|finding| finding.reason.is_some());
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
            ("over_long", text(&self.over_long.join(" "))),
            ("flagged", text(&self.flagged().join(" "))),
            ("findings", Datum::Text(findings::to_json(&self.findings))),
            ("consent_notice", self.consent.as_ref().map_or(Datum::Null, |consent| text(&consent.version))),
            ("consented_at", consented_at.map_or(Datum::Null, Datum::Text)),
            ("fingerprint", Datum::Text(self.fingerprint())),
            ("subject_hash", Datum::Text(self.subject_hash())),
        ];
        columns.extend(self.kind.stored_search_keys(|name| self.text(name)));
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
    hash(texts.chain(files.iter().flat_map(|(field, file)| [*field, file.sent_sha256()])))
}

/// Returns `text` in lower case with single spaces, for comparison.
pub(super) fn normalized(text: &str) -> String {
    text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
