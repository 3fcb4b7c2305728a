//! Meanings of headers: a header is folded, then looked up among the words of `headers.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

use festival_core::importing::likeness::header_words;

use festival_core::editing::IS_PUBLISHED;

use super::fields::{DURATION, FIELDS, ORIGINAL_TITLE, SUBTITLE_LANGUAGE};
use super::header_words::{
    ANY_NAME, ENGLISH_TITLE, LANGUAGES, NO_MEANING, PERSONAL, PERSONAL_WORDS, PUBLISHED, SHOWN_LANGUAGE, SUBTITLES,
    TITLE, YES_OR_NO, fold_word, folded_words, names,
};
use super::publication;

/// What a header means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A field; of two columns for one field the lower rank wins.
    Field {
        field: &'static str,
        rank: usize,
    },
    /// Personal data.
    Personal,
    /// The language of the subtitles, unless its cells say only whether there are any.
    Subtitles,
    /// Whether the site shows the film, unless its cells say something else.
    Publication,
    Unknown,
}

/// The words of `headers.txt`, folded, with their meanings.
struct Words {
    /// The meaning of every known header.
    meanings: HashMap<String, Meaning>,
    personal: Vec<String>,
    no_meaning: Vec<String>,
    any_name: Vec<String>,
    title: Vec<String>,
    languages: Vec<String>,
    shown_language: Vec<String>,
    english_title: Vec<String>,
    yes_or_no: Vec<String>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let no_meaning = folded_words(NO_MEANING);
    let shown_language = folded_words(SHOWN_LANGUAGE);
    let fold = |header: &str| relevant(header_words(header), &no_meaning, &shown_language).concat();
    let mut meanings = HashMap::new();
    for field in FIELDS {
        let named = names(field.name).chain([field.header, field.name]);
        for (rank, header) in named.enumerate() {
            meanings.entry(fold(header)).or_insert(Meaning::Field { field: field.name, rank });
        }
    }
    for (section, meaning) in
        [(PERSONAL, Meaning::Personal), (SUBTITLES, Meaning::Subtitles), (PUBLISHED, Meaning::Publication)]
    {
        for header in names(section) {
            meanings.entry(fold(header)).or_insert(meaning);
        }
    }
    Words {
        meanings,
        english_title: names(ENGLISH_TITLE).map(fold).collect(),
        personal: folded_words(PERSONAL_WORDS),
        any_name: folded_words(ANY_NAME),
        title: folded_words(TITLE),
        languages: folded_words(LANGUAGES),
        no_meaning,
        shown_language,
        yes_or_no: folded_words(YES_OR_NO),
    }
});

/// Removes the words without a meaning, unless there are no others.
fn relevant(words: Vec<String>, no_meaning: &[String], shown_language: &[String]) -> Vec<String> {
    let mut relevant: Vec<String> = words.iter().filter(|word| !no_meaning.contains(word)).cloned().collect();
    if let ([_, last], Some(name)) = (&mut relevant[..], shown_language.first())
        && shown_language.contains(last)
    {
        last.clone_from(name);
    }
    if relevant.is_empty() { words } else { relevant }
}

fn words(header: &str) -> Vec<String> {
    relevant(header_words(header), &WORDS.no_meaning, &WORDS.shown_language)
}

/// Folds a header so that different spellings become equal: `Run time`, `run_time`, `RUNTIME`.
pub(super) fn fold_header(header: &str) -> String {
    words(header).concat()
}

/// Separates the number at the end of a header: `director.1`, `Director 2`, `director[3]`.
pub(super) fn numbered(header: &str) -> Option<(String, u32)> {
    let mut words = words(header);
    let number = words.pop().filter(|_| !words.is_empty())?.parse().ok()?;
    Some((words.concat(), number))
}

/// Returns what the header of a column with these cells means.
pub(super) fn meaning_of<'a>(header: &str, cells: impl Iterator<Item = &'a str>) -> Meaning {
    let known = meaning(header);
    if !matches!(known, Meaning::Subtitles | Meaning::Publication) {
        return known;
    }
    let mut filled = cells.filter(|cell| !cell.trim().is_empty()).map(fold_word).peekable();
    let has_cells = filled.peek().is_some();
    match known {
        Meaning::Publication if has_cells && filled.all(|cell| says_publication(&cell)) => {
            Meaning::Field { field: IS_PUBLISHED, rank: usize::MAX }
        }
        // Ranked after every other name of the language.
        Meaning::Subtitles if !(has_cells && filled.all(|cell| WORDS.yes_or_no.contains(&cell))) => {
            Meaning::Field { field: SUBTITLE_LANGUAGE, rank: usize::MAX }
        }
        _ => Meaning::Unknown,
    }
}

