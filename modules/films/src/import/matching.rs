//! Matches the rows of a list to the films and sections of an edition.

use std::collections::HashSet;
use std::sync::Arc;

use festival_core::Result;
use festival_core::importing::{
    Candidate, Decision, Decisions, MatchStatus, Matches, Questions, Row, RowMatch, Target, Targets,
};
use sqlx::AnyConnection;

use super::fields;
use super::near_matches::Doubt;
use super::recognition::{Recognised, Recognition, recognise};
use super::stored::StoredFilm;
use crate::category::CATEGORY;

/// Finds the film that each row describes, and the sections that have to be created. What only a person can decide
/// becomes a question, unless `decisions` answer it.
pub(super) async fn match_rows(
    connection: &mut AnyConnection,
    edition: Option<i64>,
    rows: &[Row],
    decisions: &Decisions,
) -> Result<Matches> {
    let kind = (fields::CATEGORY, &CATEGORY, "section");
    let mut sections = Targets::load(connection, edition, kind, decisions).await?;
    let section_of_row: Vec<Option<Arc<Target>>> = rows
        .iter()
        .map(|row| {
            let name = row.values.get(fields::CATEGORY).filter(|name| !name.is_empty())?;
            Some(sections.find_or_add(name, row.line))
        })
        .collect();
    let Recognised { film_of, mut others, films, notes } =
        recognise(connection, edition, rows, &section_of_row).await?;
    let mut matches = Matches { rows: Vec::with_capacity(rows.len()), notes, ..Matches::default() };
    let (bare, total, questions) = (bare_rows(rows), total(rows), Questions::new(decisions, "film"));
    let mut matcher = Matcher { films: &films, rows, bare, total, questions, notes: Vec::new() };
    // A question about the film of a line waits for the answer about its section.
    let mut waiting: HashSet<u64> = HashSet::new();
    for (index, film) in film_of.into_iter().enumerate() {
        let mut row = match film {
            Some(_) => RowMatch { id: film, ..RowMatch::default() },
            None => matcher.match_row(index, others.remove(&index)),
        };
        if let Some(section) = &section_of_row[index] {
            row.values = section.values.clone();
            let status = sections.status(section);
            if status != MatchStatus::Decided {
                row.similar = if status == MatchStatus::Open { row.id.or(row.similar) } else { row.similar };
                row.status = status;
                waiting.insert(rows[index].line);
            }
        }
        matches.rows.push(row);
    }
    let of_films = matcher.questions.asked.into_iter().filter(|it| !it.lines.iter().any(|line| waiting.contains(line)));
    matches.questions = sections.questions.into_iter().chain(of_films).collect();
    matches.notes.extend(sections.notes.into_iter().chain(matcher.notes));
    matches.new_targets = sections.added;
    Ok(matches)
}

/// The rows with nothing but a title, and perhaps a running time, in a list of which most rows have more values: headings
/// between films, totals, footnotes.
fn bare_rows(rows: &[Row]) -> HashSet<usize> {
    let without_more = |common: &[&str]| -> HashSet<usize> {
        let says_more = |row: &Row| {
            row.id.is_some() || row.values.iter().any(|(field, text)| !text.is_empty() && !common.contains(&field))
        };
        let bare: HashSet<usize> = (0..rows.len()).filter(|row| !says_more(&rows[*row])).collect();
        if bare.len() * 2 < rows.len() { bare } else { HashSet::new() }
    };
    let common = [fields::NAME, fields::CATEGORY, fields::DURATION];
    &without_more(&common) | &without_more(&common[..2])
}

/// The last row, if its running time is the sum of all others.
fn total(rows: &[Row]) -> Option<usize> {
    let minutes = |row: &Row| row.values[fields::DURATION].parse::<i64>().unwrap_or(0);
    let (last, films) = rows.split_last().filter(|(_, films)| films.len() > 1)?;
    let is_bare = last.values.get(fields::DIRECTOR).is_none() && last.values.get(fields::YEAR).is_none();
    (is_bare && minutes(last) > 0 && minutes(last) == films.iter().map(minutes).sum::<i64>()).then_some(films.len())
}

