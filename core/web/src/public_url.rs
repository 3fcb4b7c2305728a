//! Where visitors see a row: from its values to an address of the site.

use std::collections::BTreeMap;

use crate::page::DataDependency;
use crate::pattern::Pattern;
use crate::site::SiteContents;
use festival_records::entity::{Datum, Entity, Record, Values};

/// Where visitors see the rows of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublicUrl {
    /// At this address.
    At(&'static str),
    /// On the page that shows this API answer.
    With(&'static str),
}

impl PublicUrl {
    /// The part of a page that all rows are seen in: "venues" of "/#venues".
    pub fn fragment(self) -> Option<&'static str> {
        match self {
            Self::At(address) => address.split_once('#').map(|(_, fragment)| fragment),
            Self::With(_) => None,
        }
    }

    /// The address of a row without its fragment; none while something that it needs is empty.
    ///
    /// `values` is the row as people say it, `record` the row as it is stored.
    pub fn address(
        self,
        contents: &SiteContents,
        entity: &Entity,
        id: i64,
        (values, record): (&Values, &Record),
    ) -> Option<String> {
        let mut holes: BTreeMap<String, String> = BTreeMap::from([("id".to_owned(), id.to_string())]);
        for (field, datum) in entity.columns().zip(record) {
            if let (true, Datum::Integer(number)) = (field.column() != field.name, datum) {
                holes.insert(field.column(), number.to_string());
            }
            holes.insert(field.name.to_owned(), values.get(field.name).cloned().unwrap_or_default());
        }
        match self {
            Self::At(address) => fill(address.split('#').next().unwrap_or_default(), &holes),
            Self::With(answer) => {
                let answer = Pattern::fixed(&fill(answer, &holes)?);
                let shows =
                    |dependency: &DataDependency| matches!(dependency, DataDependency::One(shown) if *shown == answer);
                let page = contents.pages.iter().find(|page| contents.dependencies_of(page).any(shows))?;
                Some(page.path.for_openapi())
            }
        }
    }
}

/// `text` with its `{holes}` filled; none where one stays empty.
fn fill(text: &str, holes: &BTreeMap<String, String>) -> Option<String> {
    let mut filled = String::new();
    for (index, part) in text.split('{').enumerate() {
        if index == 0 {
            filled.push_str(part);
            continue;
        }
        let (name, rest) = part.split_once('}')?;
        let value = holes.get(name).filter(|value| !value.is_empty())?;
        filled.extend(form_urlencoded::byte_serialize(value.as_bytes()));
        filled.push_str(rest);
    }
    Some(filled)
}
