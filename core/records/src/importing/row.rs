//! The rows of a list in little memory: one may have a hundred thousand, and they are kept until the import is written.

use std::collections::{BTreeMap, HashSet};
use std::ops::Index;
use std::sync::Arc;

use festival_base::texts::Texts;

/// The column of exported lists with the id of the row.
pub const ID: &str = "id";

/// A row of a parsed table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The line in the file where it begins, from 1.
    pub line: u64,
    /// The id of the stored row that it changes; `None`: a new row, or [`super::Reader::match_rows`] decides.
    pub id: Option<i64>,
    /// Its values by field. A field that is missing here stays unchanged.
    pub values: RowValues,
}

/// The values of a row by field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowValues {
    /// In their order; rows with values for the same fields share them.
    fields: Arc<[&'static str]>,
    values: Texts,
}

impl RowValues {
    /// The value of a field; `None` if the row has none.
    pub fn get(&self, field: &str) -> Option<&str> {
        self.values.get(self.fields.binary_search(&field).ok()?)
    }

    /// Whether the row has a value for a field, if only an empty one.
    pub fn contains_key(&self, field: &str) -> bool {
        self.fields.binary_search(&field).is_ok()
    }

    /// The fields with their values, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.fields.iter().copied().zip(self.values.iter())
    }

    /// Sets the value of a field.
    pub fn insert(&mut self, field: &'static str, value: String) {
        let mut values: BTreeMap<&'static str, String> =
            self.iter().map(|(field, value)| (field, value.to_owned())).collect();
        values.insert(field, value);
        *self = values.into_iter().collect();
    }

    /// Removes the value of a field.
    pub fn remove(&mut self, field: &str) {
        let values = self.iter().filter(|(name, _)| *name != field);
        *self = values.map(|(field, value)| (field, value.to_owned())).collect();
    }
}

impl Index<&str> for RowValues {
    type Output = str;

    /// The value of a field; "" if the row has none.
    fn index(&self, field: &str) -> &str {
        self.get(field).unwrap_or_default()
    }
}

impl FromIterator<(&'static str, String)> for RowValues {
    fn from_iter<T: IntoIterator<Item = (&'static str, String)>>(values: T) -> Self {
        RowPacker::default().pack(&values.into_iter().collect())
    }
}

/// Packs the values of many rows.
#[derive(Debug, Default)]
pub struct RowPacker {
    fields: HashSet<Arc<[&'static str]>>,
}

impl RowPacker {
    /// Packs the values of a row.
    pub fn pack(&mut self, values: &BTreeMap<&'static str, String>) -> RowValues {
        let fields: Vec<&'static str> = values.keys().copied().collect();
        let fields = match self.fields.get(&*fields) {
            Some(known) => known.clone(),
            None => {
                let fields: Arc<[&'static str]> = fields.into();
                self.fields.insert(fields.clone());
                fields
            }
        };
        RowValues { fields, values: values.values().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_field_and_fields_are_shared() {
        let mut packer = RowPacker::default();
        let values = |name: &str| BTreeMap::from([("name", name.to_owned()), ("country", String::new())]);
        let (first, mut second) = (packer.pack(&values("നദി")), packer.pack(&values("River")));
        assert!(Arc::ptr_eq(&first.fields, &second.fields));
        assert_eq!([first.get("name"), first.get("country"), first.get("year")], [Some("നദി"), Some(""), None]);
        second.insert("year", "2025".to_owned());
        second.insert("name", "Hill".to_owned());
        let all: Vec<_> = second.iter().collect();
        assert_eq!(all, [("country", ""), ("name", "Hill"), ("year", "2025")]);
        assert_eq!((&second["year"], &second["language"]), ("2025", ""));
        assert!(first != second && first.clone() == packer.pack(&values("നദി")));
        second.remove("name");
        assert_eq!((second.get("name"), second.get("year")), (None, Some("2025")));
    }
}
