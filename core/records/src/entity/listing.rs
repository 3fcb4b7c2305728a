//! The rows of lists, and the fields that lists search and order by. The SQL is in [`super::table`].

use std::collections::BTreeMap;

use super::{Entity, Field, Kind, Record};

/// A row of a list.
#[derive(Clone, Debug, Default)]
pub struct ListedRow {
    /// Row id.
    pub id: i64,
    /// Its values; references are ids.
    pub record: Record,
    /// The titles of the rows that it refers to, by field.
    pub names: BTreeMap<&'static str, String>,
    /// The keys of these rows, by field.
    pub keys: BTreeMap<&'static str, String>,
    /// When it was last updated, as stored.
    pub updated_at: String,
    /// When it will be published, as stored; `None` if that is not scheduled.
    pub publish_at: Option<String>,
}

/// A row that a reference may refer to.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Row id.
    pub id: i64,
    /// Its key, which forms and spreadsheets refer to it by.
    pub key: String,
    /// Its title.
    pub name: String,
}

/// Maximum number of fields that a search in a long list compares: for each of them it reads every row.
const MAX_SEARCHABLE: usize = 4;

impl Entity {
    /// The field that people recognise a row by: the first line of text, or else the key.
    pub fn title(&self) -> &'static Field {
        let text = self.fields.iter().find(|field| matches!(field.kind, Kind::Text { .. }));
        text.or_else(|| self.key.first().and_then(|name| self.field(name))).unwrap_or(&self.fields[0])
    }

    /// The fields that a search in a long list compares: the first short ones.
    pub fn searchable(&self) -> impl Iterator<Item = &'static Field> {
        let is_short =
            |kind: &Kind| matches!(kind, Kind::Text { .. } | Kind::Slug | Kind::Email | Kind::Phone | Kind::Link);
        self.columns().filter(move |field| is_short(&field.kind)).take(MAX_SEARCHABLE)
    }

    /// The fields that hold text, short or long.
    pub fn texts(&self) -> impl Iterator<Item = &'static Field> + Clone {
        let is_text = |kind: &Kind| {
            matches!(
                kind,
                Kind::Text { .. }
                    | Kind::Lines { .. }
                    | Kind::Html
                    | Kind::AlternativeText
                    | Kind::Slug
                    | Kind::Email
                    | Kind::Phone
                    | Kind::Link
                    | Kind::Url
            )
        };
        self.columns().filter(move |field| is_text(&field.kind))
    }

    /// The order of lists by default, as a field and whether descending: by position, else the latest first, else by
    /// title.
    pub fn default_order(&self) -> (&'static Field, bool) {
        if let Some(position) = self.field("position") {
            return (position, false);
        }
        let time = self.columns().find(|field| matches!(field.kind, Kind::DateTime | Kind::Date | Kind::Year));
        time.map_or_else(|| (self.title(), false), |field| (field, true))
    }
}
