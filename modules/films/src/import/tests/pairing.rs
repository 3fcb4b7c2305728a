//! Which rows describe stored films.

use super::*;

/// A row of `title|director|year|original title|section`.
fn row(text: &str) -> Row {
    let fields = ["name", "director_name", "year", "original_title", "category"];
    let parts = text.split('|').chain(std::iter::repeat(""));
    let mut values = Values::from([("category".to_owned(), "Main".to_owned())]);
    let filled = fields.into_iter().zip(parts).filter(|(_, part)| !part.is_empty());
    values.extend(filled.map(|(field, part)| (field.to_owned(), part.to_owned())));
    Row { values, ..Row::default() }
}

fn rows(films: &[&str]) -> Vec<Row> {
    films.iter().map(|film| row(film)).collect()
}

fn paired(films: &[&str], list: &[&str]) -> Vec<Pair> {
    let pairs = pair_rows(&stored(&rows(films)), &rows(list));
    let mut claimed = std::collections::HashSet::new();
    for pair in &pairs {
        assert!(!matches!(pair, Pair::Stored(film) if !claimed.insert(*film)), "two rows claim one film");
    }
    pairs
}

const NEW: Pair = Pair::New { similar: None };
const SIMILAR: Pair = Pair::New { similar: Some(0) };

#[test]
fn every_row_of_the_same_list_finds_its_film() {
    let list = [
        "River|Uma Rao|2025|നദി",
        "River|Ravi Nair|1978",
        "River||",
        "Hill|A, B|2020",
        "Hill||2020|കുന്ന്",
        "The Lane|Uma Rao|2020",
        "The Lane|Uma Rao|2021",
    ];
    assert_eq!(paired(&list, &list), (0..7).map(Pair::Stored).collect::<Vec<_>>());
    let mut reversed = list;
    reversed.reverse();
    assert_eq!(paired(&list, &reversed), (0..7).rev().map(Pair::Stored).collect::<Vec<_>>());
    assert_eq!(paired(&[], &list), [NEW; 7]);
}

#[test]
fn corrected_rows_find_their_film() {
    for (film, row) in [
        ("River|Uma Rao|2025", "River|Uma Raoo|2025"),
        ("RIVER!|Uma Rao|2025", "River|UMA RAO|2025"),
        ("River|Uma Rao|2025", "River|Uma Rao, Ravi Nair|2025"),
        ("River|Uma Rao|2024", "River|Uma Rao|2025"),
        ("River|Uma Rao|", "River|Uma Rao|2025"),
        ("River||2025", "River|Uma Rao|2025"),
        ("River|Uma Rao|2025", "River|Somebody Else|2025"),
        ("The River|Uma Rao|2025|നദി", "River|Uma Rao|2025|നദി"),
        ("നദി|Uma Rao|2025", "River|Uma Rao|2025|നദി"),
        ("River|Uma Rao|2025|നദി", "River|Uma Rao|2025"),
    ] {
        assert_eq!(paired(&[film], &[row]), [Pair::Stored(0)], "{film} -> {row}");
    }
}

#[test]
fn other_films_are_new() {
    for (film, row, expected) in [
        ("River|Uma Rao|2025", "Hill|Uma Rao|2025", NEW),
        // A remake by the same director, and one by another.
        ("River|Uma Rao|1997", "River|Uma Rao|2007", SIMILAR),
        ("River|Uma Rao|1978", "River|Ravi Nair|2025", SIMILAR),
        ("River|Uma Rao|2024", "River|Ravi Nair|2025", SIMILAR),
        // The same film in another section.
        ("River|Uma Rao|2025||Asian", "River|Uma Rao|2025||Indian", NEW),
        ("River||1978", "River||2025", SIMILAR),
    ] {
        assert_eq!(paired(&[film], &[row]), [expected], "{film} -> {row}");
    }
}

#[test]
fn ambiguous_rows_are_new() {
    // The row may describe either film; either row may describe the film.
    assert_eq!(paired(&["River|Uma Rao|2025", "River|Ravi Nair|2025"], &["River||2025"]), [SIMILAR]);
    assert_eq!(paired(&["River||2025"], &["River|Uma Rao|2025", "River|Ravi Nair|2025"]), [SIMILAR; 2]);
    // The exact row takes its film, the other is new.
    assert_eq!(paired(&["River|Uma Rao|2025"], &["River|Uma Rao|2024", "River|Uma Rao|2025"]), [NEW, Pair::Stored(0)]);
    // The same spelling goes first.
    assert_eq!(paired(&["Hill!||2025"], &["Hill||2025", "Hill!||2025"]), [NEW, Pair::Stored(0)]);
    // A film that is stored twice is not stored a third time.
    assert_eq!(paired(&["River|Uma Rao|2025", "River|Uma Rao|2025"], &["River|Uma Rao|2025"]), [Pair::Stored(0)]);
}

#[test]
fn different_spellings_fold_to_the_same_text() {
    for (left, right) in [
        ("FLÂMES & Co.", "flames  co"),
        ("അവന്\u{200d}", "അവൻ"),
        ("ನ್\u{200c}ಸ", "ನ್ಸ"),
        ("क़लम", "क\u{93c}लम"),
        ("ﬁlm", "film"),
    ] {
        assert_eq!(fold(left), fold(right), "{left}");
    }
    for (left, right) in [("കല", "കാല"), ("Part 1", "Part 2"), ("लाल", "लल"), ("…", "?")] {
        assert_ne!(fold(left), fold(right), "{left}");
    }
}
