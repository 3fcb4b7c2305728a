//! What headers of a list mean: a header is folded, then looked up among the names of `headers.txt`.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::cells::flag;
use super::likeness::header_words;
use super::list_field::{ListField, is_label};
use super::values::is_latin;
use crate::entity::{Entity, Reads};

/// The names in the file, by section: lines `Language: name, name` below headings `[section]`. Lines that begin with `#`
/// are comments.
static NAMES: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let mut names = HashMap::<_, Vec<_>>::new();
    let mut section = "";
    for line in include_str!("headers.txt").lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = name;
        } else if let Some((_, list)) = line.split_once(": ").filter(|_| !line.starts_with('#')) {
            let list = list.split([',', '،', '、', '，']).map(str::trim).filter(|name| !name.is_empty());
            names.entry(section).or_default().extend(list);
        }
    }
    names
});

/// The names in a section of `headers.txt`, in the order of the file.
pub fn header_names(section: &str) -> impl Iterator<Item = &'static str> + use<> {
    NAMES.get(section).into_iter().flatten().copied()
}

/// The sections of `headers.txt`.
pub fn header_sections() -> impl Iterator<Item = &'static str> {
    NAMES.keys().copied()
}

/// The sections of the parts that names of people have in some lists, in their order.
const PARTS_OF_NAMES: [&str; 4] = ["Salutation", "First name", "Middle name", "Last name"];

/// What a header means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// A field; of two columns for one field the lower rank wins.
    Field {
        /// The name of the field.
        field: &'static str,
        /// How well the header describes it, from 0.
        rank: usize,
    },
    /// A field, if the cells of the column are words for yes and no; or else if they are not.
    ByCells {
        /// The name of the field.
        field: &'static str,
        /// Whether its cells are such words.
        are_flags: bool,
    },
    /// Personal data, which are not imported.
    Personal,
    /// No field.
    Unknown,
}

/// The fields of a list and what its headers are called.
pub struct ListHeaders {
    /// What a row is called: "film".
    pub singular: &'static str,
    /// The fields that columns can fill.
    pub fields: Vec<ListField>,
    /// The field of names, which may have a column for each part of a name.
    pub title: Option<&'static str>,
    /// The meaning of every known header, folded.
    meanings: HashMap<String, Meaning>,
    /// Words that say nothing about which field it is.
    no_meaning: Vec<String>,
    /// Words that mark any header with them as one of personal data.
    personal: Vec<String>,
    /// Headers of titles that may as well name something else.
    any_name: Vec<String>,
    /// Words for a title next to the name of a language.
    title_words: Vec<String>,
    /// Languages that occur before or after the word for a title.
    languages: Vec<String>,
    /// The language of the displayed title and of all other texts.
    shown_language: Vec<String>,
    /// Titles in English: another title next to them is the original one.
    english_title: Vec<String>,
    /// Cells that mean yes or no, in pairs with what they mean; those that fields parse themselves have none.
    flags: Vec<(String, Option<&'static str>)>,
}

impl ListHeaders {
    /// The headers of lists of an entity.
    pub fn of(entity: &'static Entity) -> Arc<Self> {
        static KNOWN: Mutex<Option<HashMap<&'static str, Arc<ListHeaders>>>> = Mutex::new(None);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_default().entry(entity.table);
        known.or_insert_with(|| Self::new(entity, ListField::all_of(entity)).into()).clone()
    }

