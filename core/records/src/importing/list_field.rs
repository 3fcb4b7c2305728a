//! The fields that columns of a list fill.

use std::collections::BTreeSet;

use super::ID;
use super::values::is_blank;
use crate::entity::{Entity, Field, Kind, Reads};
use festival_base::text::is_missing;

/// The separator of a field whose day and time may be two columns.
pub(super) const BETWEEN_DAY_AND_TIME: &str = ", ";

/// A field that columns of a list fill.
#[derive(Clone, Copy, Debug)]
pub struct ListField {
    /// Its name, as in `--map`.
    pub name: &'static str,
    /// Its label.
    pub label: &'static str,
    /// How its cells are read.
    pub reads: Reads,
    /// The separator between the values of several columns; `None`: it has only one column.
    pub separator: Option<&'static str>,
    /// Whether every row needs a value.
    pub required: bool,
    /// Whether a column with its label or name is certainly about it.
    pub is_found_by_label: bool,
}

impl ListField {
    /// The field with the ids of stored rows.
    const ID: Self = Self {
        name: ID,
        label: "Id",
        reads: Reads::Written,
        separator: None,
        required: false,
        is_found_by_label: true,
    };

    /// A column of a list that is no field of an entity.
    pub const fn extra(name: &'static str, label: &'static str) -> Self {
        Self { name, label, is_found_by_label: false, ..Self::ID }
    }

    /// A field of an entity, read as it says.
    pub fn of(field: &Field) -> Self {
        let separator = match (field.reads, field.kind) {
            (Reads::Names | Reads::People | Reads::Countries | Reads::Languages, _)
            | (Reads::Written, Kind::Lines { .. }) => Some("\n"),
            (Reads::Credits, _) => Some(", "),
            (Reads::Paragraphs, _) => Some("\n\n"),
            (Reads::Written, Kind::Text { .. }) | (Reads::Minutes, _) => Some(" "),
            (Reads::Written, Kind::DateTime | Kind::LocalDateTime) => Some(BETWEEN_DAY_AND_TIME),
            _ => None,
        };
        let is_found_by_label = field.reads == Reads::Written;
        let Field { name, label, reads, required, .. } = *field;
        Self { name, label, reads, separator, required, is_found_by_label }
    }

    /// The fields of an entity as its exported lists have them.
    pub(super) fn exported(entity: &'static Entity) -> Vec<Self> {
        let written = |field: &Field| Self::of(&Field { reads: Reads::Written, ..*field });
        std::iter::once(Self::ID).chain(entity.columns().map(written)).collect()
    }

    /// The fields of an entity that people's lists fill: with the ids of rows, unless the entity says how its lists are
    /// read.
    pub(super) fn all_of(entity: &'static Entity) -> Vec<Self> {
        if entity.columns().all(|field| field.reads == Reads::Written) {
            return Self::exported(entity);
        }
        entity.columns().filter(|field| field.reads != Reads::Exported).map(Self::of).collect()
    }

    /// The headers that name it, whatever the list of names says. "Published" alone may be the year of publication.
    pub(super) fn labels(&self) -> impl Iterator<Item = &'static str> {
        let label = Some(self.label).filter(|_| self.reads != Reads::Flag);
        label.into_iter().chain([self.name])
    }

    /// Whether columns with the same header or numbered ones, `director.1`, are parts of one value.
    pub(super) fn is_list(&self) -> bool {
        self.separator.is_some() && !matches!(self.reads, Reads::Written | Reads::Paragraphs | Reads::Minutes)
    }

    /// Whether a cleaned cell has no value. A film may be called "None" or "Unknown", so fewer words count as missing in
    /// titles.
    pub(super) fn is_missing(&self, text: &str) -> bool {
        let is_title = matches!(self.reads, Reads::Title | Reads::OriginalTitle | Reads::Name);
        is_blank(text) || !is_title && is_missing(text)
    }
}

/// The letters and digits of a header, in which different spellings are equal.
fn letters(header: &str) -> impl Iterator<Item = char> {
    header.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// Whether a header is a label or a name of a field.
pub(super) fn is_label(header: &str, names: [&str; 2]) -> bool {
    names.iter().any(|name| letters(header).eq(letters(name)))
}

/// Finds the field that a header of an exported list means.
pub(super) fn exported_field(entity: &Entity, header: &str) -> Option<&'static str> {
    let named = |field: &&'static Field| is_label(header, [field.label, field.name]);
    if is_label(header, [ID, ID]) { Some(ID) } else { entity.columns().find(named).map(|field| field.name) }
}

/// Whether a header is that of an exported list: every column is known, and one has the ids, or all but the ids are
/// there.
pub(super) fn is_export(entity: &Entity, header: &[String]) -> bool {
    let fields: Option<BTreeSet<&str>> = header.iter().map(|header| exported_field(entity, header)).collect();
    fields.is_some_and(|fields| fields.contains(ID) || entity.columns().all(|field| fields.contains(field.name)))
}
