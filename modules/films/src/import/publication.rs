//! Cells that say whether the site shows a film.

use std::sync::LazyLock;

use super::header_words::{DRAFT, PUBLIC, fold_word, folded_words};

/// Words for published films, folded.
static PUBLIC_WORDS: LazyLock<Vec<String>> = LazyLock::new(|| folded_words(PUBLIC));
/// Words for films that are not published, folded.
static DRAFT_WORDS: LazyLock<Vec<String>> = LazyLock::new(|| folded_words(DRAFT));

/// Whether a folded text is one of these words.
pub(super) fn is_word(folded: &String) -> bool {
    PUBLIC_WORDS.contains(folded) || DRAFT_WORDS.contains(folded)
}

/// Converts the words of lists to "yes" or "no"; returns any other text as it is.
pub(super) fn normalized(cell: &str) -> String {
    let word = fold_word(cell);
    match () {
        () if PUBLIC_WORDS.contains(&word) => "yes".to_owned(),
        () if DRAFT_WORDS.contains(&word) => "no".to_owned(),
        () => cell.to_owned(),
    }
}
