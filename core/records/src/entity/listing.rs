//! What a list of rows is asked for, and what it answers. The SQL is in [`super::table`].

use std::collections::BTreeMap;

use super::{Datum, Entity, Field, Kind, Record};

/// Which rows of an entity, in which order, from where to where.
#[derive(Clone, Debug)]
pub struct Listing {
    /// Rows of this edition only; `None`: of all, or of an entity that belongs to none.
    pub edition: Option<i64>,
    /// Words that one of the searched fields holds; empty: all rows.
    pub search: String,
    /// Fields that must hold exactly this; [`Datum::Null`]: that must be empty.
    pub filters: Vec<(&'static Field, Datum)>,
    /// The field that orders the rows and whether it runs downwards; `None`: the entity's own order.
    pub sort: Option<(&'static Field, bool)>,
    /// How many rows to pass over.
    pub offset: i64,
    /// How many rows to answer at most.
    pub limit: i64,
}

impl Listing {
    /// The first `limit` rows in the entity's own order.
    pub const fn first(limit: i64) -> Self {
        Self { edition: None, search: String::new(), filters: Vec::new(), sort: None, offset: 0, limit }
    }
}

/// A row of a list.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its id.
    pub id: i64,
    /// What it holds; references are ids.
    pub record: Record,
    /// What the rows that it refers to are called, by field.
    pub names: BTreeMap<&'static str, String>,
    /// When it was last written, as stored.
    pub updated_at: String,
}

/// A page of rows.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The rows.
    pub rows: Vec<Listed>,
    /// How many there are on all pages.
    pub total: i64,
}

/// A row that a reference may name.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Its id.
    pub id: i64,
    /// What a form or a spreadsheet says for it: its key.
    pub key: String,
    /// What people call it.
    pub name: String,
}

/// At most so many fields are searched: each costs a look at every row.
const SEARCHED: usize = 4;

impl Entity {
    /// The field that people know a row by.
    pub fn title(&self) -> &'static Field {
        let text = self.fields.iter().find(|field| matches!(field.kind, Kind::Text { .. }));
        text.or_else(|| self.key.first().and_then(|name| self.field(name))).unwrap_or(&self.fields[0])
    }

    /// The fields that a search looks at.
    pub fn searched(&self) -> impl Iterator<Item = &'static Field> {
        let short =
            |kind: &Kind| matches!(kind, Kind::Text { .. } | Kind::Slug | Kind::Email | Kind::Phone | Kind::Link);
        self.columns().filter(move |field| short(&field.kind)).take(SEARCHED)
    }

    /// The order of rows where nobody asks for another: as placed, else the latest first, else by name.
    pub fn own_order(&self) -> (&'static Field, bool) {
        if let Some(position) = self.field("position") {
            return (position, false);
        }
        let when = self.columns().find(|field| matches!(field.kind, Kind::DateTime | Kind::Date | Kind::Year));
        when.map_or_else(|| (self.title(), false), |field| (field, true))
    }
}
