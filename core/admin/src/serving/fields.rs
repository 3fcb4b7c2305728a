//! The fields of a form or of a query.

use festival_records::entity::Values;

/// Fields of a form or query, in the order in which they were sent. A name may occur several times.
#[derive(Clone, Debug, Default)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// Returns the first value of `name`, or "".
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| key == name).map_or("", |(_, text)| text)
    }

    /// Returns all values of `name`: the ticked boxes of a list.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, text)| text.as_str())
    }

    /// Iterates over names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Whether the field `name` was sent.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(key, _)| key == name)
    }

    /// Returns every name with its first value, for [`Entity::parse`](festival_records::entity::Entity::parse).
    pub fn values(&self) -> Values {
        let mut values = Values::new();
        for (name, text) in &self.0 {
            values.entry(name.clone()).or_insert_with(|| text.clone());
        }
        values
    }

    /// Number of fields.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

impl FromIterator<(String, String)> for Fields {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(pairs: T) -> Self {
        Self(pairs.into_iter().collect())
    }
}
