//! Pairs the rows of a list with the stored films that they describe.
//!
//! Pairs without doubt are made first, one to one: by id, then within a section by title, director and year. The rest
//! may be films that were moved, retitled or corrected, or namesakes. A person has to decide: such a row is
//! [`Pair::Unsure`] with the films that it may be about.

use std::collections::{HashMap, HashSet};

use super::identity::{Identity, Likeness, Years};
use super::near_matches::{Doubt, Pair, suggest, titles_are_alike};

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

/// From the most to the least certain. A level pairs only rows and films that have no other choice.
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

    /// Whether a row has no film yet.
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
                // The films of a row with several choices remain undecided for other rows, too.
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
    row.shares_title(film) || titles_are_alike(row, film) || row.compare_directors(film).is_close()
}
