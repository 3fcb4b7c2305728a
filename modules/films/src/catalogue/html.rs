//! The catalogue: one HTML file with embedded typefaces and pictures, made to be printed.

use std::io::Write;

use any_ascii::any_ascii;
use data_encoding::BASE64;
use festival_core::site::Site;
use festival_core::xml::render;
use festival_core::{Result, deadline, lang};
use serde_json::{Value, json};

use super::faces;
use super::picture::picture;
use super::selection::{Film, Selection};

/// Sizes of paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paper {
    /// A film on each page.
    A5,
    /// As many films on a page as fit.
    A4,
}

/// The style sheet, which needs no other.
const STYLE: &str = include_str!("catalogue.css");

/// Writes the catalogue. `step` is called after each film.
pub(super) async fn write(
    site: &Site,
    selection: &Selection,
    paper: Paper,
    out: &mut (impl Write + Send),
    step: impl Fn() + Send,
) -> Result<()> {
    write!(out, "{}", render(include_str!("front.hbs"), &front(site, selection, paper)?)?)?;
    let mut number = 0;
    for section in &selection.sections {
        let opener =
            json!({ "name": with_language(&section.name), "description": paragraphs(section.description.as_deref()) });
        write!(out, "{}", render(include_str!("section.hbs"), &opener)?)?;
        for film in &section.films {
            number += 1;
            let film = describe(site, film, number, paper).await?;
            write!(out, "{}", render(include_str!("film.hbs"), &film)?)?;
            step();
            deadline::progress();
        }
        writeln!(out, "</section>")?;
    }
    write!(out, "{}", render(include_str!("index.hbs"), &json!({ "titles": titles(selection) }))?)?;
    Ok(())
}

/// The cover and the contents: the sections with the numbers of their films.
fn front(site: &Site, selection: &Selection, paper: Paper) -> Result<Value> {
    let (festival, edition) = (&site.settings.product.full_name, &selection.edition);
    let mut first = 1;
    let mut sections = Vec::new();
    for section in &selection.sections {
        let last = first + section.films.len() - 1;
        let numbers = if first == last { first.to_string() } else { format!("{first}\u{2013}{last}") };
        sections.push(json!({ "name": with_language(&section.name), "numbers": numbers }));
        first = last + 1;
    }
    // The typefaces that the texts need; the names of the fields have the English letters.
    let texts = serde_json::to_string(&(festival, &edition.name, &selection.sections))? + "\u{b7}\u{2013}";
    let (paper, body) = match paper {
        Paper::A5 => ("A5", "a5"),
        Paper::A4 => ("A4", "a4"),
    };
    Ok(json!({
        "festival": with_language(festival),
        "year": edition.year,
        "faces": faces::rules(site, &texts),
        "style": STYLE,
        "paper": paper,
        "body": body,
        "edition": with_language(&edition.name),
        "dates": dates(&edition.starts_on, &edition.ends_on),
        "sections": sections,
    }))
}

/// All titles from A to Z with the numbers of the films.
fn titles(selection: &Selection) -> Vec<Value> {
    let films = selection.sections.iter().flat_map(|section| &section.films).zip(1..);
    let mut titles: Vec<(String, &str, usize)> =
        films.map(|(film, number)| (any_ascii(&film.name).to_lowercase(), &*film.name, number)).collect();
    titles.sort();
    titles.into_iter().map(|(_, name, number)| json!({ "name": with_language(name), "number": number })).collect()
}

