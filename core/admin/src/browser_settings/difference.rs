//! The differences between two states of the settings.

use serde::Serialize;

use super::value::{GroupValues, display_text};
use super::{Group, Item};
use festival_web::site::Site;

/// A changed setting.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// The path.
    pub path: &'static str,
    /// The label.
    pub label: &'static str,
    /// The value before, for display.
    pub before: String,
    /// The value after, for display.
    pub after: String,
}

/// Returns the settings in which two states differ.
pub fn differences(site: &Site, group: &Group, before: &GroupValues, after: &GroupValues) -> Vec<Difference> {
    let zone = &site.time_zone;
    let text = |values: &GroupValues, item: &Item| {
        values.get(item.path()).map(|value| display_text(item, value, zone)).unwrap_or_default()
    };
    let differing = group.items.iter().filter(|item| before.get(item.path()) != after.get(item.path()));
    differing
        .map(|item| Difference {
            path: item.path(),
            label: item.field.label,
            before: text(before, item),
            after: text(after, item),
        })
        .collect()
}
