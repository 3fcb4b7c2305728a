//! Pairs the rows of a list with the stored films that they describe.
//!
//! Two films can only be the same within a category: one film may run in two of them. Rows and films pair up one to one,
//! the surest pairs first. A row that may describe more than one film is treated as new and reported.

use std::collections::{HashMap, HashSet};

use festival_core::entity::Values;
use festival_core::importing::Row;

use super::fields::{CATEGORY, DIRECTOR, NAME, ORIGINAL_TITLE, YEAR};
use super::likeness::{Likeness, compare_directors, fold, match_key};
use super::stored::StoredFilm;

/// What a row describes. Films are given by their index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pair {
    /// A new film; `similar` has the same category and title, so that the row may describe it after all.
    New { similar: Option<usize> },
    /// A stored film.
    Stored(usize),
}

/// Finds the film that each row describes, in the order of the rows.
pub(super) fn pair_rows(films: &[StoredFilm], rows: &[Row]) -> Vec<Pair> {
    let mut pairing = Pairing::new(films, rows);
    pairing.claim_exact();
    for level in LEVELS {
        pairing.claim_unique(level);
    }
    let pair = |row: usize| match pairing.film_of[row] {
        Some(film) => Pair::Stored(film),
        None => Pair::New { similar: pairing.candidates(row).next() },
    };
    (0..rows.len()).map(pair).collect()
}

/// Whether a row and a film with the same title and category are the same film.
type Level = fn(Likeness, Years) -> bool;

/// From the surest to the least sure. A level pairs only rows and films that it leaves no choice.
const LEVELS: [Level; 4] = [
    |directors, years| directors.is_close() && years != Years::Apart && years != Years::Near,
    // The year of a first screening and that of production are easily confused; a remake takes longer.
    |directors, years| directors.is_close() && years == Years::Near,
    |directors, years| directors == Likeness::Unknown && years != Years::Apart && years != Years::Near,
    // Two films with one title and one year in one category are rarer than a corrected director.
    |directors, years| directors == Likeness::Different && years == Years::Same,
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Years {
    Same,
    /// One year apart.
    Near,
    Apart,
    Unknown,
}

fn compare_years(left: Option<i64>, right: Option<i64>) -> Years {
    match (left, right) {
        (Some(left), Some(right)) if left == right => Years::Same,
        (Some(left), Some(right)) if left.abs_diff(right) == 1 => Years::Near,
        (Some(_), Some(_)) => Years::Apart,
        _ => Years::Unknown,
    }
}

fn year(values: &Values) -> Option<i64> {
    values.get(YEAR)?.parse().ok()
}

struct Pairing<'a> {
    films: &'a [StoredFilm],
    rows: &'a [Row],
    /// Films by category and each of their titles, both folded.
    by_title: HashMap<(String, String), Vec<usize>>,
    /// The film of each row.
    film_of: Vec<Option<usize>>,
    claimed: HashSet<usize>,
}

/// The category with each title of a film, folded.
fn titles(film: &Values) -> Vec<(String, String)> {
    let category = film.get(CATEGORY).map(|name| fold(name)).unwrap_or_default();
    let titles = [NAME, ORIGINAL_TITLE].into_iter().filter_map(|field| film.get(field));
    let mut titles: Vec<_> = titles.map(|title| (category.clone(), fold(title))).collect();
    titles.dedup();
    titles
}

impl<'a> Pairing<'a> {
    fn new(films: &'a [StoredFilm], rows: &'a [Row]) -> Self {
        let mut by_title: HashMap<_, Vec<usize>> = HashMap::new();
        for (index, film) in films.iter().enumerate() {
            for title in titles(&film.values) {
                by_title.entry(title).or_default().push(index);
            }
        }
        Self { films, rows, by_title, film_of: vec![None; rows.len()], claimed: HashSet::new() }
    }

    fn claim(&mut self, row: usize, film: usize) {
        self.film_of[row] = Some(film);
        self.claimed.insert(film);
    }

    /// Pairs rows and films of equal identity, at first only where the title is spelled in the same way.
    fn claim_exact(&mut self) {
        let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, film) in self.films.iter().enumerate() {
            by_key.entry(match_key(&film.values)).or_default().push(index);
        }
        for any_spelling in [false, true] {
            for row in 0..self.rows.len() {
                let values = &self.rows[row].values;
                let mut films = by_key.get(&match_key(values)).into_iter().flatten();
                let is_free = |film: &&usize| {
                    let same_spelling = self.films[**film].values.get(NAME) == values.get(NAME);
                    !self.claimed.contains(*film) && (any_spelling || same_spelling)
                };
                if self.film_of[row].is_none()
                    && let Some(&film) = films.find(is_free)
                {
                    self.claim(row, film);
                }
            }
        }
    }

    /// The films with a title of this row, in its category, that no row has claimed.
    fn candidates(&self, row: usize) -> impl Iterator<Item = usize> {
        let mut films: Vec<usize> = titles(&self.rows[row].values)
            .iter()
            .filter_map(|title| self.by_title.get(title))
            .flatten()
            .copied()
            .filter(|film| !self.claimed.contains(film))
            .collect();
        films.sort_unstable();
        films.dedup();
        films.into_iter()
    }

    /// Pairs rows and films where neither has another choice at this level.
    fn claim_unique(&mut self, level: Level) {
        let mut wanted: HashMap<usize, Vec<usize>> = HashMap::new();
        for row in (0..self.rows.len()).filter(|row| self.film_of[*row].is_none()) {
            let matching: Vec<usize> = self.candidates(row).filter(|film| self.is_match(row, *film, level)).collect();
            let choices = matching.len();
            for film in matching {
                let rows = wanted.entry(film).or_default();
                rows.push(row);
                // A row with a choice leaves its films undecided for other rows, too.
                rows.extend((choices > 1).then_some(row));
            }
        }
        for (film, rows) in wanted {
            if let [row] = rows[..] {
                self.claim(row, film);
            }
        }
    }

    fn is_match(&self, row: usize, film: usize, level: Level) -> bool {
        let (row, film) = (&self.rows[row].values, &self.films[film].values);
        let directors = compare_directors(row.get(DIRECTOR), film.get(DIRECTOR));
        level(directors, compare_years(year(row), year(film)))
    }
}
