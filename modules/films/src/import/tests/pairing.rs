//! Which rows describe stored films.

use std::collections::BTreeMap;

use super::*;

/// A row of `title|director|year|original title|section`.
fn row(text: &str) -> Row {
    let fields = ["name", "director_name", "year", "original_title", "category"];
    let parts = text.split('|').chain(std::iter::repeat(""));
    let mut values = BTreeMap::from([("category", "Main".to_owned())]);
    let filled = fields.into_iter().zip(parts).filter(|(_, part)| !part.is_empty());
    values.extend(filled.map(|(field, part)| (field, part.to_owned())));
    Row { values: values.into_iter().collect(), ..Row::default() }
}

fn rows(films: &[&str]) -> Vec<Row> {
    films.iter().map(|film| row(film)).collect()
}

fn paired(films: &[&str], list: &[&str]) -> Vec<Pair> {
    let pairs = pair_rows(&rows(films), &rows(list));
    let mut claimed = std::collections::HashSet::new();
    for pair in &pairs {
        assert!(!matches!(pair, Pair::Stored(film) if !claimed.insert(*film)), "two rows claim one film");
    }
    pairs
}

#[test]
fn every_row_of_the_same_list_matches_its_film() {
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
    assert_eq!(paired(&[], &list), vec![Pair::New; 7]);
}

#[test]
fn corrected_rows_match_their_film() {
    for (film, row) in [
        ("River|Uma Rao|2025", "River|Uma Raoo|2025"),
        ("RIVER!|Uma Rao|2025", "River|UMA RAO|2025"),
        ("River|Uma Rao|2025", "River|Uma Rao, Ravi Nair|2025"),
        ("River|Uma Rao|2024", "River|Uma Rao|2025"),
        ("River|Uma Rao|", "River|Uma Rao|2025"),
        ("River||2025", "River|Uma Rao|2025"),
        ("The River|Uma Rao|2025", "River, The|Uma Rao|2025"),
        ("The River|Uma Rao|2025|നദി", "River|Uma Rao|2025|നദി"),
        ("നദി|Uma Rao|2025", "River|Uma Rao|2025|നദി"),
        ("River|Uma Rao|2025|നദി", "River|Uma Rao|2025"),
    ] {
        assert_eq!(paired(&[film], &[row]), [Pair::Stored(0)], "{film} -> {row}");
    }
}

/// The row may be the film, and nothing else.
fn unsure(doubt: Doubt) -> Pair {
    Pair::Unsure { films: vec![0], doubt }
}

#[test]
fn uncertain_rows_say_which_film_they_may_be_and_why() {
    for (film, row, expected, is_likely) in [
        // Corrected titles, also from one script to another.
        ("Rivver Song|Uma Rao|2025", "River Song|Uma Rao|2025", Doubt::Retitled, true),
        ("River|Uma Rao|2025", "River of Sand|Uma Rao|2025", Doubt::Retitled, true),
        ("നദി|Uma Rao|2025", "Nadi|Uma Rao|2025", Doubt::Retitled, true),
        ("River|Uma Rao|2025", "Hill|Uma Rao|2025", Doubt::OtherTitle, false),
        // Another section.
        ("River|Uma Rao|2025||Asian", "River|Uma Rao|2025||Indian", Doubt::Moved, true),
        ("River||2025||Asian", "River|Uma Rao|2025||Indian", Doubt::Moved, true),
        // A remake by the same director, and another director.
        ("River|Uma Rao|1997", "River|Uma Rao|2007", Doubt::OtherYear, false),
        ("River|Uma Rao|2025", "River|Ravi Nair|2025", Doubt::OtherDirector, true),
        ("River|Uma Rao|2025||Asian", "River|Ravi Nair|2025||Indian", Doubt::OtherDirector, false),
    ] {
        assert_eq!(paired(&[film], &[row]), [unsure(expected)], "{film} -> {row}");
        let identity = |text: &str| identities(&rows(&[text])).remove(0);
        let likely = super::super::near_matches::is_likely(&identity(row), &identity(film));
        assert_eq!(likely, is_likely, "{film} -> {row}");
    }
}

#[test]
fn other_films_are_new() {
    for (film, row, expected) in [
        ("River|Uma Rao|2025", "Hill|Ravi Nair|2025", Pair::New),
        ("River, Part 1|Uma Rao|2024", "River, Part 2|Uma Rao|2025", Pair::New),
        // Namesakes.
        ("River|Uma Rao|1978", "River|Ravi Nair|2025", Pair::New),
        ("River|Uma Rao|2024", "River|Ravi Nair|2025", Pair::New),
        ("River||1978", "River||2025", Pair::New),
    ] {
        assert_eq!(paired(&[film], &[row]), [expected], "{film} -> {row}");
    }
    // A film that certainly matches another row is only a namesake of this one.
    let films = ["River|Uma Rao|2025||Asian"];
    assert_eq!(paired(&films, &["River|Uma Rao|2025||Indian", films[0]]), [Pair::New, Pair::Stored(0)]);
}

#[test]
fn ambiguous_rows_are_asked_about() {
    let both = Pair::Unsure { films: vec![0, 1], doubt: Doubt::Ambiguous };
    assert_eq!(paired(&["River|Uma Rao|2025", "River|Ravi Nair|2025"], &["River||2025"]), [both]);
    let list = ["River|Uma Rao|2025", "River|Ravi Nair|2025"];
    assert_eq!(paired(&["River||2025"], &list), [unsure(Doubt::Ambiguous), unsure(Doubt::Ambiguous)]);
    // The exact row is paired with the film, the other is new.
    let pairs = paired(&["River|Uma Rao|2025"], &["River|Uma Rao|2024", "River|Uma Rao|2025"]);
    assert_eq!(pairs, [Pair::New, Pair::Stored(0)]);
    // The same spelling takes precedence.
    assert_eq!(paired(&["Hill!||2025"], &["Hill||2025", "Hill!||2025"]), [Pair::New, Pair::Stored(0)]);
    // A film that is stored twice is not stored a third time.
    assert_eq!(paired(&["River|Uma Rao|2025", "River|Uma Rao|2025"], &["River|Uma Rao|2025"]), [Pair::Stored(0)]);
}

#[test]
fn ids_win_unless_they_contradict_title_and_director() {
    let films = rows(&["River|Uma Rao|2025", "Hill|Ravi Nair|2024"]);
    let mut stored = identities(&films);
    (stored[0].id, stored[1].id) = (Some(7), Some(8));
    let mut list = identities(&rows(&["Hill|Uma Rao|2025||Other", "Lamp|Ido Pell|1990"]));
    (list[0].id, list[1].id) = (Some(7), Some(8));
    let expected = [Pair::Stored(0), Pair::Unsure { films: vec![1], doubt: Doubt::OtherFilm }];
    assert_eq!(super::super::pairing::pair_rows(&stored, &list), expected);
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
