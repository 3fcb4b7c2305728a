//! Recognises the films of a list among those that are stored.
//!
//! Most lines of a repeated list equal their stored films: these are paired by fingerprints, so that the texts of a
//! long edition are not in memory. Only the rest is compared text by text ([`pair_rows`]).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;

use festival_core::Result;
use festival_core::importing::{Row, Target};
use sqlx::AnyConnection;

use super::fields;
use super::identity::Identity;
use super::near_matches::{Doubt, Index, Pair, is_likely};
use super::pairing::{is_plausible, pair_rows};
use super::stored::{StoredFilm, StoredFilms, fingerprint};

/// The fields whose values identify a film, the more reliable first.
const NUMBERS: [&str; 2] = [fields::REFERENCE, fields::IMDB_ID];

/// The films that the rows of a list describe, in the order of the rows.
pub(super) struct Recognised {
    /// The id of the stored film that it certainly describes.
    pub(super) film_of: Vec<Option<i64>>,
    /// Rows without such a film; one without an entry is a new film.
    pub(super) others: HashMap<usize, Recognition>,
    /// The films that had to be compared by their texts.
    pub(super) films: Vec<StoredFilm>,
    /// Remarks for people.
    pub(super) notes: Vec<String>,
}

/// What a row without a certain match describes. Films are given by their index in [`Recognised::films`].
pub(super) enum Recognition {
    /// The row has an id that no film here has.
    UnknownId(i64),
    /// A new film; the film given here has the same title, but is a different one or belongs to another row.
    Namesake(usize),
    /// Perhaps one of these films, the most likely first; never empty. `is_likely`: more likely the first than a new
    /// film.
    Unsure { films: Vec<usize>, doubt: Doubt, is_likely: bool },
}

/// The ids of films that rows name, by the index of the row.
type Films = BTreeMap<usize, i64>;

/// Finds the film that each row describes.
pub(super) async fn recognise(
    connection: &mut AnyConnection,
    edition: Option<i64>,
    rows: &[Row],
    sections: &[Option<Arc<Target>>],
) -> Result<Recognised> {
    let state = RandomState::new();
    let stored = StoredFilms::of_edition(connection, edition).await?;
    let prints: Vec<u64> = rows.iter().zip(sections).map(|(row, section)| row_print(&state, row, section)).collect();
    let identity = |index: usize| {
        let section = sections[index].as_ref().map(|section| section.folded.clone()).unwrap_or_default();
        Identity::of_values(&rows[index].values, section)
    };
    let own_ids = rows.iter().enumerate().filter_map(|(index, row)| Some((index, row.id?))).collect();
    let mut columns = [("references", films_by_number(connection, &stored, rows).await?), ("ids", own_ids)];
    let rows_of = columns.each_ref().map(|(_, named)| rows_of_films(named));
    // The fingerprint of each film, and for each column how many rows fit the film that they name.
    let (mut known, mut fitting) = (BTreeMap::new(), [0; 2]);
    stored
        .each(connection, |film| {
            let print = film.fingerprint(&state);
            known.insert(film.id, print);
            for (rows_of, fitting) in rows_of.iter().zip(&mut fitting) {
                let fits = |row: &&usize| prints[**row] == print || is_plausible(&identity(**row), &film.identity());
                *fitting += rows_of.get(&film.id).into_iter().flatten().filter(fits).count();
            }
        })
        .await?;
    drop(rows_of);
    let mut notes = Vec::new();
    for ((column, named), fitting) in columns.iter_mut().zip(fitting) {
        // Other programs have ids and numbers, too.
        if fitting * 2 < named.len() {
            named.clear();
            notes.push(format!("the column of {column} holds no {column} of films here, and was not used"));
        }
    }
    let [(_, by_number), (_, own_ids)] = &columns;
    let id_of = |row: usize| own_ids.get(&row).or_else(|| by_number.get(&row)).copied();
    let mut film_of = claim(&known, &prints, id_of);
    drop(prints);

    let left: Vec<usize> = (0..rows.len()).filter(|row| film_of[*row].is_none()).collect();
    if left.is_empty() || known.is_empty() {
        let others = HashMap::new();
        return Ok(Recognised { film_of, others, films: Vec::new(), notes });
    }
    let claimed: HashSet<i64> = film_of.iter().flatten().copied().collect();
    let hashes = |identity: &Identity| identity.titles().map(|title| state.hash_one(title)).collect::<Vec<_>>();
    let titles: HashSet<u64> = left.iter().flat_map(|row| hashes(&identity(*row))).collect();
    let mut films = Vec::new();
    stored
        .each(connection, |film| {
            let is_namesake = || hashes(&film.identity()).iter().any(|title| titles.contains(title));
            if !claimed.contains(&film.id) || is_namesake() {
                films.push(film);
            }
        })
        .await?;
    // Films of other rows, which are namesakes only, come last.
    films.sort_by_key(|film: &StoredFilm| claimed.contains(&film.id));
    let identities: Vec<Identity> = films.iter().map(StoredFilm::identity).collect();
    let unclaimed = &identities[..films.partition_point(|film| !claimed.contains(&film.id))];
    let mut first: HashMap<&str, usize> = HashMap::new();
    for (index, film) in identities.iter().enumerate() {
        for title in film.titles() {
            let known = first.entry(title).or_insert(index);
            if films[index].id < films[*known].id {
                *known = index;
            }
        }
    }
    let namesake = |row: &Identity| {
        let firsts = row.titles().filter_map(|title| first.get(title).copied());
        firsts.min_by_key(|film| films[*film].id)
    };
    let index = Index::new(unclaimed, &HashSet::new());
    // Most rows of a list of new films have nothing in common with any film: keeping the texts of a long list would
    // take much memory.
    let (compared, described): (Vec<usize>, Vec<Identity>) = left
        .into_iter()
        .map(|row| (row, identity(row).with_id(id_of(row))))
        .filter(|(_, row)| row.id.is_some() || namesake(row).is_some() || index.may_describe(unclaimed, row))
        .unzip();
    drop(index);
    let pairs = pair_rows(unclaimed, &described);
    let mut others = HashMap::new();
    for ((row, identity), pair) in compared.into_iter().zip(&described).zip(pairs) {
        let recognition = match (identity.id.filter(|id| !known.contains_key(id)), pair) {
            // The planner reports that there is no such film.
            (Some(id), _) => Some(Recognition::UnknownId(id)),
            (None, Pair::Stored(film)) => {
                film_of[row] = Some(films[film].id);
                None
            }
            (None, Pair::New) => namesake(identity).map(Recognition::Namesake),
            (None, Pair::Unsure { films, doubt }) => {
                let is_likely = is_likely(identity, &unclaimed[films[0]]);
                Some(Recognition::Unsure { films, doubt, is_likely })
            }
        };
        others.extend(recognition.map(|recognition| (row, recognition)));
    }
    Ok(Recognised { film_of, others, films, notes })
}

