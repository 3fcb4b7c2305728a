//! What the forms are: fields, rules, order, sections, options and words, each said once.
//!
//! The server checks by it, and `frontend/src/shared/api/generated/forms.ts` is printed from it, so the two
//! sides cannot disagree. What a form does with what it receives is elsewhere.

mod contact;
mod delegate;
mod film;
mod sections;
pub mod texts;

pub use contact::{CONTACT, CONTACT_MESSAGE};
pub use delegate::{DELEGATE, DELEGATE_FORM};
use festival_core::entity::{Entity, Field, Kind};
pub use film::{ASIAN, FILM_FORMS, FILM_SUBMISSION, INDIAN, MALAYALAM};

/// A form of the site.
#[derive(Debug)]
pub struct Form {
    /// Stable key: `delegate`, `asian`, `indian`, `malayalam`, `contact`.
    pub key: &'static str,
    /// The page it stands on.
    pub path: &'static str,
    /// Where it is sent, below the API's mount.
    pub api_path: &'static str,
    /// The heading. `{product}` and `{year}` stand for the festival's short name and the edition's year.
    pub title: &'static str,
    /// A sentence or two below the heading.
    pub lead: &'static str,
    /// What is kept of a submission; its fields stand in the order in which they are checked.
    pub entity: &'static Entity,
    /// The form from top to bottom.
    pub sections: &'static [Section],
    /// The choices of fields that differ from form to form.
    pub options: &'static [(&'static str, &'static [Choice])],
    /// What is paid, if anything.
    pub fee: Fee,
}

/// A part of a form under a heading.
#[derive(Debug)]
pub struct Section {
    /// The heading; empty for a form of one part.
    pub title: &'static str,
    /// Sentences below it.
    pub text: &'static [&'static str],
    /// The names of its fields, as they stand on the page.
    pub fields: &'static [&'static str],
}

/// One of the choices of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Tells it from the others of its field.
    pub key: &'static str,
    /// What is sent.
    pub value: &'static str,
    /// What people read.
    pub label: &'static str,
}

/// What is paid with a form; the amounts are settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fee {
    /// Nothing.
    None,
    /// The fee of the membership that is chosen.
    Membership,
    /// The entry fee of a film in rupees.
    Film,
    /// The entry fee of a film in rupees, or in dollars.
    FilmOrDollars,
}

impl Fee {
    /// The name that the generated file gives it.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Membership => "membership",
            Self::Film => "film",
            Self::FilmOrDollars => "film_or_dollars",
        }
    }
}

/// Every form, in the order in which the generated file has them.
pub const FORMS: [&Form; 5] = [&DELEGATE_FORM, &ASIAN, &INDIAN, &MALAYALAM, &CONTACT];

/// What the browser sends beside a form's own fields; older clients do not.
pub mod beside {
    /// The award that a film is submitted for: `asian`, `indian` or `malayalam`.
    pub const AWARD: &str = "award_category";
    /// The label of the choice in `is_first_or_second_feature`, where two labels share a value.
    pub const DECLARED_FEATURE: &str = "declared_feature_label";
    /// "yes" where the box below the notice on personal data was ticked.
    pub const CONSENT: &str = "consent";
    /// The version of the notice that was shown beside the box.
    pub const NOTICE: &str = "consent_notice";
    /// A field that people do not see and machines fill in.
    pub const TRAP: &str = "website";
    /// Seconds between the form's appearance and its sending.
    pub const ELAPSED: &str = "elapsed_seconds";
}

impl Form {
    /// The form called `key`.
    pub fn of(key: &str) -> Option<&'static Form> {
        FORMS.into_iter().find(|form| form.key == key)
    }

    /// The choices of `field`, where it has a fixed list.
    pub fn choices(&self, field: &Field) -> Option<Vec<Choice>> {
        if let Some((_, own)) = self.options.iter().find(|(name, _)| *name == field.name) {
            return Some(own.to_vec());
        }
        match field.kind {
            Kind::Choice(all) => Some(all.iter().map(|(value, label)| Choice { key: value, value, label }).collect()),
            _ => None,
        }
    }

    /// The award of a film form as people say it: "Asian Cinema"; "" for other forms.
    pub fn award_name(&self) -> &'static str {
        self.title.strip_prefix("Film submission: ").unwrap_or_default()
    }

    /// Where a file may be uploaded before the form, below the API's mount; "" where it takes none.
    pub fn files_path(&self) -> &'static str {
        match self.entity.table {
            "film_submissions" => "/forms/film/files/",
            "delegates" => "/forms/delegate/files/",
            _ => "",
        }
    }

    /// Whether the form takes files.
    pub fn has_files(&self) -> bool {
        self.entity.fields.iter().any(|field| !field.has_column())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_stands_in_one_section_and_every_section_names_fields() {
        for form in FORMS {
            let mut named: Vec<&str> =
                form.sections.iter().flat_map(|section| section.fields.iter().copied()).collect();
            let mut known: Vec<&str> = form.entity.fields.iter().map(|field| field.name).collect();
            named.sort_unstable();
            known.sort_unstable();
            assert_eq!(named, known, "{}", form.key);
        }
    }

    #[test]
    fn a_forms_own_choices_are_choices_of_the_field() {
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
}
