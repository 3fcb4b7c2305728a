//! Matches the lines of a list to films, halls and stored screenings.

use std::collections::{BTreeMap, BTreeSet};

use festival_core::Result;
use festival_core::entity::Values;
use festival_core::importing::likeness::{fold, fold_title, is_alike};
use festival_core::importing::{
    Candidate, Decision, Decisions, MatchStatus, Matches, Question, Row, RowMatch, Targets, header_names,
};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use sqlx::AnyConnection;

use crate::day;
use crate::entities::{HALL, SCREENING_FILM};
use crate::working::{self, Programme, Screening};

/// Share of letters in common from which a title may be that of a film.
const MAY_BE: f64 = 0.7;
/// Share of letters in common from which that film is proposed.
const LIKELY: f64 = 0.85;
/// Maximum number of films that a question names.
const MAX_CANDIDATES: usize = 5;

/// What separates the titles of a screening of several films.
static BETWEEN_FILMS: [&str; 12] = ["+", "/", "&", " and ", ";", "\n", ",", "|", "•", " – ", " - ", " followed by "];
/// What separates a title from remarks about it, besides [`BETWEEN_FILMS`].
static BEFORE_REMARKS: [&str; 8] = ["(", ")", "[", "]", ":", " — ", " with ", " dir"];

/// What a title in a list refers to.
enum Meaning {
    Known(i64),
    /// Undecided until a question is answered.
    Open,
    Skipped,
    /// Nothing here has this name.
    New,
}

struct Matcher<'a> {
    programme: &'a Programme,
    zone: &'a TimeZone,
    decisions: &'a Decisions,
    /// Films by folded title, in either language.
    titles: BTreeMap<String, BTreeSet<i64>>,
    halls: Targets<'a>,
    questions: BTreeMap<String, Question>,
    /// Stored screenings that no line is matched to yet.
    free: BTreeSet<i64>,
}

/// Matches each line. What only a person can decide becomes a question, unless `decisions` answer it.
pub(super) async fn match_rows(
    connection: &mut AnyConnection,
    edition: i64,
    zone: &TimeZone,
    rows: &[Row],
    decisions: &Decisions,
) -> Result<Matches> {
    let programme = working::load(connection, edition).await?;
    let mut titles: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
    for film in programme.films.values() {
        for title in [Some(&film.name), film.original_title.as_ref()].into_iter().flatten() {
            titles.entry(fold_title(title)).or_default().insert(film.id);
        }
    }
    let mut matcher = Matcher {
        programme: &programme,
        zone,
        decisions,
        titles,
        halls: Targets::load(connection, Some(edition), ("hall", &HALL, "hall"), decisions).await?,
        questions: BTreeMap::new(),
        free: programme.screenings.iter().map(|screening| screening.id).collect(),
    };
    // Certain matches first, so that no question proposes a screening that belongs to another line.
    let resolved: Vec<RowMatch> = rows.iter().map(|row| matcher.names(row)).collect();
    let mut matched: Vec<RowMatch> = Vec::with_capacity(rows.len());
    for (row, mut known) in rows.iter().zip(resolved) {
        known.id = matcher.same_screening(row, &known);
        matched.push(known);
    }
    for (row, known) in rows.iter().zip(&mut matched) {
        if known.id.is_none() && known.status == MatchStatus::Decided {
            matcher.moved_screening(row, known);
        }
    }
    let mut questions: Vec<Question> = matcher.questions.into_values().chain(matcher.halls.questions).collect();
    questions.sort_by_key(|question| question.lines.first().copied());
    Ok(Matches {
        rows: matched,
        new_targets: matcher.halls.added,
        questions,
        notes: matcher.halls.notes,
        ..Matches::default()
    })
}

