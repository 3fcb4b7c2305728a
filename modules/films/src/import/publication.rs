//! Whether the site shows a film, as lists say it.

use std::sync::LazyLock;

use super::header_words::{DRAFT, PUBLIC, fold_word, folded_words};

/// The words for films that it shows, folded.
static PUBLIC_WORDS: LazyLock<Vec<String>> = LazyLock::new(|| folded_words(PUBLIC));
/// The words for films that it does not show.
static DRAFT_WORDS: LazyLock<Vec<String>> = LazyLock::new(|| folded_words(DRAFT));

/// Whether a folded text is one of these words.
pub(super) fn is_word(folded: &String) -> bool {
    PUBLIC_WORDS.contains(folded) || DRAFT_WORDS.contains(folded)
}

/// "yes" or "no" for the words that lists have for it; any other text as it is.
pub(super) fn normalized(cell: &str) -> String {
    let word = fold_word(cell);
    match () {
        () if PUBLIC_WORDS.contains(&word) => "yes".to_owned(),
        () if DRAFT_WORDS.contains(&word) => "no".to_owned(),
        () => cell.to_owned(),
    }
}
