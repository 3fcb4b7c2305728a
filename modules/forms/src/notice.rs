//! The consent notice below each form: which personal data are stored, for what purpose, for how long, and the rights of
//! the sender (DPDP Act 2023, section 5). Its version is a hash of its text.

use festival_core::entity::{Entity, Values, trim};
use festival_core::settings::Settings;
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::description::{extra_fields, forms_of, texts};
use crate::hash::hash;
use crate::settings::{ConsentBy, FormsSettings};

/// Length of a version, in hexadecimal digits.
const VERSION_LENGTH: usize = 12;

/// The consent notice of one or more forms.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
pub(crate) struct Notice {
    /// Keys of the forms that show it.
    forms: Vec<&'static str>,
    /// Identifies its text; the form sends it back.
    pub(crate) version: String,
    /// Who asks for consent.
    lead: String,
    items: Vec<NoticeItem>,
    /// The sentence by which the sender agrees.
    #[serde(skip)]
    agreement: String,
}

/// A paragraph of a notice.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
pub(crate) struct NoticeItem {
    title: &'static str,
    text: String,
    /// The e-mail address that the paragraph ends with; empty for most.
    email: String,
}

/// The notice that a sender agreed to.
pub(crate) struct Consent {
    pub(crate) version: String,
    /// Its text; `None` if the notice changed while the form was filled in, so that only its version is known.
    pub(crate) text: Option<String>,
}

impl Notice {
    /// Returns the notice of the forms that are stored as `entity`.
    pub(crate) fn new(entity: &Entity, forms: &FormsSettings, site: &Settings) -> Self {
        let kind = NoticeText::of(entity);
        let item = |title, text: &str| NoticeItem { title, text: text.to_owned(), email: String::new() };
        let mut items = vec![
            item("What we keep", kind.data),
            item("What for", kind.purpose),
            item("How long", &kind.retention(forms)),
            item(
                "Your rights",
                "You may ask what we keep about you, have it corrected or erased, name somebody who may ask for you, and \
                 withdraw this consent at any time, as easily as you give it. What was done until then stays lawful.",
            ),
        ];
        let contact = &site.contact;
        let call = match contact.phone.as_str() {
            "" => String::new(),
            phone => format!("Call {phone}. "),
        };
        items.push(NoticeItem {
            title: "Whom to ask",
            text: match contact.email.as_str() {
                "" => format!("{call}Write to the organisers with the contact form of this site."),
                _ => format!("{call}Write to the festival office:"),
            },
            email: contact.email.clone(),
        });
        items.push(item(
            "Complaints",
            "If our answer does not satisfy you, you may complain to the Data Protection Board of India.",
        ));
        let lead = format!("{} asks for your consent to keep and use what you send.", site.product.full_name);
        let keys = forms_of(entity).map(|form| form.key).collect();
        let agreement = match forms.consent {
            ConsentBy::Sentence => texts::CONSENT_SENTENCE.replace(['{', '}'], ""),
            ConsentBy::Tick => texts::CONSENT_BOX.to_owned(),
        };
        let mut notice = Self { forms: keys, version: String::new(), lead, items, agreement };
        notice.version = hash([notice.text().as_str()]).chars().take(VERSION_LENGTH).collect();
        notice
    }

    /// Returns its text, a paragraph per line, with the sentence by which the sender agrees.
    pub(crate) fn text(&self) -> String {
        let items = self.items.iter().map(|item| {
            let email = if item.email.is_empty() { String::new() } else { format!(" {}", item.email) };
            format!("{}: {}{email}", item.title, item.text)
        });
        let paragraphs = [self.lead.clone()].into_iter().chain(items).chain([self.agreement.clone()]);
        paragraphs.collect::<Vec<_>>().join("\n")
    }

    /// Returns what the sender of `values`, who agreed, agreed to.
    pub(crate) fn consent(&self, values: &Values) -> Consent {
        let sent = values.get(extra_fields::NOTICE).map_or("", |text| trim(text));
        let is_version = sent.len() == VERSION_LENGTH && sent.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        // A client that sends no version is assumed to have shown the present notice.
        if is_version && sent != self.version {
            return Consent { version: sent.to_owned(), text: None };
        }
        Consent { version: self.version.clone(), text: Some(self.text()) }
    }
}

