//! A cell of a list.

use serde::Serialize;

use super::column::{is_figure, shortened};
use festival_records::entity::{Field, Kind};

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