    /// The headers of lists of an entity that fill these fields.
    pub fn new(entity: &'static Entity, fields: Vec<ListField>) -> Self {
        let words = |section: &str| -> Vec<String> {
            header_names(&format!("{}: {section}", entity.table)).map(fold_word).collect()
        };
        let mut no_meaning = words("no meaning");
        let nouns = header_words(entity.singular).into_iter().chain(header_words(entity.plural));
        if no_meaning.is_empty() {
            no_meaning = nouns.chain(["s", "of", "the"].map(str::to_owned)).collect();
        }
        let title = fields.iter().find(|field| field.name == entity.title().name && field.is_found_by_label);
        let mut headers = Self {
            singular: entity.singular,
            title: title.map(|field| field.name),
            meanings: HashMap::new(),
            no_meaning,
            personal: words("personal words"),
            any_name: words("any name"),
            title_words: words("title"),
            languages: words("languages"),
            shown_language: words("shown language"),
            english_title: Vec::new(),
            flags: [("yes", Some("yes")), ("no", Some("no")), ("yes or no", None)]
                .into_iter()
                .flat_map(|(section, flag)| words(section).into_iter().map(move |word| (word, flag)))
                .collect(),
            fields,
        };
        headers.english_title =
            header_names(&format!("{}: english title", entity.table)).map(|name| headers.fold(name)).collect();
        headers.add_names(entity);
        headers
    }

    /// Adds the names of the fields. One that several fields have means the first of them.
    fn add_names(&mut self, entity: &Entity) {
        let section = |field: &ListField| format!("{}.{}", entity.table, field.name);
        let mut names: Vec<(String, Meaning)> = Vec::new();
        let mut add = |names_of: &mut dyn Iterator<Item = &'static str>, meaning: &dyn Fn(usize) -> Meaning| {
            names.extend(names_of.enumerate().map(|(rank, name)| (self.fold(name), meaning(rank))));
        };
        // Where a list has names of its own for a field, they say best what it is; otherwise its label does.
        let (own, general): (Vec<&ListField>, Vec<&ListField>) =
            self.fields.iter().partition(|field| NAMES.contains_key(&*section(field)));
        let ranked = |field: &'static str, first: usize| move |rank| Meaning::Field { field, rank: first + rank };
        for field in &general {
            add(&mut field.labels(), &ranked(field.name, 0));
        }
        for field in &general {
            add(&mut header_names(field.label), &ranked(field.name, 2));
        }
        for field in own {
            add(&mut header_names(&section(field)).chain(field.labels()), &ranked(field.name, 0));
        }
        add(&mut header_names(&format!("{}: personal", entity.table)), &|_| Meaning::Personal);
        for field in &self.fields {
            for (condition, are_flags) in [("if yes or no", true), ("unless yes or no", false)] {
                let by_cells = Meaning::ByCells { field: field.name, are_flags };
                add(&mut header_names(&format!("{} {condition}", section(field))), &|_| by_cells);
            }
        }
        for (name, meaning) in names {
            self.meanings.entry(name).or_insert(meaning);
        }
    }

