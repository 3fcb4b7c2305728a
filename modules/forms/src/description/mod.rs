//! The description of the forms: fields, rules, order, sections, choices and texts.
//!
//! The server validates by it, and the forms in `frontend/src/shared/api/generated/` are generated from it, so that both
//! sides agree. How a form is received and stored is the subject of `submit`.

mod contact;
mod delegate;
mod film;
mod sections;
pub mod texts;

pub use contact::{CONTACT, CONTACT_MESSAGE};
pub use delegate::{DELEGATE, DELEGATE_FORM};
use festival_core::entity::{Entity, Field, Kind};
use serde::Serialize;
use ts_rs::TS;

pub use film::{ASIAN, FILM_FORMS, FILM_SUBMISSION, INDIAN, MALAYALAM};

/// A form of the site.
#[derive(Debug)]
pub struct Form {
    /// Stable key: `delegate`, `asian`, `indian`, `malayalam`, `contact`.
    pub key: &'static str,
    /// Path of its page.
    pub path: &'static str,
    /// Path of the endpoint that receives it, below the API's mount.
    pub api_path: &'static str,
    /// Heading of the page. `{product}` and `{year}` stand for the festival's short name and the edition's year.
    pub title: &'static str,
    /// Sentences below the heading.
    pub lead: &'static str,
    /// The fields of a submission, in the order in which they are validated.
    pub entity: &'static Entity,
    /// The sections from top to bottom.
    pub sections: &'static [Section],
    /// Names of fields, each with the choices that only this form offers.
    pub options: &'static [(&'static str, &'static [FormChoice])],
    /// The fee that is paid with it.
    pub fee: Fee,
}

/// A section of a form under a heading.
#[derive(Debug, Serialize, TS)]
#[ts(rename = "FormSection")]
pub struct Section {
    /// The heading; empty for a form of one section.
    pub title: &'static str,
    /// Sentences below it.
    pub text: &'static [&'static str],
    /// Names of its fields, in the order of the page.
    pub fields: &'static [&'static str],
}

/// One of the choices of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct FormChoice {
    /// Unique among the choices of the field; two of them may share a value.
    pub key: &'static str,
    /// The value that is sent.
    pub value: &'static str,
    /// The label that people read.
    pub label: &'static str,
}

/// The fee that is paid with a form; its amount is a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "FormFee")]
pub enum Fee {
    /// No fee.
    None,
    /// The fee of the chosen membership.
    Membership,
    /// The entry fee of a film in rupees.
    Film,
    /// The entry fee of a film in rupees, or in dollars.
    FilmOrDollars,
}

/// Every form, in the order of the generated file.
pub const FORMS: [&Form; 5] = [&DELEGATE_FORM, &ASIAN, &INDIAN, &MALAYALAM, &CONTACT];

/// Names of the fields that the browser sends in addition to those of the form. Older clients do not send them.
pub mod extra_fields {
    /// The award that a film is submitted for: `asian`, `indian` or `malayalam`.
    pub const AWARD: &str = "award_category";
    /// The label of the choice in `is_first_or_second_feature`: two labels may share a value.
    pub const DECLARED_FEATURE: &str = "declared_feature_label";
    /// "yes" if the checkbox below the consent notice was ticked.
    pub const CONSENT: &str = "consent";
    /// The version of the consent notice that was shown.
    pub const NOTICE: &str = "consent_notice";
    /// A honeypot: people do not see this field, bots fill it in.
    pub const TRAP: &str = "website";
    /// Seconds between showing the form and sending it.
    pub const ELAPSED: &str = "elapsed_seconds";

    /// The payment code that the sender was shown, of forms with a fee.
    pub const PAYMENT_CODE: &str = "payment_code";
    /// The UTR, of forms that do not ask for the transaction otherwise.
    pub const PAYMENT_UTR: &str = "payment_utr";

    /// Those that every form with a fee has.
    pub const OF_PAYMENTS: [&str; 2] = [PAYMENT_CODE, PAYMENT_UTR];

    /// Those that every form has.
    pub const COMMON: [&str; 4] = [CONSENT, NOTICE, TRAP, ELAPSED];
}

impl Form {
    /// Returns the form with this key.
    pub fn find(key: &str) -> Option<&'static Form> {
        FORMS.into_iter().find(|form| form.key == key)
    }

    /// Returns the choices that this form offers for `field`; `None` if any text may be sent.
    pub fn choices(&self, field: &Field) -> Option<Vec<FormChoice>> {
        if let Some((_, own)) = self.options.iter().find(|(name, _)| *name == field.name) {
            return Some(own.to_vec());
        }
        match field.kind {
            Kind::Choice(_) => Some(all_choices(field)),
            _ => None,
        }
    }

    /// Returns the name of the award of a film form: "Asian Cinema"; "" for other forms.
    pub fn award_name(&self) -> &'static str {
        self.title.strip_prefix("Film submission: ").unwrap_or_default()
    }

    /// Path of the endpoint that receives its files before the form, below the API's mount; "" if it takes no files.
    pub fn files_path(&self) -> &'static str {
        match self.entity.table {
            "film_submissions" => "/forms/film/files/",
            "delegates" => "/forms/delegate/files/",
            _ => "",
        }
    }
}

/// Returns every choice of `field`, whichever form offers it; none if any text may be sent.
pub(crate) fn all_choices(field: &Field) -> Vec<FormChoice> {
    let Kind::Choice(all) = field.kind else { return Vec::new() };
    all.iter().map(|(value, label)| FormChoice { key: value, value, label }).collect()
}

/// Returns the label of `field` without the limits that it tells the sender in brackets.
pub(crate) fn short_label(field: &Field) -> &'static str {
    // "(English)" tells two fields apart; limits are more than one word.
    match field.label.split_once(" (") {
        Some((name, limit)) if limit == "optional)" || limit.contains(' ') => name,
        _ => field.label,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_in_exactly_one_section() {
        for form in FORMS {
            let mut in_sections: Vec<&str> =
                form.sections.iter().flat_map(|section| section.fields.iter().copied()).collect();
            let mut fields: Vec<&str> = form.entity.fields.iter().map(|field| field.name).collect();
            in_sections.sort_unstable();
            fields.sort_unstable();
            assert_eq!(in_sections, fields, "{}", form.key);
        }
    }

    #[test]
    fn choices_of_a_form_are_choices_of_the_field_with_unique_keys() {
        for form in FORMS {
            for (name, choices) in form.options {
                let field = form.entity.field(name).map(|field| field.kind);
                let Some(Kind::Choice(all)) = field else { unreachable!("{name} is a choice") };
                for choice in *choices {
                    assert!(all.iter().any(|(value, _)| *value == choice.value), "{} {}", form.key, choice.value);
                }
                let keys: std::collections::BTreeSet<&str> = choices.iter().map(|choice| choice.key).collect();
                assert_eq!(keys.len(), choices.len(), "{}", form.key);
            }
        }
    }

    #[test]
    fn short_labels_omit_limits_and_keep_what_tells_fields_apart() {
        let labels: Vec<&str> = FILM_SUBMISSION.fields.iter().chain(DELEGATE.fields).map(short_label).collect();
        for label in ["Title of the film (English)", "Biography of the director", "Poster of the film", "Your photo"] {
            assert!(labels.contains(&label), "{label}");
        }
        assert!(labels.iter().all(|label| !label.contains(" (") || label.starts_with("Title of the film")));
    }
}
