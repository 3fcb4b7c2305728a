//! A submission that passed all rules and is not kept yet.

use std::collections::BTreeMap;

use festival_core::db::timestamp_text;
use festival_core::edition::Edition;
use festival_core::entity::{Datum, Entity, Record};
use jiff::Timestamp;

use super::hash::{hash, parts_of, plain};
use super::staged::FormFile;
use crate::finding::{self, Finding};
use crate::notice::Consent;
use crate::submissions::{Kind, Submission};

/// A submission that passed all rules and is not kept yet.
pub(crate) struct NewSubmission {
    pub(crate) entity: &'static Entity,
    /// The letters in front of its number.
    pub(crate) prefix: &'static str,
    pub(crate) edition: Edition,
    pub(crate) record: Record,
    pub(crate) files: BTreeMap<&'static str, FormFile>,
    /// Columns of its table that are not of the form.
    pub(crate) own_columns: Vec<(&'static str, Datum)>,
    /// Who sent it: name, e-mail address.
    pub(crate) sender: (String, String),
    /// What it is called: the film's title, the category of membership.
    pub(crate) title: String,
    /// What it is about, where two submissions may be about one thing: a payment, a film.
    pub(crate) subject: Vec<String>,
    pub(crate) over_long: Vec<&'static str>,
    /// What was noted about single values.
    pub(crate) findings: Vec<Finding>,
    pub(crate) is_late: bool,
    pub(crate) is_quarantined: bool,
    /// What was agreed to; `None`: nothing.
    pub(crate) consent: Option<Consent>,
    /// The hash of all that was sent.
    pub(crate) payload_hash: String,
    pub(crate) now: Timestamp,
}

impl NewSubmission {
    /// What was kept, as it came: for the mails that were held back then.
    pub(crate) fn of_stored(kind: &Kind, submission: &Submission<'_>, edition: Edition, now: Timestamp) -> Self {
        let text = |name: &str| submission.text(name).to_owned();
        let (sender, title) = match kind.name {
            "film" => ((text("name_of_submitter"), text("correspondence_email")), text("title_english")),
            "delegate" => ((text("name"), text("email")), text("category")),
            _ => ((text("name"), text("email")), String::new()),
        };
        let over_long = submission.text("over_long").split_whitespace();
        Self {
            entity: kind.entity,
            prefix: "",
            edition,
            record: kind.entity.columns().map(|field| submission.value(field.name).clone()).collect(),
            files: BTreeMap::new(),
            own_columns: kind.own_columns.iter().map(|name| (*name, submission.value(name).clone())).collect(),
            sender,
            title,
            subject: Vec::new(),
            over_long: over_long.filter_map(|name| kind.entity.field(name)).map(|field| field.name).collect(),
            findings: submission.findings(),
            is_late: submission.flag("is_late"),
            is_quarantined: false,
            consent: None,
            payload_hash: String::new(),
            now: submission.text("created_at").parse().unwrap_or(now),
        }
    }

    /// The text in the column called `name`; "" where there is none.
    pub(crate) fn text(&self, name: &str) -> &str {
        match self.entity.position(name).and_then(|place| self.record.get(place)) {
            Some(Datum::Text(text)) => text,
            _ => "",
        }
    }

    /// The text in a column that is not of the form.
    pub(crate) fn own_text(&self, name: &str) -> Option<&str> {
        self.own_columns.iter().find_map(|(column, datum)| match datum {
            Datum::Text(text) if *column == name => Some(text.as_str()),
            _ => None,
        })
    }

    /// The number in a column that is not of the form.
    pub(crate) fn own_number(&self, name: &str) -> Option<i64> {
        self.own_columns.iter().find_map(|(column, datum)| match datum {
            Datum::Integer(number) if *column == name => Some(*number),
            _ => None,
        })
    }

    /// Two drafts with the same fingerprint are one thing sent twice.
    ///
    /// What was kept apart is never the same as what was not: otherwise a person who sends again what a machine
    /// seemed to have sent would be answered, and not kept.
    pub(crate) fn fingerprint(&self) -> String {
        let kept_apart = if self.is_quarantined { "apart" } else { "" };
        let email = plain(&self.sender.1);
        let subject = self.subject.iter().map(String::as_str);
        hash([self.prefix, kept_apart, email.as_str()].into_iter().chain(subject).chain(parts_of(&self.files)))
    }

    /// The hash of what it is about; "" for what two people may well send.
    pub(crate) fn subject_hash(&self) -> String {
        if self.files.is_empty() { String::new() } else { hash(self.subject.iter().map(String::as_str)) }
    }

    /// The fields that somebody should look at.
    fn flagged(&self) -> Vec<&str> {
        let flagged = self.findings.iter().filter(|finding| finding.reason.is_some());
        flagged.map(|finding| finding.field.as_str()).collect()
    }

    /// The columns beside the form's own.
    pub(crate) fn columns(&self, reference: &str, is_possible_duplicate: bool) -> Vec<(&'static str, Datum)> {
        let text = |text: &str| Datum::Text(text.to_owned());
        let flag = |flag: bool| Datum::Integer(i64::from(flag));
        let consented_at = self.consent.as_ref().map(|_| timestamp_text(self.now));
        let mut columns = vec![
            ("reference", text(reference)),
            ("status", text("new")),
            ("is_quarantined", flag(self.is_quarantined)),
            ("is_late", flag(self.is_late)),
            ("is_possible_duplicate", flag(is_possible_duplicate)),
            ("over_long", text(&self.over_long.join(" "))),
            ("flagged", text(&self.flagged().join(" "))),
            ("findings", Datum::Text(finding::to_json(&self.findings))),
            ("consent_notice", self.consent.as_ref().map_or(Datum::Null, |consent| text(&consent.version))),
            ("consented_at", consented_at.map_or(Datum::Null, Datum::Text)),
            ("fingerprint", Datum::Text(self.fingerprint())),
            ("subject_hash", Datum::Text(self.subject_hash())),
        ];
        columns.extend(self.own_columns.iter().cloned());
        columns
    }
}
