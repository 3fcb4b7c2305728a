//! Recognises the films of a list among those that are stored.
//!
//! Most lines of a repeated list equal their stored films: these are paired by fingerprints, so that the texts of a
//! long edition are not in memory. Only the rest is compared text by text ([`pair_rows`]).

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;

use festival_core::importing::{Row, Target};
use festival_core::{Error, Result};
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

/// A stored film in compact form.
struct Known {
    id: i64,
    fingerprint: u64,
    is_taken: bool,
}

/// Finds the film that each row describes.
pub(super) async fn recognise(
    connection: &mut AnyConnection,
    edition: Option<i64>,
    rows: &[Row],
    sections: &[Option<Arc<Target>>],
) -> Result<Recognised> {
    let state = RandomState::new();
    let stored = StoredFilms::of_edition(connection, edition).await?;
    let mut known: Vec<Known> = Vec::new();
    stored
        .each(connection, |film| {
            known.push(Known { id: film.id, fingerprint: film.fingerprint(&state), is_taken: false });
        })
        .await?;
    let prints: Vec<u64> = rows.iter().zip(sections).map(|(row, section)| row_print(&state, row, section)).collect();
    let identity = |index: usize| {
        let section = sections[index].as_ref().map(|section| section.folded.clone()).unwrap_or_default();
        Identity::of_values(&rows[index].values, section)
    };
    let mut notes = Vec::new();
    let mut are_ours = async |connection: &mut AnyConnection, named: &Films, column: &str| {
        let ours = name_our_films(connection, &stored, (&known, &prints), named, identity).await?;
        notes.extend(
            (!ours).then(|| format!("the column of {column} holds no {column} of films here, and was not used")),
        );
        Ok::<_, Error>(ours)
    };
    let mut by_number = films_by_number(connection, &stored, rows).await?;
    if !are_ours(connection, &by_number, "references").await? {
        by_number.clear();
    }
    let own_ids = rows.iter().enumerate().filter_map(|(index, row)| Some((index, row.id?))).collect();
    let uses_ids = are_ours(connection, &own_ids, "ids").await?;
    drop(own_ids);
    let id_of = |row: usize| rows[row].id.filter(|_| uses_ids).or_else(|| by_number.get(&row).copied());
    let mut film_of = claim(&mut known, rows.len(), &prints, id_of);
    drop(prints);

    let left: Vec<usize> = (0..rows.len()).filter(|row| film_of[*row].is_none()).collect();
    if left.is_empty() || known.is_empty() {
        let others = HashMap::new();
        return Ok(Recognised { film_of, others, films: Vec::new(), notes });
    }
    let claimed: HashSet<i64> = film_of.iter().flatten().copied().collect();
    let hashes = |identity: &Identity| identity.titles().map(|title| state.hash_one(title)).collect::<Vec<_>>();
    let titles: HashSet<u64> = left.iter().flat_map(|row| hashes(&identity(*row))).collect();
    // The id of the first film with each title of these rows, by the title's hash.
    let mut first: HashMap<u64, i64> = HashMap::new();
    let (mut films, mut namesakes) = (Vec::new(), Vec::new());
    stored
        .each(connection, |film| {
            let of_rows = hashes(&film.identity()).into_iter().filter(|title| titles.contains(title));
            let is_first = of_rows.filter(|title| *first.entry(*title).or_insert(film.id) == film.id).count() > 0;
            if !claimed.contains(&film.id) {
                films.push(film);
            } else if is_first {
                namesakes.push(film);
            }
        })
        .await?;
    let unclaimed: Vec<Identity> = films.iter().map(StoredFilm::identity).collect();
    films.extend(namesakes);
    let index_of: HashMap<i64, usize> = films.iter().enumerate().map(|(index, film)| (film.id, index)).collect();
    let namesake = |row: &Identity| {
        let firsts = hashes(row).into_iter().filter_map(|title| first.get(&title)).min();
        firsts.and_then(|film| index_of.get(film).copied())
    };
    let index = Index::new(&unclaimed, &HashSet::new());
    // Most rows of a list of new films have nothing in common with any film: keeping the texts of a long list would
    // take much memory.
    let (compared, identities): (Vec<usize>, Vec<Identity>) = left
        .into_iter()
        .map(|row| (row, identity(row).with_id(id_of(row))))
        .filter(|(_, row)| row.id.is_some() || namesake(row).is_some() || index.may_describe(&unclaimed, row))
        .unzip();
    drop(index);
    let pairs = pair_rows(&unclaimed, &identities);
    let ids: HashSet<i64> = known.iter().map(|film| film.id).collect();
    let mut others = HashMap::new();
    for ((row, identity), pair) in compared.into_iter().zip(&identities).zip(pairs) {
        let recognition = match (identity.id.filter(|id| !ids.contains(id)), pair) {
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

/// Whether at least half of the films that a column identifies fit its lines: other programs have ids and numbers, too.
async fn name_our_films(
    connection: &mut AnyConnection,
    stored: &StoredFilms,
    (known, prints): (&[Known], &[u64]),
    named: &Films,
    identity: impl Fn(usize) -> Identity,
) -> Result<bool> {
    if named.is_empty() {
        return Ok(true);
    }
    let by_id: HashMap<i64, u64> = known.iter().map(|film| (film.id, film.fingerprint)).collect();
    let mut doubtful: HashMap<i64, Vec<usize>> = HashMap::new();
    for (row, id) in named.iter().filter(|(row, id)| by_id.get(id) != Some(&prints[**row])) {
        doubtful.entry(*id).or_default().push(*row);
    }
    let mut ours = named.len() - doubtful.values().map(Vec::len).sum::<usize>();
    if ours * 2 >= named.len() {
        return Ok(true);
    }
    stored
        .each(connection, |film| {
            let Some(lines) = doubtful.get(&film.id) else { return };
            let film = film.identity();
            ours += lines.iter().filter(|row| is_plausible(&identity(**row), &film)).count();
        })
        .await?;
    Ok(ours * 2 >= named.len())
}

/// Pairs rows with films of the same fingerprint, one to one, and returns the id of each row's film. A film that a row
/// names by id is left to that row; it is paired here only if the fingerprints are equal.
fn claim(known: &mut [Known], rows: usize, prints: &[u64], id_of: impl Fn(usize) -> Option<i64>) -> Vec<Option<i64>> {
    let mut film_of: Vec<Option<i64>> = vec![None; rows];
    let mut rows_of: HashMap<i64, Vec<usize>> = HashMap::new();
    for (row, id) in (0..rows).filter_map(|row| Some((row, id_of(row)?))) {
        rows_of.entry(id).or_default().push(row);
    }
    for film in known.iter_mut() {
        let Some(rows) = rows_of.get(&film.id) else { continue };
        film.is_taken = true;
        if let [row] = rows[..]
            && prints[row] == film.fingerprint
        {
            film_of[row] = Some(film.id);
        }
    }
    drop(rows_of);
    // Of equal films the first belongs to the first of equal rows.
    let mut order: Vec<usize> = (0..known.len()).filter(|film| !known[*film].is_taken).collect();
    order.sort_unstable_by_key(|film| (known[*film].fingerprint, *film));
    for (row, print) in prints.iter().enumerate().filter(|(row, _)| id_of(*row).is_none()) {
        let start = order.partition_point(|film| known[*film].fingerprint < *print);
        let mut equal = order[start..].iter().take_while(|film| known[**film].fingerprint == *print);
        if let Some(film) = equal.find(|film| !known[**film].is_taken) {
            known[*film].is_taken = true;
            film_of[row] = Some(known[*film].id);
        }
    }
    film_of
}