/// What the template shows of a film.
async fn describe(site: &Site, film: &Film, number: usize, paper: Paper) -> Result<Value> {
    let poster = match &film.poster {
        Some(key) => source(site, key).await?,
        None => None,
    };
    let drawn: Value = match poster {
        Some(_) => Value::Null,
        None => site.templates.call("posterDesign", film).await?,
    };
    let mut stills = Vec::new();
    for (key, alt) in film.stills() {
        stills.extend(source(site, key).await?.map(|source| json!({ "source": source, "alt": alt })));
    }
    let original = film.original_title.as_ref().filter(|original| **original != film.name);
    let credits = [
        ("Writer", &film.writer_name),
        ("Producer", &film.producer_name),
        ("Cast", &film.cast_details),
        ("Crew", &film.crew_details),
    ];
    let credits = credits.map(|(label, text)| (label, lines(text.as_deref()).join("; ")));
    let credits = credits.iter().filter(|(_, text)| !text.is_empty());
    Ok(json!({
        "number": number,
        "is_small": paper == Paper::A5,
        "poster": poster,
        "alt": film.poster_alt,
        "other": drawn["other"].as_str().map(with_language),
        "drawn": drawn,
        "name": with_language(&film.name),
        "original": original.map(|title| with_language(title)),
        "facts": facts(film).join(" \u{b7} "),
        "director": film.director_name.as_deref().map(with_language),
        "synopsis": paragraphs(film.synopsis.as_deref()),
        "credits": credits.map(|(label, text)| json!({ "label": label, "text": with_language(text) })).collect::<Vec<_>>(),
        "stills": stills,
    }))
}

/// Country, year, running time and languages.
pub(super) fn facts(film: &Film) -> Vec<String> {
    let subtitles = film.subtitle_language.as_ref().map(|language| format!("{language} subtitles"));
    [
        film.country.clone(),
        film.year.map(|year| year.to_string()),
        film.duration_minutes.map(|minutes| format!("{minutes} min")),
        film.language.clone(),
        subtitles,
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The lines of a text that are not empty.
fn lines(text: Option<&str>) -> Vec<&str> {
    text.unwrap_or_default().lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

fn paragraphs(text: Option<&str>) -> Vec<Value> {
    lines(text).into_iter().map(with_language).collect()
}

/// A text with the attributes of its element.
fn with_language(text: &str) -> Value {
    json!({ "text": text, "language": language(text) })
}

/// The attributes `lang` and `dir` of a text that is not English.
fn language(text: &str) -> String {
    match lang::of(text) {
        "en" => String::new(),
        language @ ("ar" | "he") => format!(" lang=\"{language}\" dir=\"rtl\""),
        language => format!(" lang=\"{language}\""),
    }
}

/// A picture as the address of an `img`; `None` if there is no such file.
async fn source(site: &Site, key: &str) -> Result<Option<String>> {
    let Some(bytes) = picture(site, key, true).await? else { return Ok(None) };
    let kind = match bytes.get(..4) {
        Some([0xff, 0xd8, ..]) => "jpeg",
        Some([0x89, b'P', b'N', b'G']) => "png",
        Some(b"GIF8") => "gif",
        Some(b"RIFF") => "webp",
        _ => "svg+xml",
    };
    Ok(Some(format!("data:image/{kind};base64,{}", BASE64.encode(&bytes))))
}

/// "24 to 31 October 2025"; both days in full if they are of two months.
fn dates(first: &str, last: &str) -> String {
    let (Ok(first), Ok(last)) = (first.parse::<jiff::civil::Date>(), last.parse::<jiff::civil::Date>()) else {
        return String::new();
    };
    let begin = if (first.year(), first.month()) == (last.year(), last.month()) { "%-d" } else { "%-d %B %Y" };
    format!("{} to {}", first.strftime(begin), last.strftime("%-d %B %Y"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_one_month_name_it_once() {
        assert_eq!(dates("2025-10-24", "2025-10-31"), "24 to 31 October 2025");
        assert_eq!(dates("2025-10-30", "2025-11-02"), "30 October 2025 to 2 November 2025");
    }

    #[test]
    fn texts_carry_the_language_of_their_script() {
        assert_eq!(language("The Rain Road"), "");
        assert_eq!(language("മഴയുടെ വഴി"), " lang=\"ml\"");
        assert_eq!(language("طريق"), " lang=\"ar\" dir=\"rtl\"");
    }
}
