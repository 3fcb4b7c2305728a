//! What a page of settings is.

use crate::Resource;
use festival_records::entity::Field;

/// Settings that are changed together, on one page.
pub struct Group {
    /// Stable word, in addresses and in the history: "fees".
    pub key: &'static str,
    /// The words for people.
    pub label: &'static str,
    /// A sentence or two: what they do.
    pub lead: &'static str,
    /// Who may see and change them.
    pub resource: &'static Resource,
    /// Whether money goes where they say: the password is asked for, the change is shown before it is made, and every
    /// owner gets a mail.
    pub is_payment: bool,
    /// The settings.
    pub items: &'static [Item],
}

/// A setting of a group.
pub struct Item {
    /// The words for people, the rule. Its name is the setting's path in the file: "fees.film_submission_inr".
    pub field: Field,
    /// One value or many.
    pub shape: Shape,
}

/// How many values a setting holds.
#[derive(Clone, Copy)]
pub enum Shape {
    /// One.
    One,
    /// Several texts, each on a line of its own.
    Lines,
    /// Rows of these fields. A field called `key` is not shown: it is made from the row's label and never changes.
    Rows(&'static [Field]),
    /// Rows of these fields in two levels: a row may stand below the one before it.
    Tree(&'static [Field]),
}

/// What the names of groups begin with in the history.
pub(super) const GROUPS: &str = "settings/";

/// The field that says of a row of a tree that it stands below another.
pub(crate) const BELOW: &str = "below";

impl Group {
    /// What its history is kept under.
    pub(super) fn history_key(&self) -> String {
        format!("{GROUPS}{}", self.key)
    }

    /// The setting at `path`.
    pub fn item(&self, path: &str) -> Option<&'static Item> {
        self.items.iter().find(|item| item.path() == path)
    }
}

impl Item {
    /// A setting with one value.
    pub const fn one(field: Field) -> Self {
        Self { field, shape: Shape::One }
    }

    /// Its path in the file.
    pub const fn path(&self) -> &'static str {
        self.field.name
    }

    /// The fields of its rows, where it has rows.
    pub fn columns(&self) -> &'static [Field] {
        match self.shape {
            Shape::Rows(fields) | Shape::Tree(fields) => fields,
            Shape::One | Shape::Lines => &[],
        }
    }
}
