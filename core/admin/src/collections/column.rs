//! The columns of a list, their cells, and the statuses of rows.

use serde::Serialize;

use festival_base::db::Order;
use festival_records::entity::{Field, Kind};

/// Maximum length of a text in a list, in characters.
const MAX_CHARS: usize = 80;

/// A column that a list can show.
#[must_use]
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name in addresses and in what accounts choose, without blanks.
    pub key: &'static str,
    /// Its heading.
    pub label: &'static str,
    /// The order by it, ascending; `None` if it cannot be sorted by.
    pub order: Option<Order>,
    /// Whether it is shown if the account chose no columns.
    pub is_usual: bool,
    /// Whether it is always shown, after those that can be chosen.
    pub is_fixed: bool,
    /// Whether it has figures, which are right-aligned.
    pub is_figure: bool,
}

impl Column {
    /// A column that accounts can choose.
    pub const fn new(key: &'static str, label: &'static str, order: Option<Order>) -> Self {
        Self { key, label, order, is_usual: false, is_fixed: false, is_figure: false }
    }

    /// The column of a field.
    pub fn of(field: &'static Field, order: Option<Order>) -> Self {
        Self { is_figure: is_figure(field), ..Self::new(field.name, field.label, order) }
    }

    /// The same column, shown unless the account chose others.
    pub const fn usual(mut self, is_usual: bool) -> Self {
        self.is_usual = is_usual;
        self
    }

    /// The same column, with figures.
    pub const fn figures(mut self) -> Self {
        self.is_figure = true;
        self
    }
}

/// Whether the values of a field are figures.
pub(super) fn is_figure(field: &Field) -> bool {
    matches!(field.kind, Kind::Integer { .. } | Kind::Year)
}

/// The text on one line, shortened.
pub fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MAX_CHARS {
        return line;
    }
    line.chars().take(MAX_CHARS).chain(['…']).collect()
}

/// A cell for the template.
#[derive(Debug, Default, Serialize)]
pub struct Cell {
    /// The text.
    pub text: String,
    /// Whether it is a figure, which is right-aligned.
    pub figure: bool,
    /// Whether it is a point in time or a day.
    pub moment: bool,
    /// Whether it is a badge.
    pub is_badge: bool,
    /// The style of the badge: "good", "bad", "soon", or "" for a plain one.
    pub tone: &'static str,
    /// Why the text stands out, for those who cannot see that it does.
    pub difference: Option<String>,
    /// Warnings, each a badge.
    pub flags: Vec<String>,
}

impl Cell {
    /// A plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The value of a field, which is shortened. A flag is a badge.
    pub fn of(field: &Field, text: &str) -> Self {
        Self {
            figure: is_figure(field),
            moment: matches!(field.kind, Kind::Date | Kind::DateTime | Kind::LocalDateTime),
            is_badge: matches!(field.kind, Kind::Flag),
            ..Self::text(shortened(text))
        }
    }
}

/// A status of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The stored value.
    pub key: &'static str,
    /// The text that organisers read.
    pub label: &'static str,
    /// What it means, as the style of its badge: "good", "bad", or "" for neither.
    pub tone: &'static str,
}

/// The label of the status `key`, or the key itself if no status has it.
pub fn label_of(states: &[State], key: &str) -> String {
    states.iter().find(|state| state.key == key).map_or(key, |state| state.label).to_owned()
}

/// The tone of the status `key`; "" if no status has it.
pub fn tone_of(states: &[State], key: &str) -> &'static str {
    states.iter().find(|state| state.key == key).map_or("", |state| state.tone)
}
