//! The part of what people sent that an account is limited to.
//!
//! Core keeps keys and values and knows what an edition is; what else there is ("section") a module says with
//! `Registry::scope`, and narrows what it shows to it.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::AnyConnection;

use super::contents::BackOfficeContents;
use super::input::{Choice, Input};
use super::request::Fields;
use festival_base::error::{Error, FieldError, Result};
use festival_records::edition::EDITION;
use festival_records::entity::table;

/// The key of editions; their values are years.
pub const EDITIONS: &str = "edition";

/// For some keys the values that are open to an account; a key that is not named limits nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope(BTreeMap<String, BTreeSet<String>>);

impl Scope {
    /// Reads what is kept: "edition=2025,2026 section=asian".
    pub fn of_text(text: &str) -> Self {
        let limit = |word: &str| {
            let (key, values) = word.split_once('=').unwrap_or((word, ""));
            let values = values.split(',').filter(|value| !value.is_empty()).map(str::to_owned);
            (key.to_owned(), values.collect())
        };
        Self(text.split_whitespace().map(limit).collect())
    }

    /// As it is kept.
    pub fn text(&self) -> String {
        let word = |(key, values): (&String, &BTreeSet<String>)| {
            format!("{key}={}", values.iter().map(String::as_str).collect::<Vec<_>>().join(","))
        };
        self.0.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    /// Whether anything is closed to the account.
    pub fn is_limited(&self) -> bool {
        !self.0.is_empty()
    }

    /// The values of `key` that are open; `None`: all of them.
    pub fn values(&self, key: &str) -> Option<&BTreeSet<String>> {
        self.0.get(key)
    }

    /// Whether a value of `key` is open.
    pub fn allows(&self, key: &str, value: &str) -> bool {
        self.values(key).is_none_or(|values| values.contains(value))
    }

    /// The same with other values of `key`; without any, all are open.
    #[must_use]
    pub fn with(mut self, key: &str, values: BTreeSet<String>) -> Self {
        if values.is_empty() {
            self.0.remove(key);
        } else {
            self.0.insert(key.to_owned(), values);
        }
        self
    }
}

/// The values of a limit.
enum Values {
    /// The years of the editions.
    Editions,
    /// These, each with its words.
    These(Vec<(String, String)>),
}

/// Something by which accounts can be limited.
pub struct Limit {
    /// Stable word without blanks, "=" and ",".
    pub key: &'static str,
    /// The words for people.
    pub label: &'static str,
    values: Values,
}

impl Limit {
    /// A limit with values that are known at the start, each with its words.
    pub fn fixed(key: &'static str, label: &'static str, values: Vec<(String, String)>) -> Self {
        Self { key, label, values: Values::These(values) }
    }

    /// The values that there are; `scope` says which are chosen. What it names and is gone can be chosen too: it must
    /// not open everything that somebody saves the form.
    async fn choices(&self, connection: &mut AnyConnection, scope: &Scope) -> Result<Vec<Choice>> {
        let kept = scope.values(self.key);
        let mut choices: Vec<Choice> = match &self.values {
            Values::Editions => {
                let editions = table::choices(connection, &EDITION, None).await?;
                editions.into_iter().map(|edition| Choice::new(edition.key, edition.name, "")).collect()
            }
            Values::These(values) => values.iter().map(|(value, label)| Choice::new(value, label, "")).collect(),
        };
        for value in kept.into_iter().flatten() {
            if !choices.iter().any(|choice| choice.key == *value) {
                choices.push(Choice::new(value, value, ""));
            }
        }
        for choice in &mut choices {
            choice.chosen = kept.is_some_and(|values| values.contains(&choice.key));
        }
        Ok(choices)
    }
}

/// The limit that core knows.
pub(super) fn editions() -> Limit {
    Limit { key: EDITIONS, label: "Editions", values: Values::Editions }
}

/// The name of a limit's input in forms.
fn input_name(limit: &Limit) -> String {
    format!("scope.{}", limit.key)
}

/// The inputs of a form that says what an account is limited to.
pub(super) async fn inputs(
    contents: &BackOfficeContents,
    connection: &mut AnyConnection,
    scope: &Scope,
) -> Result<Vec<Input>> {
    let mut inputs = Vec::new();
    for limit in &contents.limits {
        let choices = limit.choices(connection, scope).await?;
        let hint = "Tick nothing for all of them. Who is limited sees only this part of what people sent.";
        inputs.push(Input { choices, ..Input::new("checks", input_name(limit), limit.label).hint(hint) });
    }
    Ok(inputs)
}

/// What was ticked in such a form, by key.
pub(super) fn ticked(contents: &BackOfficeContents, form: &Fields) -> BTreeMap<String, BTreeSet<String>> {
    let ticked = |limit: &Limit| form.all(&input_name(limit)).map(str::to_owned).collect();
    contents.limits.iter().map(|limit| (limit.key.to_owned(), ticked(limit))).collect()
}

/// `before` with what was chosen: keys with values. What there is not is refused, at the limit's input.
pub async fn chosen(
    contents: &BackOfficeContents,
    connection: &mut AnyConnection,
    before: &Scope,
    chosen: &BTreeMap<String, BTreeSet<String>>,
) -> Result<Scope> {
    let known = &contents.limits;
    let mut wrong = Vec::new();
    let mut scope = before.clone();
    for (key, values) in chosen {
        let Some(limit) = known.iter().find(|limit| limit.key == key) else {
            let keys = known.iter().map(|limit| limit.key).collect::<Vec<_>>().join(", ");
            wrong.push(FieldError::new("limit", format!("There is no limit \"{key}\". There are: {keys}.")));
            continue;
        };
        let choices = limit.choices(connection, before).await?;
        if let Some(unknown) = values.iter().find(|value| !choices.iter().any(|choice| choice.key == **value)) {
            let there = choices.into_iter().map(|choice| choice.key).collect::<Vec<_>>().join(", ");
            let words = format!("There is no {key} \"{unknown}\". There are: {there}.");
            wrong.push(FieldError::new(input_name(limit), words));
        }
        scope = scope.with(key, values.clone());
    }
    if wrong.is_empty() { Ok(scope) } else { Err(Error::Invalid(wrong)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_limits_what_it_names_and_nothing_else() {
        let scope = Scope::of_text("edition=2025,2026 section=asian");
        assert!(scope.allows("edition", "2026") && !scope.allows("edition", "2024"));
        assert!(scope.allows("section", "asian") && !scope.allows("section", "indian") && scope.allows("other", "x"));
        assert_eq!(scope.text(), "edition=2025,2026 section=asian");
        assert_eq!(scope.with("edition", BTreeSet::new()).text(), "section=asian");
        assert!(!Scope::of_text("").is_limited());
        let damaged = Scope::of_text("section");
        assert!(damaged.is_limited() && !damaged.allows("section", "asian"), "what cannot be read opens nothing");
    }
}
