//! Rows of other entities that the rows of a list name: stored ones, perhaps stored ones, and those to create.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use sqlx::AnyConnection;

use super::likeness::{fold, fold_title, header_words, is_alike};
use super::{Candidate, Decision, Decisions, MatchStatus, NewTarget, Question, SharedValues};
use crate::entity::{Choice, Entity, Kind, Values, table};
use festival_base::error::Result;

#[cfg(test)]
mod tests;

/// Share of letters in common from which names are nearly equal.
const LIKENESS: f64 = 0.85;

/// The row that a row of the list names.
#[derive(Clone, Debug)]
pub struct Target {
    /// The key of the row by the field that refers to it.
    pub values: SharedValues,
    /// The folded name of the row.
    pub folded: Arc<str>,
    /// The index of the question about it, if its name is similar to that of another row.
    question: Option<usize>,
}

/// The rows of an entity that a field of a list names.
pub struct Targets<'a> {
    field: &'static str,
    entity: &'static Entity,
    /// What a row is called: "section".
    noun: &'static str,
    decisions: &'a Decisions,
    by_name: HashMap<String, Arc<Target>>,
    stored: Vec<(Choice, Arc<Target>)>,
    keys: HashSet<String>,
    /// The highest position of a row.
    position: i64,
    /// The rows to create.
    pub added: Vec<NewTarget>,
    /// The questions about names.
    pub questions: Vec<Question>,
    /// Remarks for people.
    pub notes: Vec<String>,
}

impl<'a> Targets<'a> {
    /// The stored rows of an entity, which `field` of a list names; `noun` is what people call one.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn load(
        connection: &mut AnyConnection,
        edition: Option<i64>,
        (field, entity, noun): (&'static str, &'static Entity, &'static str),
        decisions: &'a Decisions,
    ) -> Result<Self> {
        let position = table::last_position(connection, entity, edition).await?;
        let mut targets = Self {
            field,
            entity,
            noun,
            decisions,
            by_name: HashMap::new(),
            stored: Vec::new(),
            keys: HashSet::new(),
            position,
            added: Vec::new(),
            questions: Vec::new(),
            notes: Vec::new(),
        };
        for choice in table::choices(connection, entity, edition).await? {
            let target = targets.target(&choice.key, &fold(&choice.name));
            targets.by_name.entry(target.folded.to_string()).or_insert_with(|| target.clone());
            targets.keys.insert(choice.key.clone());
            targets.stored.push((choice, target));
        }
        Ok(targets)
    }

    fn target(&self, key: &str, folded: &str) -> Arc<Target> {
        Arc::new(Target { values: [(self.field, key.to_owned())].into(), folded: folded.into(), question: None })
    }

    /// Whether the lines that name a row can be written, as far as its name is concerned.
    pub fn status(&self, target: &Target) -> MatchStatus {
        match target.question.map(|question| self.questions[question].decision) {
            Some(None) => MatchStatus::Open,
            Some(Some(Decision::Skip)) => MatchStatus::Skipped,
            _ => MatchStatus::Decided,
        }
    }

