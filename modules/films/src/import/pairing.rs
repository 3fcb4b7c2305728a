//! Pairs the rows of a list with the stored films that they describe.
//!
//! Pairs without doubt are made first, one to one: by id, then within a section by title, director and year. What is left
//! may be a film that moved, was retitled or corrected, or a namesake. That is for a person to decide: such a row is
//! [`Pair::Unsure`] and says what it may be.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use festival_core::importing::RowValues;
use festival_core::importing::likeness::{fold_people, fold_title};
use festival_core::texts::Texts;

use super::fields::{DIRECTOR, NAME, ORIGINAL_TITLE, YEAR};
use super::likeness::{Likeness, compare_directors};
use super::near_matches::{Doubt, suggest};

/// What films are recognised by, folded.
#[derive(Debug, Clone)]
pub(super) struct Identity {
    /// Its own id, or the one that the list names.
    pub(super) id: Option<i64>,
    pub(super) section: Arc<str>,
    pub(super) year: Option<i64>,
    /// The shown title as it is spelled; folded, the director, if only as "", and the titles.
    texts: Texts,
}

impl Identity {
    /// The identity of a film with these titles, the shown one first, in the section of this folded name.
    pub(super) fn new(titles: [Option<&str>; 2], director: Option<&str>, year: Option<i64>, section: Arc<str>) -> Self {
        let name = titles[0].unwrap_or_default().to_owned();
        let mut titles: Vec<String> = titles.into_iter().flatten().map(fold_title).collect();
        titles.dedup();
        let director = director.map(fold_people).unwrap_or_default();
        Self { id: None, section, year, texts: [name, director].into_iter().chain(titles).collect() }
    }

    /// The same of a film with these values.
    pub(super) fn of_values(values: &RowValues, section: Arc<str>) -> Self {
        let text = |field: &str| values.get(field).filter(|text| !text.is_empty());
        let year = text(YEAR).and_then(|year| year.parse().ok());
        Self::new([NAME, ORIGINAL_TITLE].map(text), text(DIRECTOR), year, section)
    }

    pub(super) fn with_id(self, id: Option<i64>) -> Self {
        Self { id, ..self }
    }

    /// The shown title as it is spelled.
    fn name(&self) -> &str {
        &self.texts[0]
    }

    /// The directors, folded.
    pub(super) fn director(&self) -> Option<&str> {
        Some(&self.texts[1]).filter(|names| !names.is_empty())
    }

    /// Shown and original title, folded.
    pub(super) fn titles(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().skip(2)
    }

    /// Whether a title of both is the same.
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

/// What a row describes. Films are given by their index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pair {
    /// A new film.
    New,
    /// A stored film.
    Stored(usize),
    /// Perhaps one of these films, the likeliest first; never empty.
    Unsure { films: Vec<usize>, doubt: Doubt },
}

/// Finds the film that each row describes, in the order of the rows.
pub(super) fn pair_rows(films: &[Identity], rows: &[Identity]) -> Vec<Pair> {
    let mut pairing = Pairing::new(films, rows);
    pairing.claim_ids();
    pairing.claim_exact();
    for level in LEVELS {
        pairing.claim_unique(level);
    }
    let mut pairs: Vec<Option<Pair>> = pairing.film_of.iter().map(|film| film.map(Pair::Stored)).collect();
    for (row, film) in &pairing.contradicting {
        pairs[*row] = Some(Pair::Unsure { films: vec![*film], doubt: Doubt::OtherFilm });
    }
    suggest(films, rows, &pairing.claimed, &mut pairs);
    pairs.into_iter().map(|pair| pair.unwrap_or(Pair::New)).collect()
}

/// Whether a row and a film with the same title and section are the same film.
type Level = fn(Likeness, Years) -> bool;

/// From the surest to the least sure. A level pairs only rows and films that it leaves no choice.
const LEVELS: [Level; 3] = [
    |directors, years| directors.is_close() && matches!(years, Years::Same | Years::Unknown),
    // The year of a first screening and that of production are easily confused; a remake takes longer.
    |directors, years| directors.is_close() && years == Years::Near,
    |directors, years| directors == Likeness::Unknown && matches!(years, Years::Same | Years::Unknown),
];

