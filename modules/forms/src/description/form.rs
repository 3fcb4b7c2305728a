//! The description of a form: its page, its fields in sections, its choices and its fee.

use serde::Serialize;
use ts_rs::TS;

use festival_core::entity::{Entity, Field, Kind, Subject};

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

impl Form {
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

/// Returns the label of `field` without the limits in brackets, which are for senders.
pub(crate) fn short_label(field: &Field) -> &'static str {
    // "(English)" distinguishes two fields; limits are more than one word.
    match field.label.split_once(" (") {
        Some((name, limit)) if limit == "optional)" || limit.contains(' ') => name,
        _ => field.label,
    }
}

/// The e-mail address of a person.
pub(super) const fn email(name: &'static str, label: &'static str, person: &'static Subject) -> Field {
    Field::new(name, label, Kind::Email).about(person).placeholder("name@example.org")
}

/// The telephone number of a person.
pub(super) const fn phone(name: &'static str, label: &'static str, person: &'static Subject) -> Field {
    Field::new(name, label, Kind::Phone).about(person).placeholder("+91 00000 00000")
}

/// A required picture.
pub(super) const fn picture(name: &'static str, label: &'static str) -> Field {
    Field::new(name, label, Kind::File { pdf: false }).required().hint("JPEG, PNG or WebP.")
}

/// A required picture or PDF.
pub(super) const fn document(name: &'static str, label: &'static str) -> Field {
    Field::new(name, label, Kind::File { pdf: true }).required().hint("PDF, JPEG, PNG or WebP.")
}

/// The sender, whose submission is exported and erased as a whole.
pub(crate) const SENDER: &Subject = &Subject { rows: "submissions" };