/// The parts of the text that differ between the kinds of submissions.
struct NoticeText {
    data: &'static str,
    purpose: &'static str,
    /// How to call rejected submissions, in the plural; `None` if nothing is paid with the form.
    rejected: Option<&'static str>,
    /// The days after which a submission is erased; 0 for never.
    days: fn(&FormsSettings) -> u32,
}

impl NoticeText {
    fn of(entity: &Entity) -> &'static Self {
        match entity.table {
            "film_submissions" => &FILM,
            "delegates" => &DELEGATE,
            _ => &MESSAGE,
        }
    }

    fn retention(&self, forms: &FormsSettings) -> String {
        let mut sentences = vec![match (self.days)(forms) {
            0 => "Until the purpose is fulfilled or you ask us to erase it.".to_owned(),
            days => format!("{days} days from the day it arrives, or until you ask us to erase it."),
        }];
        if let Some(rejected) = self.rejected {
            if forms.retention.refused_days > 0 {
                sentences.push(format!("{rejected}: {} days after that.", forms.retention.refused_days));
            }
            sentences.push(match forms.retention.payment_days {
                0 => "Reference, amount and date of a payment that we received stay as long as the law on accounts asks, \
                      without your name."
                    .to_owned(),
                days => format!(
                    "Reference, amount and date of a payment that we received stay for {days} days, without your name."
                ),
            });
        }
        sentences.join(" ")
    }
}

const FILM: NoticeText = NoticeText {
    data: "The details of the film; names, e-mail addresses and telephone numbers of its producer, its director and of \
           whoever submits it; the director's photo and biography; the links and passwords, documents and signature that \
           you send; the proof of payment.",
    purpose: "To check entry and payment, to select films, to write to you about it, and to present a selected film \
              in the programme, on this site and in the press.",
    rejected: Some("Films that are not selected or are withdrawn"),
    days: |forms| forms.retention.film_days,
};

const DELEGATE: NoticeText = NoticeText {
    data: "Your name, age, occupation, address, e-mail address and telephone number; your photo if you add one; your \
           signature; the category, the transaction and the proof of payment.",
    purpose: "To check the payment, to make out your pass or your membership, and to write to you about it.",
    rejected: Some("Registrations that are rejected"),
    days: |forms| forms.retention.delegate_days,
};

const MESSAGE: NoticeText = NoticeText {
    data: "Your name, e-mail address and telephone number, as far as you give them, and your message.",
    purpose: "To answer you.",
    rejected: None,
    days: |forms| forms.retention.contact_days,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{CONTACT_MESSAGE, DELEGATE, FILM_SUBMISSION};

    #[test]
    fn notice_and_its_version_reflect_contact_and_retention_settings() {
        let (mut forms, mut site) = (FormsSettings::default(), Settings::default());
        let before = Notice::new(&FILM_SUBMISSION, &forms, &site);
        assert_eq!(before.version.len(), VERSION_LENGTH);
        assert!(before.text().contains("with the contact form of this site."), "{}", before.text());
        assert_eq!(before.forms, ["asian", "indian", "malayalam"]);
        site.contact.email = "privacy@example.org".into();
        forms.retention.film_days = 400;
        forms.retention.refused_days = 180;
        let after = Notice::new(&FILM_SUBMISSION, &forms, &site);
        assert_ne!(before.version, after.version);
        for text in ["privacy@example.org", "400 days from", "withdrawn: 180 days", "Data Protection Board of India"] {
            assert!(after.text().contains(text), "{text}");
        }
        let message = Notice::new(&CONTACT_MESSAGE, &forms, &site).text();
        assert!(!message.contains("400 days") && !message.contains("payment"), "{message}");
        assert_eq!(Notice::new(&DELEGATE, &forms, &site).forms, ["delegate"]);
    }
}