struct Pairing<'a> {
    films: &'a [Identity],
    rows: &'a [Identity],
    /// Films by each of their titles.
    titles: HashMap<&'a str, Vec<usize>>,
    /// The film of each row.
    film_of: Vec<Option<usize>>,
    claimed: HashSet<usize>,
    /// Rows whose id names a film that they do not describe.
    contradicting: HashMap<usize, usize>,
}

impl<'a> Pairing<'a> {
    fn new(films: &'a [Identity], rows: &'a [Identity]) -> Self {
        let mut titles: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, film) in films.iter().enumerate() {
            for title in film.titles() {
                titles.entry(title).or_default().push(index);
            }
        }
        let film_of = vec![None; rows.len()];
        Self { films, rows, titles, film_of, claimed: HashSet::new(), contradicting: HashMap::new() }
    }

    fn claim(&mut self, row: usize, film: usize) {
        self.film_of[row] = Some(film);
        self.claimed.insert(film);
    }

    /// Whether nothing is known of a row's film yet.
    fn is_free(&self, row: usize) -> bool {
        self.film_of[row].is_none() && !self.contradicting.contains_key(&row)
    }

    /// Pairs rows with the films that their ids name.
    fn claim_ids(&mut self) {
        let by_id: HashMap<i64, usize> =
            (self.films.iter().enumerate()).filter_map(|(at, it)| Some((it.id?, at))).collect();
        for (row, identity) in self.rows.iter().enumerate() {
            let Some(&film) = identity.id.and_then(|id| by_id.get(&id)) else { continue };
            if is_plausible(identity, &self.films[film]) {
                self.claim(row, film);
            } else {
                self.contradicting.insert(row, film);
            }
        }
    }

    /// Pairs rows and films of equal identity, at first only where the title is spelled in the same way.
    fn claim_exact(&mut self) {
        let key = |film: &'a Identity| (&*film.section, film.titles().next(), film.director(), film.year);
        let mut by_key: HashMap<_, Vec<usize>> = HashMap::new();
        for (index, film) in self.films.iter().enumerate() {
            by_key.entry(key(film)).or_default().push(index);
        }
        for any_spelling in [false, true] {
            for (row, identity) in self.rows.iter().enumerate() {
                let mut films = by_key.get(&key(identity)).into_iter().flatten();
                let matches = |film: &&usize| {
                    !self.claimed.contains(*film) && (any_spelling || self.films[**film].name() == identity.name())
                };
                if self.is_free(row)
                    && let Some(&film) = films.find(matches)
                {
                    self.claim(row, film);
                }
            }
        }
    }

    /// The films with a title of this row, in its section, that no row has claimed.
    fn candidates(&self, row: usize) -> Vec<usize> {
        let section = &self.rows[row].section;
        let is_free = |film: &usize| self.films[*film].section == *section && !self.claimed.contains(film);
        let same_title = self.rows[row].titles().filter_map(|title| self.titles.get(title)).flatten().copied();
        let mut films: Vec<usize> = same_title.filter(is_free).collect();
        films.sort_unstable();
        films.dedup();
        films
    }

    /// Pairs rows and films where neither has another choice at this level.
    fn claim_unique(&mut self, level: Level) {
        let mut wanted: HashMap<usize, Vec<usize>> = HashMap::new();
        for row in (0..self.rows.len()).filter(|row| self.is_free(*row)) {
            let mut matching = self.candidates(row);
            matching.retain(|film| self.is_match(row, *film, level));
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
        let (row, film) = (&self.rows[row], &self.films[film]);
        level(row.compare_directors(film), row.compare_years(film))
    }
}

/// Whether a row may be about the film that its id names: it shares title or director with it.
pub(super) fn is_plausible(row: &Identity, film: &Identity) -> bool {
    row.shares_title(film) || super::near_matches::titles_are_alike(row, film) || row.compare_directors(film).is_close()
}
