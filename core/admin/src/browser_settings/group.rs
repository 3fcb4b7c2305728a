//! Declaration of a settings group.

use crate::Resource;
use festival_records::entity::Field;

/// Settings that are changed together, on one page.
pub struct Group {
    /// Stable identifier in URLs and in the history: "fees".
    pub key: &'static str,
    /// The title of the page.
    pub label: &'static str,
    /// One or two sentences that introduce the settings.
    pub lead: &'static str,
    /// Who may see and change them.
    pub resource: &'static Resource,
    /// Whether the settings determine where money is paid to. If so, the page asks for the password, a change must be
    /// confirmed, and every owner is notified by mail.
    pub is_payment: bool,
    /// The settings.
    pub items: &'static [Item],
}

/// A setting of a group.
pub struct Item {
    /// Label and validation. Its name is the path of the setting in the file: "fees.film_submission_inr".
    pub field: Field,
    /// Whether it holds a single value, lines or rows.
    pub kind: ItemKind,
}

/// The kind of value that a setting holds.
#[derive(Clone, Copy)]
pub enum ItemKind {
    /// A single value.
    One,
    /// Several texts, one per line.
    Lines,
    /// Rows of these fields. A field called `key` is hidden: it is derived from the row's label once and never changes.
    Rows(&'static [Field]),
    /// Rows of these fields in two levels: a row can be nested below the previous top-level row.
    Tree(&'static [Field]),
}

/// Prefix of a group's key in the history.
pub(super) const HISTORY_PREFIX: &str = "settings/";

/// Name of the field that nests a row of a tree below another.
pub(crate) const BELOW: &str = "below";

impl Group {
    /// The key of its history.
    pub(super) fn history_key(&self) -> String {
        format!("{HISTORY_PREFIX}{}", self.key)
    }

    /// Returns the setting at `path`.
    pub fn item(&self, path: &str) -> Option<&'static Item> {
        self.items.iter().find(|item| item.path() == path)
    }
}

impl Item {
    /// Creates a setting with a single value.
    pub const fn one(field: Field) -> Self {
        Self { field, kind: ItemKind::One }
    }

    /// The path in the settings file.
    pub const fn path(&self) -> &'static str {
        self.field.name
    }

    /// The fields of its rows; empty without rows.
    pub fn columns(&self) -> &'static [Field] {
        match self.kind {
            ItemKind::Rows(fields) | ItemKind::Tree(fields) => fields,
            ItemKind::One | ItemKind::Lines => &[],
        }
    }
}
