//! The part of the data about people that an account is limited to.
//!
//! Core stores keys with values and knows editions. Modules register further keys ("section") with `Registry::scope`
//! and filter what they show.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sqlx::AnyConnection;

use crate::serving::fields::Fields;
use crate::serving::input::{Choice, Input};
use festival_base::error::{Error, FieldError, Result};
use festival_records::edition::EDITION;
use festival_records::entity::table;

/// The key of editions; their values are years.
pub const EDITIONS: &str = "edition";

/// Allowed values by key. A key that is absent limits nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope(BTreeMap<String, BTreeSet<String>>);

impl Scope {
    /// Parses the stored form: "edition=2025,2026 section=asian".
    pub fn parse(text: &str) -> Self {
        let limit = |part: &str| {
            let (key, values) = part.split_once('=').unwrap_or((part, ""));
            let values = values.split(',').filter(|value| !value.is_empty()).map(str::to_owned);
            (key.to_owned(), values.collect())
        };
        Self(text.split_whitespace().map(limit).collect())
    }

    /// Formats the scope as it is stored.
    pub fn text(&self) -> String {
        let part = |(key, values): (&String, &BTreeSet<String>)| {
            format!("{key}={}", values.iter().map(String::as_str).collect::<Vec<_>>().join(","))
        };
        self.0.iter().map(part).collect::<Vec<_>>().join(" ")
    }

    /// Whether the account is limited at all.
    pub fn is_limited(&self) -> bool {
        !self.0.is_empty()
    }

    /// Returns the allowed values of `key`; `None` if all are allowed.
    pub fn values(&self, key: &str) -> Option<&BTreeSet<String>> {
        self.0.get(key)
    }

    /// Whether a value of `key` is allowed.
    pub fn allows(&self, key: &str, value: &str) -> bool {
        self.values(key).is_none_or(|values| values.contains(value))
    }

    /// Replaces the values of `key`; an empty set removes the limit.
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

/// The values that a limit offers.
enum LimitValues {
    /// The years of the editions.
    Editions,
    /// A fixed list of values with labels.
    Fixed(Vec<(String, String)>),
}

/// A criterion by which accounts can be limited.
pub struct Limit {
    /// Stable identifier without blanks, "=" and ",".
    pub key: &'static str,
    /// The label on screens.
    pub label: &'static str,
    values: LimitValues,
}

impl Limit {
    /// Creates a limit with a fixed list of values and labels.
    pub fn fixed(key: &'static str, label: &'static str, values: Vec<(String, String)>) -> Self {
        Self { key, label, values: LimitValues::Fixed(values) }
    }

    /// Returns the values to choose from, with those of `scope` chosen. A value of `scope` that no longer exists is
    /// offered too: otherwise saving the form would silently remove the limit.
    async fn choices(&self, connection: &mut AnyConnection, scope: &Scope) -> Result<Vec<Choice>> {
        let allowed = scope.values(self.key);
        let mut choices: Vec<Choice> = match &self.values {
            LimitValues::Editions => {
                let editions = table::choices(connection, &EDITION, None).await?;
                editions.into_iter().map(|edition| Choice::new(edition.key, edition.name, "")).collect()
            }
            LimitValues::Fixed(values) => values.iter().map(|(value, label)| Choice::new(value, label, "")).collect(),
        };
        for value in allowed.into_iter().flatten() {
            if !choices.iter().any(|choice| choice.key == *value) {
                choices.push(Choice::new(value, value, ""));
            }
        }
        for choice in &mut choices {
            choice.chosen = allowed.is_some_and(|values| values.contains(&choice.key));
        }
        Ok(choices)
    }
}

/// Returns the limit to editions.
pub(crate) fn editions() -> Limit {
    Limit { key: EDITIONS, label: "Editions", values: LimitValues::Editions }
}

/// The name of the form field of a limit.
fn input_name(limit: &Limit) -> String {
    format!("scope.{}", limit.key)
}

/// Returns the inputs of a form for the `limits` that an account can have.
pub(crate) async fn inputs(limits: &[Arc<Limit>], connection: &mut AnyConnection, scope: &Scope) -> Result<Vec<Input>> {
    let mut inputs = Vec::new();
    for limit in limits {
        let choices = limit.choices(connection, scope).await?;
        let hint = "If none is ticked, all are allowed. A limited account sees only this part.";
        inputs.push(Input { choices, ..Input::new("checks", input_name(limit), limit.label).hint(hint) });
    }
    Ok(inputs)
}

/// Reads the ticked values of such a form, by key.
pub(crate) fn from_form(limits: &[Arc<Limit>], form: &Fields) -> BTreeMap<String, BTreeSet<String>> {
    let ticked = |limit: &Limit| form.all(&input_name(limit)).map(str::to_owned).collect();
    limits.iter().map(|limit| (limit.key.to_owned(), ticked(limit))).collect()
}

/// Returns `before` with the values of `changes` replaced.
///
/// # Errors
/// [`Error::Invalid`] at the inputs of unknown keys and values.
pub async fn apply(
    limits: &[Arc<Limit>],
    connection: &mut AnyConnection,
    before: &Scope,
    changes: &BTreeMap<String, BTreeSet<String>>,
) -> Result<Scope> {
    let mut errors = Vec::new();
    let mut scope = before.clone();
    for (key, values) in changes {
        let Some(limit) = limits.iter().find(|limit| limit.key == key) else {
            let keys = limits.iter().map(|limit| limit.key).collect::<Vec<_>>().join(", ");
            errors.push(FieldError::new("limit", format!("There is no limit \"{key}\". Valid limits: {keys}.")));
            continue;
        };
        let choices = limit.choices(connection, before).await?;
        if let Some(unknown) = values.iter().find(|value| !choices.iter().any(|choice| choice.key == **value)) {
            let valid = choices.into_iter().map(|choice| choice.key).collect::<Vec<_>>().join(", ");
            let message = format!("There is no {key} \"{unknown}\". Valid values: {valid}.");
            errors.push(FieldError::new(input_name(limit), message));
        }
        scope = scope.with(key, values.clone());
    }
    if errors.is_empty() { Ok(scope) } else { Err(Error::Invalid(errors)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scope_limits_only_the_keys_that_it_names() {
        let scope = Scope::parse("edition=2025,2026 section=asian");
        assert!(scope.allows("edition", "2026") && !scope.allows("edition", "2024"));
        assert!(scope.allows("section", "asian") && !scope.allows("section", "indian") && scope.allows("other", "x"));
        assert_eq!(scope.text(), "edition=2025,2026 section=asian");
        assert_eq!(scope.with("edition", BTreeSet::new()).text(), "section=asian");
        assert!(!Scope::parse("").is_limited());
        let damaged = Scope::parse("section");
        assert!(damaged.is_limited() && !damaged.allows("section", "asian"), "a damaged limit allows nothing");
    }
}
