//! From rows to the pages that show them, and back.

use std::collections::BTreeMap;

use super::SiteContents;
use crate::page::DataDependency;
use crate::pattern::{Params, Pattern};
use crate::public_url::PublicUrl;
use festival_records::entity::{Datum, Entity, Record, Values};

impl PublicUrl {
    /// Returns the path and query of a row, without the fragment; none while a field that it needs is empty, or if no
    /// page shows the row.
    ///
    /// `values` are the row's fields as the form has them, `record` those that are stored.
    pub fn address(
        self,
        contents: &SiteContents,
        entity: &Entity,
        id: i64,
        (values, record): (&Values, &Record),
    ) -> Option<String> {
        let mut parameters: BTreeMap<String, String> = BTreeMap::from([("id".to_owned(), id.to_string())]);
        for (field, datum) in entity.columns().zip(record) {
            if let (true, Datum::Integer(number)) = (field.column() != field.name, datum) {
                parameters.insert(field.column(), number.to_string());
            }
            parameters.insert(field.name.to_owned(), values.get(field.name).cloned().unwrap_or_default());
        }
        match self {
            Self::Address(address) => fill(address.split('#').next().unwrap_or_default(), &parameters),
            Self::OnPageShowing(response) => {
                let response = Pattern::fixed(&fill(response, &parameters)?);
                let shows =
                    |dependency: &DataDependency| matches!(dependency, DataDependency::One(path) if *path == response);
                let page = contents.pages.iter().find(|page| contents.dependencies_of(page).any(shows))?;
                Some(page.path.for_openapi())
            }
        }
    }

    /// Returns which rows of the entity the page at `path` with a `query` shows, as values of the address's
    /// placeholders: none for a page that shows all rows. `None` if it shows no row.
    pub fn shown_at(self, contents: &SiteContents, path: &str, query: &BTreeMap<String, String>) -> Option<Params> {
        match self {
            Self::Address(address) => {
                let address = address.split('#').next().unwrap_or_default();
                // A row named in a query is shown on several pages: a film on that of its category and on that of all
                // films.
                let Some((_, parameter)) = address.split_once('?') else { return Pattern::new(address).matches(path) };
                let (name, placeholder) = parameter.split_once('=')?;
                let field = placeholder.strip_prefix('{')?.strip_suffix('}')?;
                Some(Params::from([(field, query.get(name)?.clone())]))
            }
            Self::OnPageShowing(response) => {
                let (page, parameters) = contents.page_at(path)?;
                let response = Pattern::new(response);
                contents.dependencies_of(page).find_map(|dependency| match dependency {
                    DataDependency::One(shown) => response.matches(&shown.fill(&parameters)),
                    DataDependency::Each { .. } => None,
                })
            }
        }
    }
}

/// Replaces the `{placeholders}` in `text` by percent-encoded values; none if a value is missing or empty.
fn fill(text: &str, parameters: &BTreeMap<String, String>) -> Option<String> {
    let mut filled = String::new();
    for (index, part) in text.split('{').enumerate() {
        if index == 0 {
            filled.push_str(part);
            continue;
        }
        let (name, rest) = part.split_once('}')?;
        let value = parameters.get(name).filter(|value| !value.is_empty())?;
        filled.extend(form_urlencoded::byte_serialize(value.as_bytes()));
        filled.push_str(rest);
    }
    Some(filled)
}
