//! What a list changes: which rows are new, which mean a film that is there.
//!
//! Two films are one only within a section: the same film may run in two. Rows and films pair up one to one, the
//! surest pairs first; what could mean two films is not decided but inserted and pointed at.

use std::collections::{HashMap, HashSet};

use super::identity::{Likeness, directors, fold, match_key};
use super::{Field, FilmRow, FilmValues};

/// A film that is there already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExistingFilm {
    /// Its id.
    pub id: i64,
    /// What it says; `category` is the name of its section.
    pub values: FilmValues,
}

/// What to do with a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// A new film. `like` is a film of the same section and title that may be meant.
    Insert {
        /// The id of that film.
        like: Option<i64>,
    },
    /// This film, and the row says something else about it.
    Update(i64),
    /// This film, as it is.
    Unchanged(i64),
}

/// Pairs rows with films; one action for each row, in their order. An empty cell never changes a film.
#[must_use]
pub fn plan(existing: &[ExistingFilm], rows: &[FilmRow]) -> Vec<Action> {
    let mut pairing = Pairing::new(existing, rows);
    pairing.claim_exact();
    for level in LEVELS {
        pairing.claim_unique(level);
    }
    let action = |(index, row): (usize, &FilmRow)| match pairing.film_of[index] {
        Some(film) if says_nothing_new(&existing[film].values, &row.values) => Action::Unchanged(existing[film].id),
        Some(film) => Action::Update(existing[film].id),
        None => Action::Insert { like: pairing.candidates(index).next().map(|film| existing[film].id) },
    };
    rows.iter().enumerate().map(action).collect()
}

/// Does a pair with the same title in the same section mean one film?
type Level = fn(Likeness, Years) -> bool;

/// From the surest to the least sure; each is used only where it leaves no choice.
const LEVELS: [Level; 4] = [
    |director, year| {
        matches!(director, Likeness::Same | Likeness::Similar) && year != Years::Apart && year != Years::Near
    },
    // The year of a first screening and that of production are mixed up easily; a remake takes longer.
    |director, year| matches!(director, Likeness::Same | Likeness::Similar) && year == Years::Near,
    |director, year| director == Likeness::Unsaid && year != Years::Apart && year != Years::Near,
    // Two films with one title and one year in one section are rarer than a corrected director.
    |director, year| director == Likeness::Different && year == Years::Same,
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Years {
    Same,
    Near,
    Apart,
    Unsaid,
}

fn years(left: Option<i64>, right: Option<i64>) -> Years {
    match (left, right) {
        (Some(left), Some(right)) if left == right => Years::Same,
        (Some(left), Some(right)) if left.abs_diff(right) == 1 => Years::Near,
        (Some(_), Some(_)) => Years::Apart,
        _ => Years::Unsaid,
    }
}

struct Pairing<'a> {
    existing: &'a [ExistingFilm],
    rows: &'a [FilmRow],
    /// Films by section and each of their titles, both folded.
    by_title: HashMap<(String, String), Vec<usize>>,
    film_of: Vec<Option<usize>>,
    claimed: HashSet<usize>,
}

/// The section with each title of a film.
fn titles(film: &FilmValues) -> Vec<(String, String)> {
    let category = fold(&film.category);
    let mut titles: Vec<_> = [Some(&film.name), film.original_title.as_ref()]
        .into_iter()
        .flatten()
        .map(|title| (category.clone(), fold(title)))
        .collect();
    titles.dedup();
    titles
}

impl<'a> Pairing<'a> {
    fn new(existing: &'a [ExistingFilm], rows: &'a [FilmRow]) -> Self {
        let mut by_title: HashMap<_, Vec<usize>> = HashMap::new();
        for (index, film) in existing.iter().enumerate() {
            for title in titles(&film.values) {
                by_title.entry(title).or_default().push(index);
            }
        }
        Self { existing, rows, by_title, film_of: vec![None; rows.len()], claimed: HashSet::new() }
    }

    fn claim(&mut self, row: usize, film: usize) {
        self.film_of[row] = Some(film);
        self.claimed.insert(film);
    }

    /// Rows whose identity is the film's: first those that also spell the title as the film does.
    fn claim_exact(&mut self) {
        let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, film) in self.existing.iter().enumerate() {
            by_key.entry(match_key(&film.values)).or_default().push(index);
        }
        for any_spelling in [false, true] {
            for row in 0..self.rows.len() {
                let values = &self.rows[row].values;
                let mut films = by_key.get(&match_key(values)).into_iter().flatten();
                let free = |film: &&usize| {
                    let spelled = self.existing[**film].values.name == values.name;
                    !self.claimed.contains(*film) && (any_spelling || spelled)
                };
                if self.film_of[row].is_none()
                    && let Some(&film) = films.find(free)
                {
                    self.claim(row, film);
                }
            }
        }
    }

    /// The films with a title of this row, in its section, that no row has claimed.
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
            let matching: Vec<usize> = self.candidates(row).filter(|film| self.fits(row, *film, level)).collect();
            let choice = matching.len();
            for film in matching {
                let rows = wanted.entry(film).or_default();
                rows.push(row);
                // A row with a choice spoils its films for the others, too.
                rows.extend((choice > 1).then_some(row));
            }
        }
        for (film, rows) in wanted {
            if let [row] = rows[..] {
                self.claim(row, film);
            }
        }
    }

    fn fits(&self, row: usize, film: usize, level: Level) -> bool {
        let (row, film) = (&self.rows[row].values, &self.existing[film].values);
        let director = directors(row.director_name.as_deref(), film.director_name.as_deref());
        level(director, years(row.year, film.year))
    }
}

/// Does the film say all that the row says? Sections are compared as the identity does.
fn says_nothing_new(film: &FilmValues, row: &FilmValues) -> bool {
    let mut fields = Field::ALL.into_iter().filter(|field| *field != Field::Category);
    fields.all(|field| {
        let said = row.text(field);
        said.is_none() || said == film.text(field)
    })
}
