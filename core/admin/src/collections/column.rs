//! The columns of a list.

use festival_base::db::Order;
use festival_records::entity::{Field, Kind};

/// Maximum length of a text in a list, in characters.
const MAX_CHARS: usize = 80;

/// A column that a list can show.
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
    #[must_use]
    pub const fn usual(mut self, is_usual: bool) -> Self {
        self.is_usual = is_usual;
        self
    }

    /// The same column, with figures.
    #[must_use]
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