impl Matcher<'_> {
    /// The film and the hall of a line.
    fn names(&mut self, row: &Row) -> RowMatch {
        let mut known = RowMatch::default();
        let mut values = Vec::new();
        if let Some(name) = row.values.get("hall") {
            let hall = self.halls.find_or_add(name, row.line);
            known.status = self.halls.status(&hall);
            values.extend(hall.values.iter().cloned());
        }
        let kind = row.values.get("kind").map(fold);
        let is_film = |title: &&str| {
            kind.as_deref().is_none_or(|kind| kind == "film") && self.titles.contains_key(&fold_title(title))
        };
        // A list of events may have films among them.
        let event = row.values.get("title").filter(is_film).filter(|_| !row.values.contains_key("film"));
        if let Some(title) = row.values.get("film").or(event) {
            if self.is_cancelled(title) && !row.values.contains_key("is_cancelled") {
                values.push(("is_cancelled", "yes".to_owned()));
            }
            let package = self.package(title);
            for (film, position) in package.iter().skip(1).zip(1..) {
                let of = [("film", film.to_string()), ("position", (position * 10).to_string())];
                let values: Values = of.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
                known.further.push((&SCREENING_FILM, "screening", values));
            }
            if package.len() > 1 && kind.is_none() {
                values.push(("kind", "package".to_owned()));
            }
            let meaning = match kind.as_deref() {
                _ if !package.is_empty() => Meaning::Known(package[0]),
                Some("talk" | "ceremony") => Meaning::New,
                _ => self.film(title, row.line),
            };
            match meaning {
                Meaning::Known(film) => {
                    values.push(("film", film.to_string()));
                    values.extend(event.map(|_| ("title", String::new())));
                }
                // A talk or a ceremony, which has a title and no film.
                Meaning::New => {
                    values.extend([("film", String::new()), ("title", title.to_owned())]);
                    if !row.values.contains_key("kind") {
                        values.push(("kind", "talk".to_owned()));
                    }
                }
                Meaning::Open if known.status == MatchStatus::Decided => known.status = MatchStatus::Open,
                Meaning::Open => {}
                Meaning::Skipped => known.status = MatchStatus::Skipped,
            }
        }
        known.values = values.into();
        known
    }

    /// The films of "Salt Wind + The Rain Road", each once; none if a film has this title, or no film that of a part.
    fn package(&self, title: &str) -> Vec<i64> {
        let of_title = |title: &str| match self.titles.get(&fold_title(title))?.iter().collect::<Vec<_>>()[..] {
            [only] => Some(*only),
            _ => None,
        };
        if self.titles.contains_key(&fold_title(title)) {
            return Vec::new();
        }
        // One mark separates films whose titles have others.
        let mut marks = BETWEEN_FILMS.iter().map(std::slice::from_ref).chain([&BETWEEN_FILMS[..]]);
        let films = |marks: &[&str]| {
            let parts = Some(parts(title, marks)).filter(|parts| parts.len() > 1)?;
            parts.iter().map(|part| of_title(&without_remark(part))).collect::<Option<Vec<i64>>>()
        };
        let mut once = BTreeSet::new();
        let films = marks.find_map(films).unwrap_or_default();
        films.into_iter().filter(|film| once.insert(*film)).collect()
    }

    /// The films whose titles are parts of a text: "Opening film: Salt Wind (DCP)".
    fn named(&self, text: &str) -> BTreeSet<i64> {
        let parts = all_parts(text);
        let bare = |part: &String| fold_title(&without_remark(without_cancelled(part).unwrap_or(part)));
        parts.iter().filter_map(|part| self.titles.get(&bare(part))).flatten().copied().collect()
    }

    /// Whether a text that is no film's title says so: "Salt Wind (screening cancelled)".
    fn is_cancelled(&self, text: &str) -> bool {
        let is_title = self.titles.contains_key(&fold_title(text));
        !is_title && all_parts(text).iter().any(|part| without_cancelled(part).is_some())
    }

    fn film(&mut self, title: &str, line: u64) -> Meaning {
        let folded = fold_title(title);
        let mut candidates: Vec<i64> = self.titles.get(&folded).into_iter().flatten().copied().collect();
        if let [only] = candidates[..] {
            return Meaning::Known(only);
        }
        let (text, proposal) = if candidates.is_empty() {
            let like = |threshold| -> BTreeSet<i64> {
                let titles = self.titles.iter().filter(|(other, _)| is_alike(&folded, other, threshold));
                titles.flat_map(|(_, films)| films.iter().copied()).collect()
            };
            // "The Rain Road (repeat)", "The Rain Road / Anagha Vellimon / India / 2026".
            let named = self.named(title);
            let (likely, possible) =
                if named.is_empty() { (like(LIKELY), like(MAY_BE)) } else { (named, BTreeSet::new()) };
            candidates = likely.iter().chain(possible.difference(&likely)).copied().collect();
            candidates.truncate(MAX_CANDIDATES);
            let text = match candidates.first() {
                Some(film) => format!("Is \"{title}\" {}?", self.describe(*film)),
                None => format!("No film is called \"{title}\". Is it a talk or another event without a film?"),
            };
            let only = likely.first().filter(|_| likely.len() == 1);
            (text, only.map_or(Decision::Skip, |film| Decision::Same(*film)))
        } else {
            (format!("Which film is \"{title}\"? It may be {}.", self.describe(candidates[0])), Decision::Skip)
        };
        let candidates = candidates.into_iter().map(|id| Candidate { id, label: self.describe(id) }).collect();
        self.ask(format!("film-{folded}"), line, text, "event without a film", candidates, proposal)
    }

    fn ask(
        &mut self,
        key: String,
        line: u64,
        text: String,
        noun: &'static str,
        candidates: Vec<Candidate>,
        proposal: Decision,
    ) -> Meaning {
        let question = self.questions.entry(key.clone()).or_insert_with(|| {
            let lines = Vec::new();
            self.decisions.answered(Question { key, lines, text, noun, candidates, proposal, decision: None })
        });
        if question.lines.last() != Some(&line) {
            question.lines.push(line);
        }
        match question.decision {
            None => Meaning::Open,
            Some(Decision::Skip) => Meaning::Skipped,
            Some(Decision::New) => Meaning::New,
            Some(Decision::Same(id)) => Meaning::Known(id),
        }
    }

    /// A film in a sentence: `film 12, "River" (Uma Rao, 2025)`.
    fn describe(&self, film: i64) -> String {
        let Some(film) = self.programme.films.get(&film) else { return format!("film {film}") };
        let year = film.year.map(|year| year.to_string());
        let details = [film.director_name.clone(), year, Some(film.category_name.clone())];
        let details: Vec<String> = details.into_iter().flatten().collect();
        format!("film {}, \"{}\" ({})", film.id, film.name, details.join(", "))
    }

    /// The stored screening that a line certainly refers to: with its code, or of the same film at the same time.
    fn same_screening(&mut self, row: &Row, known: &RowMatch) -> Option<i64> {
        let code = row.values.get("code").map(fold);
        let has_code = |it: &&Screening| code.is_some() && it.code.as_deref().map(fold).as_ref() == code.as_ref();
        let starts_at = starts_at(row, self.zone);
        let hall = known.value("hall");
        let is_same = |it: &&Screening, needs_hall: bool| {
            let in_hall = self.programme.hall(it.hall).map(|hall| &*hall.name) == hall;
            self.is_about(it, row, known) && Some(it.starts_at) == starts_at && (in_hall || !needs_hall)
        };
        let free = || self.programme.screenings.iter().filter(|it| self.free.contains(&it.id));
        let same = free()
            .find(has_code)
            .or_else(|| free().find(|it| is_same(it, true)))
            .or_else(|| free().find(|it| is_same(it, false)));
        let id = same.filter(|_| known.status == MatchStatus::Decided)?.id;
        self.free.remove(&id);
        Some(id)
    }

    /// Whether a stored screening shows the film of a line, or has its title.
    fn is_about(&self, screening: &Screening, row: &Row, known: &RowMatch) -> bool {
        let film: Option<i64> = known.value("film").and_then(|film| film.parse().ok());
        let title = known.value("title").or_else(|| row.values.get("title"));
        match (film, title) {
            (Some(film), _) => screening.films.first() == Some(&film),
            (None, Some(title)) => screening.title.as_deref().map(fold) == Some(fold(title)),
            (None, None) => false,
        }
    }

    /// Asks whether a line is a screening of the same film on the same day that was moved.
    fn moved_screening(&mut self, row: &Row, known: &mut RowMatch) {
        let Some(starts_at) = starts_at(row, self.zone) else { return };
        let on = day::of(starts_at, self.zone);
        let is_candidate = |it: &&Screening| {
            self.free.contains(&it.id) && day::of(it.starts_at, self.zone) == on && self.is_about(it, row, known)
        };
        let candidates: Vec<&Screening> = self.programme.screenings.iter().filter(is_candidate).collect();
        let [first, ..] = candidates[..] else { return };
        let describe = |screening: &Screening| {
            let hall = self.programme.hall(screening.hall).map_or("", |hall| &hall.name);
            let title = self.programme.title(screening);
            format!("\"{title}\" in {hall}, {}", day::text(screening.starts_at, self.zone))
        };
        let label = |it: &&Screening| Candidate { id: it.id, label: describe(it) };
        let question = self.decisions.answered(Question {
            key: format!("line-{}", row.line),
            lines: vec![row.line],
            text: format!("Is it {}, moved to {}?", describe(first), day::text(starts_at, self.zone)),
            noun: "screening",
            candidates: candidates.iter().map(label).collect(),
            proposal: Decision::Same(first.id),
            decision: None,
        });
        *known = RowMatch { values: known.values.clone(), ..question.row_match() };
        if let Some(id) = known.id {
            self.free.remove(&id);
        }
        self.questions.insert(question.key.clone(), question);
    }
}

