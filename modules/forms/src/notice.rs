//! The notice on personal data that stands below each form: what is kept, what for, how long, and what people may ask for
//! (DPDP Act 2023, section 5). Its version is a hash of its words.

use festival_core::entity::{Entity, Values, trim};
use festival_core::settings::Settings;
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::description::{FORMS, beside, texts};
use crate::settings::FormsSettings;
use crate::submit::hash;

/// Hexadecimal digits of a version.
const VERSION_LENGTH: usize = 12;

/// The notice of one or more forms, as it is shown.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
#[ts(export_to = "forms-api.ts")]
pub(crate) struct Notice {
    /// The keys of the forms that it belongs to.
    forms: Vec<&'static str>,
    /// Sent back with the form; changes with every word.
    pub(crate) version: String,
    /// Who asks.
    lead: String,
    items: Vec<NoticeItem>,
}

/// A paragraph of a notice.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
#[ts(export_to = "forms-api.ts")]
pub(crate) struct NoticeItem {
    title: &'static str,
    text: String,
    /// The e-mail address to write to, where the paragraph is about that; else empty.
    email: String,
}

/// What somebody agreed to.
pub(crate) struct Consent {
    /// The version of the notice.
    pub(crate) version: String,
    /// Its words; `None`: it was changed while the form was filled in, and only its version is known.
    pub(crate) text: Option<String>,
}

impl Notice {
    /// The notice of the forms of `entity`, which is one of [`FORMS`].
    pub(crate) fn of(entity: &Entity, forms: &FormsSettings, site: &Settings) -> Self {
        let kind = Kind::of(entity);
        let item = |title, text: &str| NoticeItem { title, text: text.to_owned(), email: String::new() };
        let mut items = vec![
            item("What we keep", kind.data),
            item("What for", kind.purpose),
            item("How long", &kind.how_long(forms)),
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
        let forms = FORMS.iter().filter(|form| form.entity.table == entity.table).map(|form| form.key).collect();
        let mut notice = Self { forms, version: String::new(), lead, items };
        notice.version = hash([notice.text().as_str()]).chars().take(VERSION_LENGTH).collect();
        notice
    }

    /// Its words, a paragraph each, with those beside the box.
    pub(crate) fn text(&self) -> String {
        let items = self.items.iter().map(|item| {
            let email = if item.email.is_empty() { String::new() } else { format!(" {}", item.email) };
            format!("{}: {}{email}", item.title, item.text)
        });
        let paragraphs = [self.lead.clone()].into_iter().chain(items).chain([texts::CONSENT.to_owned()]);
        paragraphs.collect::<Vec<_>>().join("\n")
    }

    /// What was agreed to by whoever sent `values`, which say yes.
    pub(crate) fn consent(&self, values: &Values) -> Consent {
        let named = values.get(beside::NOTICE).map_or("", |text| trim(text));
        let is_version = named.len() == VERSION_LENGTH && named.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        // A client that names none has been shown what holds now.
        if is_version && named != self.version {
            return Consent { version: named.to_owned(), text: None };
        }
        Consent { version: self.version.clone(), text: Some(self.text()) }
    }
}

/// What differs from kind to kind of submission.
struct Kind {
    data: &'static str,
    purpose: &'static str,
    /// What is paid for with the form, and who is turned down: in the plural.
    paid: Option<&'static str>,
    days: fn(&FormsSettings) -> u32,
}

impl Kind {
    fn of(entity: &Entity) -> &'static Self {
        match entity.table {
            "film_submissions" => &FILM,
            "delegates" => &DELEGATE,
            _ => &MESSAGE,
        }
    }

    fn how_long(&self, forms: &FormsSettings) -> String {
        let mut sentences = vec![match (self.days)(forms) {
            0 => "Until the purpose is fulfilled or you ask us to erase it.".to_owned(),
            days => format!("{days} days from the day it arrives, or until you ask us to erase it."),
        }];
        if let Some(refused) = self.paid {
            if forms.retention.refused_days > 0 {
                sentences.push(format!("{refused}: {} days after that.", forms.retention.refused_days));
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

const FILM: Kind = Kind {
    data: "The details of the film; names, e-mail addresses and telephone numbers of its producer, its director and of \
           whoever submits it; the director's photo and biography; the links and passwords, documents and signature that \
           you send; the proof of payment.",
    purpose: "To check entry and payment, to select films, to write to you about it, and to present a selected film \
              in the programme, on this site and in the press.",
    paid: Some("Films that are not selected or are withdrawn"),
    days: |forms| forms.retention.film_days,
};

const DELEGATE: Kind = Kind {
    data: "Your name, age, occupation, address, e-mail address and telephone number; your photo if you add one; your \
           signature; the category, the transaction and the proof of payment.",
    purpose: "To check the payment, to make out your pass or your membership, and to write to you about it.",
    paid: Some("Registrations that are rejected"),
    days: |forms| forms.retention.delegate_days,
};

const MESSAGE: Kind = Kind {
    data: "Your name, e-mail address and telephone number, as far as you give them, and your message.",
    purpose: "To answer you.",
    paid: None,
    days: |forms| forms.retention.contact_days,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{CONTACT_MESSAGE, DELEGATE, FILM_SUBMISSION};

    #[test]
    fn contact_and_terms_stand_in_the_notice_and_change_its_version() {
        let (mut forms, mut site) = (FormsSettings::default(), Settings::default());
        let before = Notice::of(&FILM_SUBMISSION, &forms, &site);
        assert_eq!(before.version.len(), VERSION_LENGTH);
        assert!(before.text().contains("with the contact form of this site."), "{}", before.text());
        assert_eq!(before.forms, ["asian", "indian", "malayalam"]);
        site.contact.email = "privacy@example.org".into();
        forms.retention.film_days = 400;
        forms.retention.refused_days = 180;
        let after = Notice::of(&FILM_SUBMISSION, &forms, &site);
        assert_ne!(before.version, after.version);
        for words in ["privacy@example.org", "400 days from", "withdrawn: 180 days", "Data Protection Board of India"] {
            assert!(after.text().contains(words), "{words}");
        }
        let message = Notice::of(&CONTACT_MESSAGE, &forms, &site).text();
        assert!(!message.contains("400 days") && !message.contains("payment"), "{message}");
        assert_eq!(Notice::of(&DELEGATE, &forms, &site).forms, ["delegate"]);
    }
}