    /// The field called `name`.
    pub fn field(&self, name: &str) -> Option<&ListField> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The only field of lists of its kind that is read in this way.
    fn read_as(&self, reads: Reads) -> Option<&'static str> {
        self.fields.iter().find(|field| field.reads == reads).map(|field| field.name)
    }

    /// The words of a header without those that have no meaning, unless there are no others.
    pub(super) fn words(&self, header: &str) -> Vec<String> {
        let words = header_words(header);
        let mut relevant: Vec<String> = words.iter().filter(|word| !self.no_meaning.contains(word)).cloned().collect();
        if let ([_, last], Some(name)) = (&mut relevant[..], self.shown_language.first())
            && self.shown_language.contains(last)
        {
            last.clone_from(name);
        }
        if relevant.is_empty() { words } else { relevant }
    }

    /// Folds a header so that different spellings become equal: `Run time`, `run_time`, `RUNTIME`.
    pub fn fold(&self, header: &str) -> String {
        self.words(header).concat()
    }

    /// Separates the number at the end of a header: `director.1`, `Director 2`, `director[3]`.
    pub(super) fn numbered(&self, header: &str) -> Option<(String, u32)> {
        let mut words = self.words(header);
        let number = words.pop().filter(|_| !words.is_empty())?.parse().ok()?;
        Some((words.concat(), number))
    }

    /// Returns what the header of a column with these cells means.
    pub fn meaning_of<'a>(&self, header: &str, cells: impl Iterator<Item = &'a str>) -> Meaning {
        let known = self.meaning(header);
        let Meaning::ByCells { field, are_flags } = known else { return known };
        let is_flag = |cell: &str| flag(cell).is_some() || self.flags.iter().any(|(word, _)| *word == fold_word(cell));
        let (mut count, mut flags) = (0, 0);
        for cell in cells.map(str::trim).filter(|cell| !cell.is_empty()) {
            count += 1;
            flags += usize::from(is_flag(cell));
        }
        // Other words among flags are refused: without their column, drafts would be published.
        let fits = if are_flags { flags * 2 > count } else { count == 0 || flags < count };
        // Ranked after every other name of the field.
        if fits { Meaning::Field { field, rank: usize::MAX } } else { Meaning::Unknown }
    }

    /// Converts words such as "published" and "draft" to "yes" or "no"; returns any other text as it is.
    pub fn flag(&self, text: String) -> String {
        let word = fold_word(&text);
        let flag = self.flags.iter().find(|(known, _)| *known == word).and_then(|(_, flag)| *flag);
        flag.map_or(text, str::to_owned)
    }

    /// Returns what a header means, whatever the cells of its column are.
    pub fn meaning(&self, header: &str) -> Meaning {
        let is_labelled = |field: &&ListField| field.is_found_by_label && is_label(header, [field.label, field.name]);
        if let Some(field) = self.fields.iter().find(is_labelled) {
            return Meaning::Field { field: field.name, rank: 0 };
        }
        let words = self.words(header);
        if words.iter().any(|word| self.personal.contains(word)) {
            return Meaning::Personal;
        }
        // Only the words for a row: "Guest" in a list of guests.
        if let Some(title) = self.title.filter(|_| !words.is_empty())
            && words.iter().all(|word| self.no_meaning.contains(word))
        {
            return Meaning::Field { field: title, rank: 2 };
        }
        // "Film Title (English)", "Film Country"; but "Film / Country" has both.
        let of_row = header
            .trim_start()
            .split_once(' ')
            .filter(|(noun, rest)| noun.eq_ignore_ascii_case(self.singular) && rest.starts_with(char::is_alphabetic));
        let rest = of_row.map(|(_, rest)| self.words(rest));
        for words in std::iter::once(&words).chain(&rest) {
            let known = self.of_words(words);
            if known != Meaning::Unknown {
                return known;
            }
        }
        if let Some((stem, _)) = self.numbered(header)
            && let Some(meaning) = self.meanings.get(&stem)
        {
            return *meaning;
        }
        match self.of_member(header) {
            Meaning::Unknown => self.of_two_languages(header),
            known => known,
        }
    }

    /// Returns the meaning of a header that names a member of an object: `spoken_languages.english_name` in JSON lists,
    /// `directorLabel` in those of Wikidata.
    fn of_member(&self, header: &str) -> Meaning {
        let of_wikidata = || Some((header.strip_suffix("Label")?, "name"));
        let Some((stem, member)) = header.rsplit_once('.').or_else(of_wikidata) else { return Meaning::Unknown };
        // "runtime.minutes"
        let minutes = self.read_as(Reads::Minutes);
        if matches!(self.of_words(&self.words(member)), Meaning::Field { field, .. } if Some(field) == minutes) {
            return self.of_words(&self.words(stem));
        }
        match &header_words(member)[..] {
            [name] if self.any_name.contains(name) => self.of_words(&self.words(stem)),
            [english, name] if self.shown_language.contains(english) && self.any_name.contains(name) => {
                self.of_words(&self.words(stem))
            }
            _ => Meaning::Unknown,
        }
    }

    fn of_words(&self, words: &[String]) -> Meaning {
        if let Some(known) = self.meanings.get(&words.concat()) {
            return *known;
        }
        let is_title = |word: &String| self.title_words.contains(word);
        let is_language = |word: &String| self.languages.contains(word);
        match (words, self.read_as(Reads::OriginalTitle)) {
            // "description.en", "Synopsis (English)".
            ([first, language], _) if self.shown_language.contains(language) && !is_title(first) => {
                self.meanings.get(first).copied().unwrap_or(Meaning::Unknown)
            }
            // "Kannada Title", "Title (Kannada)", "title.fi": ranked after every synonym of the original title. A
            // language before the title is spelled out: "no title" has none.
            ([first, second], Some(field))
                if is_title(first) && is_language(second)
                    || first.chars().count() > 2 && is_language(first) && is_title(second) =>
            {
                Meaning::Field { field, rank: usize::MAX }
            }
            _ => Meaning::Unknown,
        }
    }

    /// Returns the meaning of a header in two languages, `Director / 导演`, `片名 Title`, if both mean the same.
    fn of_two_languages(&self, header: &str) -> Meaning {
        let separators = ['/', '|', '\n', '(', ')', '（', '）', '[', ']', '-', '–', '·'];
        let by_sign: Vec<String> = header.split(separators).map(str::to_owned).collect();
        let (latin, other): (Vec<String>, Vec<String>) =
            header.split_whitespace().map(str::to_owned).partition(|word| is_latin(word));
        for parts in [by_sign, vec![latin.join(" "), other.join(" ")]] {
            let parts: Vec<Vec<String>> =
                parts.iter().map(|part| self.words(part)).filter(|part| !part.is_empty()).collect();
            let mut meanings = parts
                .iter()
                .filter(|part| !part.iter().all(|word| self.no_meaning.contains(word)))
                .map(|part| self.of_words(part));
            let Some(first) = meanings.next().filter(|_| parts.len() > 1) else { continue };
            let agrees = |other: Meaning| match (first, other) {
                (Meaning::Field { field, .. }, Meaning::Field { field: other, .. }) => field == other,
                (first, other) => first == other,
            };
            if meanings.all(agrees) && first != Meaning::Unknown {
                return first;
            }
        }
        Meaning::Unknown
    }

    /// The fields that a header like "Country / Year" names, in words.
    pub(super) fn fields_together(&self, header: &str) -> Vec<String> {
        let parts = header
            .split(['/', ',', '&', '+', ';', '(', ')'])
            .filter(|part| !part.trim().is_empty())
            .flat_map(|part| part.split(" and "));
        let field_of = |part: &str| match self.meaning(part) {
            Meaning::Field { field, .. } => Some(field.replace('_', " ")),
            _ => None,
        };
        parts.map(field_of).collect::<Option<Vec<String>>>().unwrap_or_default()
    }

    /// Where the part of a name that a header names stands: salutations 0, first names 1, middle names 2, last names 3.
    pub(super) fn place_in_name(&self, header: &str) -> Option<usize> {
        let folded = self.fold(header);
        PARTS_OF_NAMES.iter().position(|section| header_names(section).any(|name| self.fold(name) == folded))
    }

    /// Whether this is the header of the English title, so that a column "Title" holds the original one.
    pub fn is_english_title(&self, header: &str) -> bool {
        let is = |list: &[String], word: &String| list.contains(word);
        let words = self.words(header);
        self.english_title.contains(&words.concat())
            || matches!(&words[..], [first, second]
            if is(&self.shown_language, first) && is(&self.title_words, second)
                || is(&self.title_words, first) && is(&self.shown_language, second))
    }

    /// Whether this header may name anything, not only what the list is of.
    pub fn is_bare_name(&self, header: &str) -> bool {
        self.any_name.contains(&self.fold(header))
    }
}

/// Folds a word of the file, or of a cell that is compared with it.
pub(super) fn fold_word(word: &str) -> String {
    header_words(word).concat()
}
