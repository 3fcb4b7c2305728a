//! Declaration of a settings group.

use serde::Serialize;

use crate::Resource;
use festival_base::error::Result;
use festival_base::settings::Settings;
use festival_mail::Template;
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
    /// For settings of which a mistake, or somebody with bad intentions, would cost much: the page asks for the
    /// password, a change must be confirmed, and every owner is notified by mail.
    pub confirmation: Option<&'static Confirmation>,
    /// The settings.
    pub items: &'static [Item],
}

/// How changes of a group are confirmed, and what the confirmation page shows.
pub struct Confirmation {
    /// The title of the page on which a change is confirmed.
    pub title: &'static str,
    /// What to compare before confirming, as a sentence.
    pub lead: &'static str,
    /// What the next page shows, for the form: "the changes and the new QR code".
    pub next: &'static str,
    /// The name of the picture, as in "New QR code" and "Current QR code".
    pub picture: &'static str,
    /// Shown in place of the picture where there is none, as a sentence.
    pub without_picture: &'static str,
    /// Draws what visitors see of the settings; `None` where there is nothing to see.
    pub illustration: fn(&Settings) -> Result<Option<Illustration>>,
    /// The mail to the owners, of the kind [`OWNER_NOTICE`](festival_mail::OWNER_NOTICE). Its variables are `festival`,
    /// `short_name`, `who`, `email`, `changes`, `when`, `network`, `history` and `accounts`.
    pub mail: &'static Template,
}

/// A picture of what visitors see of settings, with what to check in it.
#[derive(Serialize)]
pub struct Illustration {
    /// The picture, as a `data:` URL.
    pub picture: String,
    /// The alternative text of the picture.
    pub alt: String,
    /// What to do with the picture; a list of `facts` follows.
    pub caption: &'static str,
    /// What to check.
    pub facts: Vec<String>,
    /// What follows the list.
    pub note: &'static str,
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
    /// Several texts, one per line; of a field with choices, those that are ticked.
    Lines,
    /// Rows of these fields. A field called `key` is hidden: it is derived from the row's label once and never changes.
    Rows(&'static [Field]),
    /// Rows of these fields in two levels: a row can be nested below the previous top-level row.
    Tree(&'static [Field]),
}

/// Path of the list of groups.
pub(crate) const HOME: &str = "/admin/settings";

/// Prefix of a group's key in the history.
pub(super) const HISTORY_PREFIX: &str = "settings/";

/// Name of the field that nests a row of a tree below another.
pub(crate) const BELOW: &str = "below";

impl Group {
    /// The path of its page.
    pub(crate) fn path(&self) -> String {
        format!("{HOME}/{}", self.key)
    }

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
