//! Which rows mean films that are there.

use super::*;

/// A film from `title|director|year|original title`.
fn values(text: &str) -> FilmValues {
    let part = |index| text.split('|').nth(index).filter(|part: &&str| !part.is_empty()).map(str::to_owned);
    FilmValues {
        name: part(0).unwrap(),
        director_name: part(1),
        year: part(2).map(|year| year.parse().unwrap()),
        original_title: part(3),
        category: part(4).unwrap_or_else(|| "Main".to_owned()),
        ..FilmValues::default()
    }
}

fn existing(films: &[&str]) -> Vec<ExistingFilm> {
    (1..).zip(films).map(|(id, film)| ExistingFilm { id, values: values(film) }).collect()
}

fn rows(films: &[&str]) -> Vec<FilmRow> {
    (2..).zip(films).map(|(line, film)| FilmRow { line, values: values(film) }).collect()
}

fn planned(there: &[&str], list: &[&str]) -> Vec<Action> {
    let actions = plan(&existing(there), &rows(list));
    let mut claimed: Vec<i64> = actions
        .iter()
        .filter_map(|action| match action {
            Action::Update(id) | Action::Unchanged(id) => Some(*id),
            Action::Insert { .. } => None,
        })
        .collect();
    claimed.sort_unstable();
    let count = claimed.len();
    claimed.dedup();
    assert_eq!(claimed.len(), count, "two rows claim one film");
    actions
}

const NEW: Action = Action::Insert { like: None };

#[test]
fn the_same_list_changes_nothing() {
    let list = [
        "River|Uma Rao|2025|നദി",
        "River|Ravi Nair|1978",
        "River||",
        "Hill|A, B|2020",
        "Hill||2020|കുന്ന്",
        "The Lane|Uma Rao|2020",
        "The Lane|Uma Rao|2021",
    ];
    let unchanged: Vec<_> = (1..=7).map(Action::Unchanged).collect();
    assert_eq!(planned(&list, &list), unchanged);
    let mut turned = list;
    turned.reverse();
    assert_eq!(planned(&list, &turned), unchanged.into_iter().rev().collect::<Vec<_>>());
    assert_eq!(planned(&[], &list), [NEW; 7]);
}

#[test]
fn corrections_update() {
    for (there, row) in [
        ("River|Uma Rao|2025", "River|Uma Raoo|2025"),
        ("RIVER!|Uma Rao|2025", "River|UMA RAO|2025"),
        ("River|Uma Rao|2025", "River|Uma Rao, Ravi Nair|2025"),
        ("River|Uma Rao|2024", "River|Uma Rao|2025"),
        ("River|Uma Rao|", "River|Uma Rao|2025"),
        ("River||2025", "River|Uma Rao|2025"),
        ("River|Uma Rao|2025", "River|Somebody Else|2025"),
        ("The River|Uma Rao|2025|നദി", "River|Uma Rao|2025|നദി"),
        ("നദി|Uma Rao|2025", "River|Uma Rao|2025|നദി"),
    ] {
        assert_eq!(planned(&[there], &[row]), [Action::Update(1)], "{there} -> {row}");
    }
}

#[test]
fn other_films_are_inserted() {
    let like = Action::Insert { like: Some(1) };
    for (there, row, expected) in [
        ("River|Uma Rao|2025", "Hill|Uma Rao|2025", NEW),
        // A remake by the same director, and one by another.
        ("River|Uma Rao|1997", "River|Uma Rao|2007", like),
        ("River|Uma Rao|1978", "River|Ravi Nair|2025", like),
        ("River|Uma Rao|2024", "River|Ravi Nair|2025", like),
        // The same film in another section.
        ("River|Uma Rao|2025||Asian", "River|Uma Rao|2025||Indian", NEW),
        ("River||1978", "River||2025", like),
    ] {
        assert_eq!(planned(&[there], &[row]), [expected], "{there} -> {row}");
    }
}

#[test]
fn what_is_doubtful_is_not_decided() {
    // Either film may be meant, and either row may mean the film.
    assert_eq!(
        planned(&["River|Uma Rao|2025", "River|Ravi Nair|2025"], &["River||2025"]),
        [Action::Insert { like: Some(1) }]
    );
    assert_eq!(
        planned(&["River||2025"], &["River|Uma Rao|2025", "River|Ravi Nair|2025"]),
        [Action::Insert { like: Some(1) }; 2]
    );
    // The exact row takes its film, the other is new.
    assert_eq!(
        planned(&["River|Uma Rao|2025"], &["River|Uma Rao|2024", "River|Uma Rao|2025"]),
        [NEW, Action::Unchanged(1)]
    );
    // The same spelling goes first.
    assert_eq!(planned(&["Hill!||2025"], &["Hill||2025", "Hill!||2025"]), [NEW, Action::Unchanged(1)]);
    // Films that are there twice do not become three.
    assert_eq!(planned(&["River|Uma Rao|2025", "River|Uma Rao|2025"], &["River|Uma Rao|2025"]), [Action::Unchanged(1)]);
}

#[test]
fn an_empty_cell_changes_nothing() {
    assert_eq!(planned(&["River|Uma Rao|2025|നദി"], &["River|Uma Rao|2025"]), [Action::Unchanged(1)]);
    assert_eq!(planned(&["River|Uma Rao|2025"], &["River|Uma Rao|2025|നദി"]), [Action::Update(1)]);
}

#[test]
fn spellings_fold() {
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
