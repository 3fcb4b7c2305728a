//! Finds the sections of an edition that the rows of a list name, and those that have to be created.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use festival_core::Result;
use festival_core::entity::Values;
use festival_core::importing::likeness::{fold, fold_title, header_words, is_alike};
use festival_core::importing::{Candidate, Decision, Decisions, NewTarget, Question, SharedValues};
use sqlx::{AnyConnection, Row as _};

use super::fields;
use super::likeness::are_words_alike;
use crate::category::CATEGORY;

/// Share of letters in common from which names of sections are nearly equal.
const LIKENESS: f64 = 0.85;

/// Whether two folded names may be those of one section: but for a typo, an article, a plural or the order of words.
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

/// The section that a row names.
#[derive(Clone, Debug)]
pub(super) struct Section {
    /// The values that its rows share: its slug.
    pub(super) values: SharedValues,
    /// Its folded name.
    pub(super) folded: Arc<str>,
    /// The index of the question about it, if its name is similar to that of another section.
    pub(super) question: Option<usize>,
}

impl Section {
    fn new(slug: &str, folded: &str) -> Arc<Self> {
        let values = [(fields::CATEGORY, slug.to_owned())].into();
        Arc::new(Self { values, folded: folded.into(), question: None })
    }
}

/// The sections of an edition by their folded names.
pub(super) struct Sections {
    by_name: HashMap<String, Arc<Section>>,
    stored: Vec<Stored>,
    slugs: HashSet<String>,
    /// The highest position of a section.
    position: i64,
    pub(super) added: Vec<NewTarget>,
    pub(super) questions: Vec<Question>,
    pub(super) notes: Vec<String>,
}

struct Stored {
    id: i64,
    name: String,
    section: Arc<Section>,
}

impl Sections {
    pub(super) async fn load(connection: &mut AnyConnection, edition: Option<i64>) -> Result<Self> {
        let rows =
            sqlx::query("SELECT id, name, slug, position FROM categories WHERE edition_id = $1 ORDER BY id DESC")
                .bind(edition)
                .fetch_all(connection)
                .await?;
        let mut sections = Self {
            by_name: HashMap::new(),
            stored: Vec::new(),
            slugs: HashSet::new(),
            position: 0,
            added: Vec::new(),
            questions: Vec::new(),
            notes: Vec::new(),
        };
        for row in rows {
            let (slug, name): (String, String) = (row.try_get("slug")?, row.try_get("name")?);
            let section = Section::new(&slug, &fold(&name));
            sections.by_name.insert(section.folded.to_string(), section.clone());
            sections.stored.push(Stored { id: row.try_get("id")?, name, section });
            sections.slugs.insert(slug);
            sections.position = sections.position.max(row.try_get("position")?);
        }
        Ok(sections)
    }

    /// Returns the section called `name`. A name similar to that of a stored section becomes a question; until it is
    /// answered, the stored section is used. Any other unknown name is a new section after all others.
    pub(super) fn find_or_add(&mut self, name: &str, line: u64, decisions: &Decisions) -> Arc<Section> {
        let folded = fold(name);
        if let Some(section) = self.by_name.get(&folded).cloned() {
            if let Some(question) = section.question {
                self.questions[question].lines.push(line);
            }
            return section;
        }
        let mut near: Vec<&Stored> =
            self.stored.iter().filter(|stored| is_near(&stored.section.folded, &folded)).collect();
        near.sort_by_key(|stored| strsim::damerau_levenshtein(&stored.section.folded, &folded));
        let section = match near.first() {
            None => self.add(name, &folded),
            Some(first) => {
                let candidates: Vec<Candidate> = near
                    .iter()
                    .map(|stored| Candidate { id: stored.id, label: format!("the section \"{}\"", stored.name) })
                    .collect();
                let question = decisions.answered(Question {
                    key: format!("section-{folded}"),
                    lines: vec![line],
                    text: format!("Is the section \"{name}\" the section \"{}\"?", first.name),
                    noun: "section",
                    proposal: Decision::Same(first.id),
                    candidates,
                    decision: None,
                });
                let section = match question.decision {
                    Some(Decision::New) => self.add(name, &folded),
                    Some(Decision::Same(id)) => {
                        near.iter().find(|stored| stored.id == id).unwrap_or(first).section.clone()
                    }
                    _ => first.section.clone(),
                };
                self.questions.push(question);
                Section { question: Some(self.questions.len() - 1), ..Section::clone(&section) }.into()
            }
        };
        self.by_name.insert(folded, section.clone());
        section
    }

    /// Adds a new section after all others.
    fn add(&mut self, name: &str, folded: &str) -> Arc<Section> {
        let title = |target: &NewTarget| target.values.get("name").cloned().unwrap_or_default();
        let other = self.added.iter().map(title).find(|other| is_near(&fold(other), folded));
        self.notes
            .extend(other.map(|other| format!("the new sections \"{other}\" and \"{name}\" are nearly the same")));
        self.position += 10;
        let slug = self.free_slug(name);
        let values = Values::from([
            ("slug".to_owned(), slug.clone()),
            ("name".to_owned(), name.to_owned()),
            ("position".to_owned(), self.position.to_string()),
        ]);
        self.slugs.insert(slug.clone());
        let section = Section::new(&slug, folded);
        self.added.push(NewTarget { entity: &CATEGORY, key: slug, values });
        section
    }

    /// Returns an unused slug: "asian-cinema", "section-2" for a name without Latin letters.
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
        let slug = if slug.is_empty() { "section" } else { slug };
        let numbered = (2..).map(|number| format!("{slug}-{number}"));
        std::iter::once(slug.to_owned()).chain(numbered).find(|slug| !self.slugs.contains(slug)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_sections_are_near_and_sections_that_differ_in_a_word_are_not() {
        let near = |left: &str, right: &str| is_near(&fold(left), &fold(right));
        assert!(near("Asian Cinema Competition", "Asian Cinemas Competition"));
        assert!(near("Asian Cinema Competition", "Asian Cinema Competiton"));
        assert!(near("Retrospective: Smita Patil", "Retrospective Smitha Patil"));
        assert!(near("Indian Panorama", "Indian Panaroma"));
        assert!(!near("Italian Cinema of Today", "Iranian Cinema of Today"));
        assert!(near("Open Air Screenings", "OpenAir Screenings"));
        assert!(near("Documentarys", "Documentaries") && near("Documentary", "Documentaries"));
        assert!(near("Shorts & Documentaries", "Shorts and Documentaries"));
        assert!(near("The Masters", "Masters") && near("The World Cinema", "World Cinema"));
        assert!(near("Cinema World", "World Cinema") && !near("World Cinema", "World"));
        assert!(!near("Asian Cinema Competition", "Indian Cinema Competition"));
        assert!(!near("Short Films of Kerala 2024", "Short Films of Kerala 2025"));
        assert!(!near("Retrospective: Dr. Rajkumar", "Retrospective: Smita Patil"));
    }
}
