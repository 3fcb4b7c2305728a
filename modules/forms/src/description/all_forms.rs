//! All forms of the site.

use festival_core::entity::Entity;

use super::contact::CONTACT;
use super::delegate::DELEGATE_FORM;
use super::film::{ASIAN, INDIAN, MALAYALAM};
use super::form::Form;

/// Every form, in the order of the generated file.
pub const FORMS: [&Form; 5] = [&DELEGATE_FORM, &ASIAN, &INDIAN, &MALAYALAM, &CONTACT];

/// Returns the forms whose submissions are stored as `entity`.
pub(crate) fn forms_of(entity: &Entity) -> impl Iterator<Item = &'static Form> {
    FORMS.into_iter().filter(|form| form.entity.table == entity.table)
}

impl Form {
    /// Returns the form with this key.
    pub fn find(key: &str) -> Option<&'static Form> {
        FORMS.into_iter().find(|form| form.key == key)
    }
}

#[cfg(test)]
mod tests {
    use festival_core::entity::Kind;

    use super::*;
    use crate::description::{DELEGATE, FILM_SUBMISSION, short_label};

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
    fn short_labels_omit_limits_and_stay_unambiguous() {
        let labels: Vec<&str> = FILM_SUBMISSION.fields.iter().chain(DELEGATE.fields).map(short_label).collect();
        for label in ["Title of the film (English)", "Biography of the director", "Poster of the film", "Your photo"] {
            assert!(labels.contains(&label), "{label}");
        }
        assert!(labels.iter().all(|label| !label.contains(" (") || label.starts_with("Title of the film")));
    }
}
