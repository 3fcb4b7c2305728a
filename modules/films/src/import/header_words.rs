//! The words in headers of film lists, from `headers.txt`, which can be edited without programming.

use std::sync::LazyLock;

use festival_core::importing::HeaderNames;
use festival_core::importing::likeness::header_words;

/// Headers of columns with personal data, which are not imported.
pub(super) const PERSONAL: &str = "personal";
/// Words that mark any header containing them as one of personal data.
pub(super) const PERSONAL_WORDS: &str = "personal words";
/// Headers of columns that hold the language of the subtitles, or whether there are any.
pub(super) const SUBTITLES: &str = "subtitles";
/// Headers of columns that say whether the site shows a film.
pub(super) const PUBLISHED: &str = "published";
/// Cells that mean that it does.
pub(super) const PUBLIC: &str = "public";
/// Cells that mean that it does not.
pub(super) const DRAFT: &str = "draft";
/// Cells that mean that there are, or are not, any subtitles.
pub(super) const YES_OR_NO: &str = "yes or no";
/// Words that do not help to identify the field.
pub(super) const NO_MEANING: &str = "no meaning";
/// Headers of titles that may as well name something else.
pub(super) const ANY_NAME: &str = "any name";
/// Words for a title next to the name of a language.
pub(super) const TITLE: &str = "title";
/// Languages that occur before or after the word for a title.
pub(super) const LANGUAGES: &str = "languages";
/// The language of the displayed title, of synopses and all other texts.
pub(super) const SHOWN_LANGUAGE: &str = "shown language";
/// Titles in English: another title next to them is the original one.
pub(super) const ENGLISH_TITLE: &str = "english title";

static NAMES: LazyLock<HeaderNames> = LazyLock::new(|| HeaderNames::parse(include_str!("headers.txt")));

/// The names in the lines of a section, in the order of the file.
pub(super) fn names(section: &str) -> impl Iterator<Item = &'static str> {
    NAMES.of(section)
}

/// The sections of the file, each as often as it has lines.
#[cfg(test)]
pub(super) fn sections() -> impl Iterator<Item = &'static str> {
    NAMES.sections()
}

/// Folds a word of the file, or of a cell that is compared with it.
pub(super) fn fold_word(word: &str) -> String {
    header_words(word).concat()
}

/// The words of a section, folded as headers are for comparison.
pub(super) fn folded_words(section: &str) -> Vec<String> {
    names(section).map(fold_word).collect()
}