/// The rows that name each film.
fn rows_of_films(named: &Films) -> HashMap<i64, Vec<usize>> {
    let mut rows_of: HashMap<i64, Vec<usize>> = HashMap::new();
    named.iter().for_each(|(row, film)| rows_of.entry(*film).or_default().push(*row));
    rows_of
}

fn row_print(state: &RandomState, row: &Row, section: &Option<Arc<Target>>) -> u64 {
    let text = |field: &str| row.values.get(field).filter(|text| !text.is_empty());
    let section = section.as_ref().map_or("", |section| &*section.folded);
    let titles = [Some(&row.values[fields::NAME]), text(fields::ORIGINAL_TITLE)];
    let year = text(fields::YEAR).and_then(|year| year.parse().ok());
    fingerprint(state, section, titles, text(fields::DIRECTOR), year)
}

/// The film of each row by its reference, or else by its IMDb id; not where several films or several rows have the same.
async fn films_by_number(connection: &mut AnyConnection, stored: &StoredFilms, rows: &[Row]) -> Result<Films> {
    let is_named =
        |row: &Row| NUMBERS.iter().any(|field| row.values.get(field).is_some_and(|number| !number.is_empty()));
    if !rows.iter().any(is_named) {
        return Ok(Films::new());
    }
    let mut film_of = Films::new();
    let numbers = stored.numbers(connection).await?;
    for field in NUMBERS {
        let of_films = numbers.iter().filter(|(of, ..)| *of == field).map(|(_, number, film)| (number.as_str(), *film));
        let of_rows = rows.iter().enumerate().filter_map(|(index, row)| Some((row.values.get(field)?, index)));
        let (films, lines) = (unique(of_films), unique(of_rows));
        for (number, row) in lines {
            if let Some(film) = films.get(&number) {
                film_of.entry(row).or_insert(*film);
            }
        }
    }
    Ok(film_of)
}

/// Items by their number, ignoring case; without numbers that several items have.
fn unique<'a, T>(all: impl Iterator<Item = (&'a str, T)>) -> HashMap<String, T> {
    let mut by_number: HashMap<String, Option<T>> = HashMap::new();
    for (number, of) in all.filter(|(number, _)| !number.is_empty()) {
        by_number.entry(number.to_lowercase()).and_modify(|known| *known = None).or_insert(Some(of));
    }
    by_number.into_iter().filter_map(|(number, of)| Some((number, of?))).collect()
}

/// Pairs rows with films of the same fingerprint, one to one: of equal films the first belongs to the first of equal rows.
/// A film that a row names by id is left to that row; it is paired here only if the fingerprints are equal.
fn claim(known: &BTreeMap<i64, u64>, prints: &[u64], id_of: impl Fn(usize) -> Option<i64>) -> Vec<Option<i64>> {
    let mut naming: HashMap<i64, usize> = HashMap::new();
    (0..prints.len()).filter_map(&id_of).for_each(|id| *naming.entry(id).or_default() += 1);
    let free = known.iter().filter(|(id, _)| !naming.contains_key(id));
    let mut free: BTreeSet<(u64, i64)> = free.map(|(id, print)| (*print, *id)).collect();
    let film = |(row, print): (usize, &u64)| match id_of(row) {
        Some(id) => Some(id).filter(|id| naming.get(id) == Some(&1) && known.get(id) == Some(print)),
        None => {
            let first = free.range((*print, i64::MIN)..=(*print, i64::MAX)).next().copied()?;
            free.remove(&first);
            Some(first.1)
        }
    };
    prints.iter().enumerate().map(film).collect()
}
