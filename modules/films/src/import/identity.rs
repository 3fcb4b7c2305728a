//! The properties by which films are recognised: id, section, titles, directors and year.

use std::sync::Arc;

use festival_core::importing::RowValues;
use festival_core::importing::likeness::{fold_people, fold_title};
use festival_core::texts::Texts;

use super::fields::{DIRECTOR, NAME, ORIGINAL_TITLE, YEAR};

/// The properties by which a film is recognised, folded.
#[derive(Debug, Clone)]
pub(super) struct Identity {
    /// Its own id, or the one that the list names.
    pub(super) id: Option<i64>,
    pub(super) section: Arc<str>,
    pub(super) year: Option<i64>,
    /// The displayed title as it is spelled; then folded, the director, "" if there is none, and the titles.
    texts: Texts,
}

impl Identity {
    /// The identity of a film with these titles, the displayed one first, in the section with this folded name.
    pub(super) fn new(titles: [Option<&str>; 2], director: Option<&str>, year: Option<i64>, section: Arc<str>) -> Self {
        let name = titles[0].unwrap_or_default().to_owned();
        let mut titles: Vec<String> = titles.into_iter().flatten().map(fold_title).collect();
        titles.dedup();
        let director = director.map(fold_people).unwrap_or_default();
        Self { id: None, section, year, texts: [name, director].into_iter().chain(titles).collect() }
    }

    /// The identity of a film with these values.
    pub(super) fn of_values(values: &RowValues, section: Arc<str>) -> Self {
        let text = |field: &str| values.get(field).filter(|text| !text.is_empty());
        let year = text(YEAR).and_then(|year| year.parse().ok());
        Self::new([NAME, ORIGINAL_TITLE].map(text), text(DIRECTOR), year, section)
    }

    pub(super) fn with_id(self, id: Option<i64>) -> Self {
        Self { id, ..self }
    }

    /// The displayed title as it is spelled.
    pub(super) fn name(&self) -> &str {
        &self.texts[0]
    }

    /// The directors, folded.
    pub(super) fn director(&self) -> Option<&str> {
        Some(&self.texts[1]).filter(|names| !names.is_empty())
    }

    /// Displayed and original title, folded.
    pub(super) fn titles(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().skip(2)
    }

    /// Whether they have a title in common.
    pub(super) fn shares_title(&self, other: &Self) -> bool {
        self.titles().any(|title| other.titles().any(|other| other == title))
    }

    pub(super) fn compare_directors(&self, other: &Self) -> Likeness {
        compare_directors(self.director(), other.director())
    }

    pub(super) fn compare_years(&self, other: &Self) -> Years {
        match (self.year, other.year) {
            (Some(left), Some(right)) if left == right => Years::Same,
            (Some(left), Some(right)) if left.abs_diff(right) == 1 => Years::Near,
            (Some(_), Some(_)) => Years::Apart,
            _ => Years::Unknown,
        }
    }
}

/// How far the years of two films are apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Years {
    Same,
    /// One year apart.
    Near,
    Apart,
    Unknown,
}

/// How similar the directors of two films are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    /// The same names.
    Same,
    /// A corrected spelling, or one more name.
    Similar,
    /// One of the films has no director.
    Unknown,
    Different,
}

impl Likeness {
    pub(super) fn is_close(self) -> bool {
        matches!(self, Self::Same | Self::Similar)
    }
}

/// Compares the directors of two films, folded by [`fold_people`].
fn compare_directors(left: Option<&str>, right: Option<&str>) -> Likeness {
    let (Some(left), Some(right)) = (left, right) else {
        return Likeness::Unknown;
    };
    if left == right {
        return Likeness::Same;
    }
    let contains = |many: &str, few: &str| few.split(' ').all(|word| many.split(' ').any(|other| other == word));
    let is_alike = strsim::normalized_damerau_levenshtein(left, right) >= 0.8;
    let (ascii_left, ascii_right) = (any_ascii::any_ascii(left), any_ascii::any_ascii(right));
    let is_transliterated = (!left.is_ascii() || !right.is_ascii())
        && strsim::normalized_damerau_levenshtein(&ascii_left.to_lowercase(), &ascii_right.to_lowercase()) >= 0.8;
    if is_alike || is_transliterated || contains(right, left) || contains(left, right) {
        Likeness::Similar
    } else {
        Likeness::Different
    }
}
