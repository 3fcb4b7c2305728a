//! The query of a list of submissions: edition, status, search and filters, read from the query string, so that every list
//! can be linked to, paged through and exported.

use festival_core::Result;
use festival_core::admin::{Action, AdminRequest, Choice, ChosenEdition, Input, Resource};
use festival_core::db::{MAX_SEARCHED_WHOLE, Searched, Select, Test};
use festival_core::entity::Datum;
use festival_core::search_key;
use festival_core::settings::Settings;
use serde_json::{Map, Value};
use sqlx::AnyConnection;

use crate::description::FILM_FORMS;
use crate::payment_settings::Fees;
use crate::role::PEOPLE;
use crate::scope::{SECTIONS, within};
use crate::submissions::{PAYMENTS, PEOPLE_SEARCH_TEXT, SEARCH_TEXT, SubmissionKind, UNCLASSIFIED};

/// Values of the filter by flag, with their labels.
const FLAGS: &[(&str, &str)] = &[
    ("late", "late"),
    ("duplicate", "possible duplicate"),
    ("odd", "unusual entries"),
    ("over-long", "over-long texts"),
    ("declared-no", "declared No"),
    (AMOUNT, "amount differs"),
];

/// The flag of payments whose amount differs from what is due, for accounts that may see payments.
const AMOUNT: &str = "amount";

/// The query of a list.
pub(super) struct ListQuery {
    /// Selects the rows of any status.
    pub(super) of_any_status: Select,
    /// Selects the rows of the chosen status.
    pub(super) select: Select,
    /// Key of the chosen status; "" for any.
    pub(super) status: String,
    pub(super) search: String,
    pub(super) edition: ChosenEdition,
    pub(super) filters: Vec<Input>,
}

impl ListQuery {
    /// Returns the query for the audit log, without the search, which may be somebody's name.
    pub(super) fn for_audit(&self) -> Value {
        let filters = self.filters.iter().filter(|filter| !filter.value.is_empty());
        let filters = filters.map(|filter| (filter.name.clone(), Value::from(filter.value.as_str())));
        let mut query: Map<String, Value> = filters.collect();
        query.insert("edition".to_owned(), Value::from(self.edition.year.as_str()));
        query.insert("status".to_owned(), Value::from(self.status.as_str()));
        query.insert("searched".to_owned(), Value::from(!self.search.is_empty()));
        query.into()
    }

    /// Whether the list is narrowed by search, status or filter.
    pub(super) fn is_narrow(&self) -> bool {
        !self.search.is_empty() || !self.status.is_empty() || self.filters.iter().any(|filter| !filter.value.is_empty())
    }
}

/// Parses the query string of a request.
pub(super) async fn read(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    kind: &SubmissionKind,
) -> Result<ListQuery> {
    let query = &request.query;
    let scope = request.scope();
    let edition = ChosenEdition::read(request, connection, &scope).await?;
    let all = kind.select_quarantined(false).filter("edition_id", Test::Is, Datum::Integer(edition.id));
    let mut select = within(connection, &scope, kind, all.clone()).await?;
    let filters = filters(request, &*request.site.in_force_on(connection).await?, kind);
    for filter in filters.iter().filter(|filter| !filter.value.is_empty()) {
        select = apply_filter(kind, select, &filter.name, &filter.value);
    }
    let search: String = query.get("q").chars().take(200).collect();
    let long_columns = if search.is_empty() { &[] } else { long_columns(connection, kind, &all).await? };
    let may_view = |resource: &Resource| request.may(resource, Action::View);
    let of_any_status = search_in(select, kind, (&search, long_columns), may_view);
    let status = query.get("status");
    let status = kind.states.iter().find(|state| state.key == status).map_or("", |state| state.key);
    let mut select = of_any_status.clone();
    if !status.is_empty() {
        select = select.filter("status", Test::Is, Datum::Text(status.to_owned()));
    }
    Ok(ListQuery { of_any_status, select, status: status.to_owned(), search, edition, filters })
}

/// Returns the columns with long texts that a search of `all` covers: none if there are many submissions.
pub(super) async fn long_columns(
    connection: &mut AnyConnection,
    kind: &SubmissionKind,
    all: &Select,
) -> Result<&'static [&'static str]> {
    Ok(if all.count(connection).await? <= MAX_SEARCHED_WHOLE { kind.long_columns } else { &[] })
}

