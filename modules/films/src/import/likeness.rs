//! Whether two descriptions are of the same film.

use festival_core::importing::RowValues;
use festival_core::importing::likeness::{fold, fold_people};

use super::fields::{CATEGORY, DIRECTOR, NAME, YEAR};

/// The identity of a film within an edition: category, title, directors and year. A film in two categories is listed
/// twice, and remakes share a title.
pub(super) fn match_key(film: &RowValues) -> String {
    let text = |field: &str| &film[field];
    // Folding removes control characters, so one can separate the parts.
    [&*fold(text(CATEGORY)), &fold(text(NAME)), &fold_people(text(DIRECTOR)), text(YEAR)].join("\u{1f}")
}

/// Whether each word of a folded text equals that of the other but for one letter or a quarter of its letters. Texts
/// with different numbers of words are not compared word by word.
pub(super) fn are_words_alike(left: &str, right: &str) -> bool {
    let is_corrected = |(left, right): (&str, &str)| {
        let longer = left.chars().count().max(right.chars().count());
        strsim::damerau_levenshtein(left, right) <= (longer / 4).max(1)
    };
    let (left, right) = (any_ascii::any_ascii(left).to_lowercase(), any_ascii::any_ascii(right).to_lowercase());
    let (left, right): (Vec<&str>, Vec<&str>) = (left.split(' ').collect(), right.split(' ').collect());
    left.len() != right.len() || left.into_iter().zip(right).all(is_corrected)
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
pub(super) fn compare_directors(left: Option<&str>, right: Option<&str>) -> Likeness {
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