/// Turns pairs into matches and questions.
struct Matcher<'a> {
    films: &'a [StoredFilm],
    rows: &'a [Row],
    /// Rows that may be headings, totals or footnotes.
    bare: HashSet<usize>,
    /// The row with the total, in a list of titles and running times.
    total: Option<usize>,
    questions: Questions<'a>,
    notes: Vec<String>,
}

impl Matcher<'_> {
    fn match_row(&mut self, index: usize, recognition: Option<Recognition>) -> RowMatch {
        match recognition {
            Some(Recognition::UnknownId(id)) => RowMatch { id: Some(id), ..RowMatch::default() },
            Some(Recognition::Unsure { films, doubt, is_likely }) => self.ask(index, &films, doubt, is_likely),
            None | Some(Recognition::Namesake(_)) if self.bare.contains(&index) || self.total == Some(index) => {
                self.ask_whether_film(index)
            }
            None => RowMatch::default(),
            Some(Recognition::Namesake(film)) => {
                let (row, film) = (&self.rows[index], &self.films[film]);
                let name = &row.values[fields::NAME];
                let text = format!("line {}: \"{name}\" is new; {} has the same title", row.line, describe(film));
                self.notes.push(text);
                RowMatch { similar: Some(film.id), ..RowMatch::default() }
            }
        }
    }

    fn ask_whether_film(&mut self, index: usize) -> RowMatch {
        let row = &self.rows[index];
        let has = match self.bare.contains(&index) {
            true => "has only a title, unlike the other lines",
            false => "has the running time of all other lines together",
        };
        let text = format!("\"{}\" {has}. Is it a film?", &row.values[fields::NAME]);
        self.questions.ask(row.line, text, Vec::new(), Decision::Skip)
    }

    fn ask(&mut self, index: usize, films: &[usize], doubt: Doubt, is_likely: bool) -> RowMatch {
        let (row, first) = (&self.rows[index], &self.films[films[0]]);
        let candidates = films.iter().map(|film| &self.films[*film]);
        let candidates = candidates.map(|film| Candidate { id: film.id, label: describe(film) }).collect();
        let proposal = match doubt {
            Doubt::Ambiguous | Doubt::OtherFilm => Decision::Skip,
            _ if is_likely => Decision::Same(first.id),
            _ => Decision::New,
        };
        self.questions.ask(row.line, text(row, first, doubt), candidates, proposal)
    }
}

/// A film in a sentence: `film 12, "River" (Uma Rao, 2025, Asian Cinema)`.
fn describe(film: &StoredFilm) -> String {
    let year = film.year.map(|year| year.to_string()).unwrap_or_default();
    let details = [film.director.as_deref().unwrap_or_default(), &year, &*film.section.name];
    let details: Vec<&str> = details.into_iter().filter(|text| !text.is_empty()).collect();
    format!("film {}, \"{}\" ({})", film.id, film.name, details.join(", "))
}

/// The question about a row and the film that it is likeliest to be.
fn text(row: &Row, film: &StoredFilm, doubt: Doubt) -> String {
    let (name, stored) = (&row.values[fields::NAME], describe(film));
    let listed = |field| match &row.values[field] {
        "" => "none".to_owned(),
        text => format!("\"{text}\""),
    };
    match doubt {
        Doubt::Moved => format!("Is \"{name}\" {stored}, moved to the section {}?", listed(fields::CATEGORY)),
        Doubt::Retitled | Doubt::OtherTitle => format!("Is \"{name}\" a new title of {stored}?"),
        Doubt::OtherYear => format!("Is \"{name}\" from the year {} {stored}?", listed(fields::YEAR)),
        Doubt::OtherDirector => format!("Is \"{name}\" by {} {stored}?", listed(fields::DIRECTOR)),
        Doubt::OtherFilm => format!("The id of \"{name}\" is that of {stored}. Is it that film?"),
        Doubt::Ambiguous => format!("Which film is \"{name}\"? It may be {stored}."),
    }
}