fn says_publication(cell: &String) -> bool {
    WORDS.yes_or_no.contains(cell) || publication::is_word(cell)
}

/// Returns what a header means, whatever the cells of its column are.
pub(super) fn meaning(header: &str) -> Meaning {
    let words = words(header);
    if words.iter().any(|word| WORDS.personal.contains(word)) {
        return Meaning::Personal;
    }
    let known = of_words(&words);
    if known != Meaning::Unknown {
        return known;
    }
    if let Some((stem, _)) = numbered(header)
        && let Some(meaning) = WORDS.meanings.get(&stem)
    {
        return *meaning;
    }
    match of_member(header) {
        Meaning::Unknown => of_two_languages(header),
        known => known,
    }
}

/// Returns the meaning of a header that names a member of an object: `spoken_languages.english_name` in JSON lists,
/// `directorLabel` in those of Wikidata.
fn of_member(header: &str) -> Meaning {
    let of_wikidata = || Some((header.strip_suffix("Label")?, "name"));
    let Some((stem, member)) = header.rsplit_once('.').or_else(of_wikidata) else { return Meaning::Unknown };
    // "runtime.minutes"
    if matches!(of_words(&words(member)), Meaning::Field { field: DURATION, .. }) {
        return of_words(&words(stem));
    }
    let (is_name, is_english) =
        (|word: &String| WORDS.any_name.contains(word), |word: &String| WORDS.shown_language.contains(word));
    match &header_words(member)[..] {
        [name] if is_name(name) => of_words(&words(stem)),
        [english, name] if is_english(english) && is_name(name) => of_words(&words(stem)),
        _ => Meaning::Unknown,
    }
}

fn of_words(words: &[String]) -> Meaning {
    if let Some(known) = WORDS.meanings.get(&words.concat()) {
        return *known;
    }
    let is_title = |word: &String| WORDS.title.contains(word);
    let is_language = |word: &String| WORDS.languages.contains(word);
    match words {
        // "description.en", "Synopsis (English)".
        [first, language] if WORDS.shown_language.contains(language) && !is_title(first) => {
            WORDS.meanings.get(first).copied().unwrap_or(Meaning::Unknown)
        }
        // "Kannada Title", "Title (Kannada)", "title.fi": ranked after every synonym of the original title. A language
        // before the title is spelled out: "no title" has none.
        [first, second]
            if is_title(first) && is_language(second)
                || first.chars().count() > 2 && is_language(first) && is_title(second) =>
        {
            Meaning::Field { field: ORIGINAL_TITLE, rank: usize::MAX }
        }
        _ => Meaning::Unknown,
    }
}

/// Returns the meaning of a header in two languages, `Director / 导演`, `片名 Title`, if both mean the same.
fn of_two_languages(header: &str) -> Meaning {
    let separators = ['/', '|', '\n', '(', ')', '（', '）', '[', ']', '-', '–', '·'];
    let by_sign: Vec<String> = header.split(separators).map(str::to_owned).collect();
    let (latin, other): (Vec<String>, Vec<String>) =
        header.split_whitespace().map(str::to_owned).partition(|word| super::cells::is_latin(word));
    for parts in [by_sign, vec![latin.join(" "), other.join(" ")]] {
        let parts: Vec<Vec<String>> = parts.iter().map(|part| words(part)).filter(|part| !part.is_empty()).collect();
        let mut meanings = parts
            .iter()
            .filter(|part| !part.iter().all(|word| WORDS.no_meaning.contains(word)))
            .map(|part| of_words(part));
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

/// Whether this is the header of the English title, so that a column "Title" holds the original one.
pub(super) fn is_english_title(header: &str) -> bool {
    let is = |list: &[String], word: &String| list.contains(word);
    let words = words(header);
    WORDS.english_title.contains(&words.concat())
        || matches!(&words[..], [first, second]
        if is(&WORDS.shown_language, first) && is(&WORDS.title, second)
            || is(&WORDS.title, first) && is(&WORDS.shown_language, second))
}

/// Whether this header may name anything, not only a film.
pub(super) fn is_bare_name(header: &str) -> bool {
    WORDS.any_name.contains(&fold_header(header))
}