/// The parts of a text between any of the marks, in lower case.
fn parts(text: &str, marks: &[&str]) -> Vec<String> {
    let text = marks.iter().fold(text.to_lowercase(), |text, mark| text.replace(mark, "\n"));
    text.lines().map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// The parts of a text between titles and remarks, in lower case.
fn all_parts(text: &str) -> Vec<String> {
    parts(text, &[&BETWEEN_FILMS[..], &BEFORE_REMARKS].concat())
}

/// The rest of a part of a title in lower case that begins or ends with a word for "cancelled".
fn without_cancelled(part: &str) -> Option<&str> {
    header_names("screenings: yes").find_map(|word| {
        let before = part.strip_suffix(word).filter(|rest| !rest.ends_with(char::is_alphanumeric));
        let after = || part.strip_prefix(word).filter(|rest| !rest.starts_with(char::is_alphanumeric));
        before.or_else(after).map(str::trim).filter(|rest| *rest != "not")
    })
}

/// A title without what lists write beside it: "1. ", "(repeat)", "(104 min)", "[DCP]", an asterisk.
fn without_remark(title: &str) -> String {
    let title = title.trim().trim_end_matches(['*', '†', '#']).trim_end();
    let number = title.split_once(['.', ')']).filter(|(number, rest)| {
        rest.starts_with(' ') && (1..3).contains(&number.len()) && number.bytes().all(|digit| digit.is_ascii_digit())
    });
    let title = number.map_or(title, |(_, rest)| rest.trim_start());
    match title.rsplit_once(['(', '[']) {
        Some((before, remark)) if remark.ends_with([')', ']']) && !before.trim().is_empty() => without_remark(before),
        _ => title.to_owned(),
    }
}

fn starts_at(row: &Row, zone: &TimeZone) -> Option<Timestamp> {
    let field = crate::entities::SCREENING.field("starts_at")?;
    match field.parse(row.values.get("starts_at")?, zone).ok()? {
        festival_core::entity::Datum::Text(text) => text.parse().ok(),
        _ => None,
    }
}