/// Narrows `select` to submissions with `text`, in any script, in short texts that `may_view` permits or
/// `long_columns`.
pub(super) fn search_in(
    select: Select,
    kind: &SubmissionKind,
    (text, long_columns): (&str, &[&'static str]),
    may_view: impl Fn(&Resource) -> bool,
) -> Select {
    let reference = reference(text);
    let text = reference.as_deref().unwrap_or(text);
    let may_see_people = may_view(&PEOPLE);
    let short = if may_see_people { PEOPLE_SEARCH_TEXT } else { SEARCH_TEXT };
    let personal_keys = if may_see_people { kind.personal_search_keys } else { &[] };
    let keys: Vec<&str> = kind.search_keys.iter().chain(personal_keys).map(|(column, _)| *column).collect();
    let columns = [&[short], long_columns].concat();
    let keys_of = search_key::keys_of_searched;
    let searched = Searched { columns: &columns, key_columns: &keys, keys: keys_of, index: kind.search_index };
    select.search(text, &searched)
}

/// The reference in a text that is written without hyphens or leading zeros: "del 2026 12" is DEL-2026-0012.
fn reference(text: &str) -> Option<String> {
    let plain: String = text.chars().filter(|letter| !matches!(letter, ' ' | '-')).collect();
    let (prefix, digits) = plain.split_at_checked(plain.find(|letter: char| letter.is_ascii_digit())?)?;
    let (year, number) = digits.split_at_checked(4)?;
    let is_reference = (1..=6).contains(&prefix.len()) && prefix.bytes().all(|letter| letter.is_ascii_alphabetic());
    let number: u32 = number.parse().ok().filter(|_| is_reference && year.starts_with("20"))?;
    Some(format!("{}-{year}-{number:04}", prefix.to_ascii_uppercase()))
}

fn filters(request: &AdminRequest, settings: &Settings, kind: &SubmissionKind) -> Vec<Input> {
    let filter = |name: &'static str, label: &'static str, choices: Vec<(String, String)>| {
        let present = request.query.get(name);
        let choices: Vec<Choice> = choices.into_iter().map(|(key, label)| Choice::new(key, label, present)).collect();
        let is_known = choices.iter().any(|choice| choice.chosen);
        Input::choice(name, label, choices).value(if is_known { present } else { "" })
    };
    let choice = |key: &str, label: &str| (key.to_owned(), label.to_owned());
    let mut filters = Vec::new();
    if kind.has_award() {
        let mut awards: Vec<_> = FILM_FORMS.iter().map(|form| choice(form.key, form.award_name())).collect();
        awards.push(choice(UNCLASSIFIED, "not known"));
        awards.retain(|(award, _)| request.scope().allows(SECTIONS, award));
        filters.push(filter("award", "Award", awards));
    }
    if kind.name == "delegate" {
        let memberships = Fees::of(settings).memberships;
        let memberships = memberships.iter().map(|membership| (membership.key.clone(), membership.label_in(settings)));
        filters.push(filter("category", "Category", memberships.collect()));
    }
    let may_see_payments = kind.has_payment() && request.may(&PEOPLE, Action::View);
    if may_see_payments {
        let payments = PAYMENTS.iter().map(|state| (state.key.to_owned(), state.label.to_lowercase()));
        filters.push(filter("payment", "Payment", payments.collect()));
    }
    if kind.has_payment() {
        let flags = FLAGS
            .iter()
            .filter(|(key, _)| kind.has_award() || !matches!(*key, "over-long" | "declared-no"))
            .filter(|(key, _)| may_see_payments || *key != AMOUNT);
        filters.push(filter("flag", "Flag", flags.map(|&(key, label)| choice(key, label)).collect()));
    }
    filters
}

fn apply_filter(kind: &SubmissionKind, select: Select, name: &str, value: &str) -> Select {
    let text = |text: &str| Datum::Text(text.to_owned());
    match (name, value) {
        ("award", award) => select.filter("award_category", Test::Is, text(award)),
        ("category", category) => select.filter("category_key", Test::Is, text(category)),
        ("payment", payment) => select.filter("payment", Test::Is, text(payment)),
        ("flag", "late") => select.filter("is_late", Test::Is, Datum::Integer(1)),
        ("flag", "duplicate") => select.filter("is_possible_duplicate", Test::Is, Datum::Integer(1)),
        ("flag", "odd") => select.filter("flagged", Test::IsNot, text("")),
        ("flag", "over-long") => select.filter("over_long", Test::IsNot, text("")),
        ("flag", AMOUNT) => select.filter(kind.amount_differs, Test::Is, Datum::Integer(1)),
        ("flag", _) => {
            let declared = select.filter("declared_feature_label", Test::Is, text("No"));
            declared.filter("is_first_or_second_feature", Test::IsNot, text("No"))
        }
        _ => select,
    }
}

#[cfg(test)]
mod tests {
    use super::reference;

    #[test]
    fn references_are_found_without_hyphens_and_leading_zeros() {
        for text in ["DEL-2026-0012", "del-2026-12", "DEL 2026 12", "del202612", "DEL-2026-012"] {
            assert_eq!(reference(text).as_deref(), Some("DEL-2026-0012"), "{text}");
        }
        for text in ["Asha", "2026-12", "K19", "anu1999@mail.example", "Hall 2", "DEL-2026-"] {
            assert_eq!(reference(text), None, "{text}");
        }
    }
}