    /// Returns the row called `name`. A name similar to that of a stored row becomes a question; until it is answered,
    /// the stored row is used. Any other unknown name is a new row after all others.
    pub fn find_or_add(&mut self, name: &str, line: u64) -> Arc<Target> {
        let folded = fold(name);
        if let Some(target) = self.by_name.get(&folded).cloned() {
            let lines = target.question.map(|question| &mut self.questions[question].lines);
            if let Some(lines) = lines.filter(|lines| lines.last() != Some(&line)) {
                lines.push(line);
            }
            return target;
        }
        // "Hall 1 (420 seats)", "Hall 1, Lantern House".
        let bare = fold(name.split(['(', '[', ',']).next().unwrap_or_default());
        let is_named = |target: &Target| *target.folded == *bare || is_near(&target.folded, &folded);
        let mut near: Vec<(Choice, Arc<Target>)> =
            self.stored.iter().filter(|(_, target)| is_named(target)).cloned().collect();
        near.sort_by_key(|(_, target)| strsim::damerau_levenshtein(&target.folded, &folded));
        let target = match near.first() {
            None => self.add(name, &folded),
            Some((first, first_target)) => {
                let noun = self.noun;
                let label = |name: &str| format!("the {noun} \"{name}\"");
                let candidate = |(choice, _): &(Choice, _)| Candidate { id: choice.id, label: label(&choice.name) };
                let question = self.decisions.answered(Question {
                    key: format!("{noun}-{folded}"),
                    lines: vec![line],
                    text: format!("Is {} {}?", label(name), label(&first.name)),
                    noun,
                    proposal: Decision::Same(first.id),
                    candidates: near.iter().map(candidate).collect(),
                    decision: None,
                });
                let target = match question.decision {
                    Some(Decision::New) => self.add(name, &folded),
                    Some(Decision::Same(id)) => {
                        near.iter().find(|(choice, _)| choice.id == id).map_or(first_target, |(_, it)| it).clone()
                    }
                    _ => first_target.clone(),
                };
                self.questions.push(question);
                Target { question: Some(self.questions.len() - 1), ..Target::clone(&target) }.into()
            }
        };
        self.by_name.insert(folded, target.clone());
        target
    }

    /// Adds a new row after all others.
    fn add(&mut self, name: &str, folded: &str) -> Arc<Target> {
        let other = self.added.iter().map(NewTarget::title).find(|other| is_near(&fold(other), folded));
        let noun = self.noun;
        self.notes.extend(other.map(|other| format!("the new {noun}s \"{other}\" and \"{name}\" are nearly the same")));
        let name = name.trim().to_owned();
        let key_field = self.entity.key.first().and_then(|key| self.entity.field(key));
        let slug = key_field.filter(|field| matches!(field.kind, Kind::Slug));
        let key = slug.map_or_else(|| name.clone(), |_| self.free_slug(&name));
        let mut values = Values::from([(self.entity.title().name.to_owned(), name)]);
        values.extend(slug.map(|field| (field.name.to_owned(), key.clone())));
        if self.entity.field("position").is_some() {
            self.position += 10;
            values.insert("position".to_owned(), self.position.to_string());
        }
        self.keys.insert(key.clone());
        let target = self.target(&key, folded);
        self.added.push(NewTarget { entity: self.entity, key, values });
        target
    }

    /// Returns an unused slug: "asian-cinema", or with the noun, "section-2", for a name without Latin letters.
    fn free_slug(&self, name: &str) -> String {
        let mut slug = String::new();
        for c in name.to_lowercase().chars() {
            if c.is_ascii_alphanumeric() {
                slug.push(c);
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        }
        slug.truncate(80);
        let slug = slug.trim_end_matches('-');
        let slug = if slug.is_empty() { self.noun } else { slug };
        let numbered = (2..).map(|number| format!("{slug}-{number}"));
        std::iter::once(slug.to_owned()).chain(numbered).find(|slug| !self.keys.contains(slug)).unwrap_or_default()
    }
}

/// Whether two folded names may be those of one row: but for a typo, an article, a plural or the order of words.
/// "Asian Cinema" and "Indian Cinema" are not, however long the rest of both is.
fn is_near(left: &str, right: &str) -> bool {
    let words = |name: &str| {
        let mut words = header_words(&fold_title(name));
        // "&" is gone already.
        words.retain(|word| word != "and");
        words.sort_unstable();
        words
    };
    is_alike(left, right, LIKENESS) && are_words_alike(left, right) || words(left) == words(right)
}

/// Whether each word of a folded text equals that of the other but for one letter or a quarter of its letters. Texts
/// with different numbers of words are not compared word by word.
fn are_words_alike(left: &str, right: &str) -> bool {
    let is_corrected = |(left, right): (&str, &str)| {
        let longer = left.chars().count().max(right.chars().count());
        strsim::damerau_levenshtein(left, right) <= (longer / 4).max(1)
    };
    let (left, right) = (any_ascii::any_ascii(left).to_lowercase(), any_ascii::any_ascii(right).to_lowercase());
    let (left, right): (Vec<&str>, Vec<&str>) = (left.split(' ').collect(), right.split(' ').collect());
    left.len() != right.len() || left.into_iter().zip(right).all(is_corrected)
}
