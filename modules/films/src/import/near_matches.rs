//! Films that rows without a certain match may be about.

use std::collections::{HashMap, HashSet};

use festival_core::importing::likeness::is_alike;

use super::identity::{Identity, Likeness, Years};

/// The film that a row describes. Films are given by their index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pair {
    /// A new film.
    New,
    /// A stored film.
    Stored(usize),
    /// Perhaps one of these films, the most likely first; never empty.
    Unsure { films: Vec<usize>, doubt: Doubt },
}

/// Why a row may be about a film, or why it may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubt {
    /// The same film in another section.
    Moved,
    /// Another title, perhaps a correction.
    Retitled,
    /// The same title, but another year.
    OtherYear,
    /// The same title, but another director.
    OtherDirector,
    /// The id names a film of another title and director.
    OtherFilm,
    /// It may be more than one film.
    Ambiguous,
    /// Titles with nothing in common, but the same director, year and section.
    OtherTitle,
}

/// How likely it is that a row describes a film: from [`LIKELY`] on that answer is proposed, below it the question is
/// open.
type Score = u8;
const LIKELY: Score = 50;

/// A property is used to find candidates if no more than this number of films share it.
const MAX_CANDIDATES: usize = 50;

/// Share of letters in common from which titles are alike.
const TITLE_LIKENESS: f64 = 0.7;

/// Whether a row is more likely to describe the film than a new one.
pub(super) fn is_likely(row: &Identity, film: &Identity) -> bool {
    judge(row, film).is_some_and(|(score, _)| score >= LIKELY)
}

/// Whether a title of one film is similar to a title of the other.
pub(super) fn titles_are_alike(row: &Identity, film: &Identity) -> bool {
    let contains = |many: &str, few: &str| {
        few.chars().count() >= 5 && few.split(' ').all(|word| many.split(' ').any(|other| other == word))
    };
    row.titles().any(|left| {
        let is_near =
            |right: &str| is_alike(left, right, TITLE_LIKENESS) || contains(left, right) || contains(right, left);
        film.titles().any(is_near)
    })
}

/// How likely it is that a row describes a film, and why that is not certain; `None` if it does not.
fn judge(row: &Identity, film: &Identity) -> Option<(Score, Doubt)> {
    let (directors, years) = (row.compare_directors(film), row.compare_years(film));
    let same_section = row.section == film.section;
    if row.shares_title(film) {
        return match (directors, years) {
            (Likeness::Same | Likeness::Similar, Years::Apart) => Some((40, Doubt::OtherYear)),
            (Likeness::Same | Likeness::Similar, _) if same_section => Some((90, Doubt::Ambiguous)),
            (Likeness::Same | Likeness::Similar, _) => Some((80, Doubt::Moved)),
            (Likeness::Unknown, Years::Same) if same_section => Some((85, Doubt::Ambiguous)),
            (Likeness::Unknown, Years::Same) => Some((70, Doubt::Moved)),
            (Likeness::Unknown, Years::Near) => Some((35, Doubt::OtherYear)),
            (Likeness::Unknown, Years::Unknown) if same_section => Some((45, Doubt::Ambiguous)),
            (Likeness::Unknown, Years::Unknown) => Some((30, Doubt::Moved)),
            (Likeness::Different, Years::Same) if same_section => Some((60, Doubt::OtherDirector)),
            (Likeness::Different, Years::Same) => Some((20, Doubt::OtherDirector)),
            (Likeness::Different, Years::Unknown) if same_section => Some((20, Doubt::OtherDirector)),
            _ => None,
        };
    }
    let alike = titles_are_alike(row, film);
    match (directors, years) {
        (_, Years::Apart) => None,
        (Likeness::Same | Likeness::Similar, _) if alike => Some((if same_section { 75 } else { 65 }, Doubt::Retitled)),
        (Likeness::Unknown, Years::Same) if alike && same_section => Some((55, Doubt::Retitled)),
        (Likeness::Unknown, Years::Unknown) if alike && same_section => Some((25, Doubt::Retitled)),
        (Likeness::Same, Years::Same) if same_section => Some((10, Doubt::OtherTitle)),
        _ => None,
    }
}

/// Suggests unclaimed films for each row without a pair. A film is suggested for one row only: the most likely one.
pub(super) fn suggest(films: &[Identity], rows: &[Identity], claimed: &HashSet<usize>, pairs: &mut [Option<Pair>]) {
    let index = Index::new(films, claimed);
    let mut judged: Vec<(Score, usize, usize, Doubt)> = Vec::new();
    for row in (0..rows.len()).filter(|row| pairs[*row].is_none()) {
        let candidates = index.candidates(&rows[row]).into_iter();
        judged.extend(candidates.filter_map(|film| {
            let (score, doubt) = judge(&rows[row], &films[film])?;
            Some((score, row, film, doubt))
        }));
    }
    judged.sort_unstable_by_key(|(score, row, film, _)| (std::cmp::Reverse(*score), *row, *film));
    let mut suggested: HashSet<usize> = HashSet::new();
    let mut score_of: HashMap<usize, Score> = HashMap::new();
    for (score, row, film, doubt) in judged {
        match &mut pairs[row] {
            None if !suggested.contains(&film) || doubt == Doubt::Ambiguous => {
                pairs[row] = Some(Pair::Unsure { films: vec![film], doubt });
                score_of.insert(row, score);
                suggested.insert(film);
            }
            // As likely as another film.
            Some(Pair::Unsure { films, doubt }) if score_of.get(&row) == Some(&score) && !films.contains(&film) => {
                films.push(film);
                *doubt = Doubt::Ambiguous;
                suggested.insert(film);
            }
            _ => {}
        }
    }
}

/// Films by the properties that rows may share with them.
pub(super) struct Index(HashMap<String, Vec<usize>>);

impl Index {
    /// An index of the films that are not claimed.
    pub(super) fn new(films: &[Identity], claimed: &HashSet<usize>) -> Self {
        let mut by_property: HashMap<String, Vec<usize>> = HashMap::new();
        for index in (0..films.len()).filter(|film| !claimed.contains(film)) {
            for property in properties(&films[index]) {
                by_property.entry(property).or_default().push(index);
            }
        }
        Self(by_property)
    }

    /// Whether a row may be about one of the `films` of this index. A property that many films share may be rare among
    /// those that are left once others are paired.
    pub(super) fn may_describe(&self, films: &[Identity], row: &Identity) -> bool {
        let properties = properties(row);
        let mut shared = properties.iter().filter_map(|property| self.0.get(property));
        shared.any(|of| of.len() > MAX_CANDIDATES || of.iter().any(|film| judge(row, &films[*film]).is_some()))
    }

    /// The films that share a rare property with a row.
    fn candidates(&self, row: &Identity) -> Vec<usize> {
        let shared = properties(row).into_iter().filter_map(|property| self.0.get(&property));
        let mut films: Vec<usize> = shared.filter(|films| films.len() <= MAX_CANDIDATES).flatten().copied().collect();
        films.sort_unstable();
        films.dedup();
        films
    }
}

/// The titles, their words and beginnings, and the directors of a film, in Latin letters.
fn properties(film: &Identity) -> Vec<String> {
    let mut properties: Vec<String> = film.director().iter().map(|names| format!("by {names}")).collect();
    for title in film.titles() {
        let latin = any_ascii::any_ascii(title).to_lowercase();
        properties.push(format!("title {title}"));
        properties.push(format!("begins {}", latin.chars().take(3).collect::<String>()));
        let words = latin.split(' ').filter(|word| word.len() >= 4);
        properties.extend(words.map(|word| format!("word {word}")));
    }
    properties.sort_unstable();
    properties.dedup();
    properties
}
