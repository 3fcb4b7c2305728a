//! The catalogue: one HTML file with embedded typefaces and pictures, made to be printed.

use std::io::Write;

use any_ascii::any_ascii;
use data_encoding::BASE64;
use festival_core::site::Site;
use festival_core::xml::escape;
use festival_core::{Result, deadline, lang};
use serde::Deserialize;
use serde_json::json;

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
    let name = &site.settings.product.full_name;
    let (size, paper_name) = match paper {
        Paper::A5 => ("A5", "a5"),
        Paper::A4 => ("A4", "a4"),
    };
    let faces = faces::rules(site, &all_text(name, selection));
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{} {}: catalogue</title>\n\
         <style>\n{faces}@page {{ size: {size} }}\n{STYLE}</style>\n</head>\n<body data-paper=\"{paper_name}\">\n",
        escape(name),
        selection.edition.year
    )?;
    let edition = &selection.edition;
    writeln!(
        out,
        "<section class=\"cover\"><h1{}>{}</h1><p{}>{}<br>{}</p></section>",
        language(name),
        escape(name),
        language(&edition.name),
        escape(&edition.name),
        escape(&dates(&edition.starts_on, &edition.ends_on))
    )?;
    contents(out, selection)?;
    let mut number = 0;
    for section in &selection.sections {
        writeln!(
            out,
            "<section><header class=\"opener\"><h2{}>{}</h2>",
            language(&section.name),
            escape(&section.name)
        )?;
        write_paragraphs(out, section.description.as_deref())?;
        writeln!(out, "</header>")?;
        for film in &section.films {
            number += 1;
            write_film(site, out, film, number, paper).await?;
            step();
            deadline::progress();
        }
        writeln!(out, "</section>")?;
    }
    index(out, selection)?;
    writeln!(out, "</body>\n</html>")?;
    Ok(())
}

/// The sections with the numbers of their films.
fn contents(out: &mut impl Write, selection: &Selection) -> Result<()> {
    writeln!(out, "<section class=\"contents\"><h2>Contents</h2><ol>")?;
    let mut first = 1;
    for section in &selection.sections {
        let last = first + section.films.len() - 1;
        let numbers = if first == last { first.to_string() } else { format!("{first}\u{2013}{last}") };
        let name = &section.name;
        writeln!(out, "<li><span{}>{}</span><span>{numbers}</span></li>", language(name), escape(name))?;
        first = last + 1;
    }
    writeln!(out, "</ol></section>")?;
    Ok(())
}

/// All titles from A to Z with the numbers of the films.
fn index(out: &mut impl Write, selection: &Selection) -> Result<()> {
    let films = selection.sections.iter().flat_map(|section| &section.films).enumerate();
    let mut titles: Vec<(String, &str, usize)> =
        films.map(|(index, film)| (any_ascii(&film.name).to_lowercase(), film.name.as_str(), index + 1)).collect();
    titles.sort();
    writeln!(out, "<section class=\"index\"><h2>All films</h2><ol>")?;
    for (_, title, number) in titles {
        writeln!(out, "<li><span{}>{}</span><span>{number}</span></li>", language(title), escape(title))?;
    }
    writeln!(out, "</ol></section>")?;
    Ok(())
}

async fn write_film(
    site: &Site,
    out: &mut (impl Write + Send),
    film: &Film,
    number: usize,
    paper: Paper,
) -> Result<()> {
    writeln!(out, "<article class=\"film\">")?;
    let poster = match &film.poster {
        Some(key) => source(site, key).await?,
        None => None,
    };
    let name = &film.name;
    match poster {
        Some(source) => {
            let alt = film.poster_alt.as_deref().unwrap_or_default();
            writeln!(out, "<img class=\"poster\" src=\"{source}\" alt=\"{}\">", escape(alt))?;
        }
        None => write_drawn_poster(site, out, film).await?,
    }
    writeln!(out, "<div class=\"words\"><p class=\"number\">{number}</p><h3{}>{}</h3>", language(name), escape(name))?;
    if let Some(original) = film.original_title.as_ref().filter(|original| *original != name) {
        writeln!(out, "<p class=\"original\"{}>{}</p>", language(original), escape(original))?;
    }
    let facts = facts(film);
    if !facts.is_empty() {
        writeln!(out, "<p class=\"facts\">{}</p>", escape(&facts.join(" \u{b7} ")))?;
    }
    if let Some(director) = &film.director_name {
        writeln!(out, "<p class=\"director\"{}>{}</p>", language(director), escape(director))?;
    }
    // On small paper the synopsis has the whole width below the poster.
    if paper == Paper::A5 {
        writeln!(out, "</div>")?;
    }
    if film.synopsis.is_some() {
        writeln!(out, "<div class=\"synopsis\">")?;
        write_paragraphs(out, film.synopsis.as_deref())?;
        writeln!(out, "</div>")?;
    }
    if paper == Paper::A4 {
        writeln!(out, "</div>")?;
    }
    write_credits(out, film)?;
    let mut stills = Vec::new();
    for (key, alt) in film.stills() {
        if let Some(source) = source(site, key).await? {
            stills.push(format!("<img src=\"{source}\" alt=\"{}\">", escape(alt)));
        }
    }
    if !stills.is_empty() {
        writeln!(out, "<div class=\"stills\">{}</div>", stills.concat())?;
    }
    writeln!(out, "</article>")?;
    Ok(())
}

/// The poster of a film that has none, as `posterDesign` of the frontend's `engine.ts` describes it.
#[derive(Deserialize)]
struct PosterDesign {
    tone: i64,
    beam: u32,
    variant: u32,
    foot: bool,
    /// The size of the title, in hundredths of the poster's width.
    size: f64,
    /// The second title.
    other: Option<String>,
}

/// Writes a poster as the site draws it. It repeats the text beside it, so it is hidden from screen readers.
async fn write_drawn_poster(site: &Site, out: &mut (impl Write + Send), film: &Film) -> Result<()> {
    let argument = json!({ "name": film.name, "original_title": film.original_title, "category_id": film.category_id });
    let design: PosterDesign = site.templates.call("posterDesign", &argument).await?;
    write!(
        out,
        "<div class=\"poster drawn\" aria-hidden=\"true\" data-tone=\"{}\" data-beam=\"{}\" data-variant=\"{}\"><div{}>\
         <span{} style=\"font-size:calc(var(--poster) * {} / 100)\">{}</span>",
        design.tone,
        design.beam,
        design.variant,
        if design.foot { " data-foot" } else { "" },
        language(&film.name),
        design.size,
        escape(&film.name)
    )?;
    if let Some(other) = &design.other {
        write!(out, "<span class=\"other\"{}>{}</span>", language(other), escape(other))?;
    }
    writeln!(out, "</div></div>")?;
    Ok(())
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

fn write_credits(out: &mut impl Write, film: &Film) -> Result<()> {
    let credits = [
        ("Writer", &film.writer_name),
        ("Producer", &film.producer_name),
        ("Cast", &film.cast_details),
        ("Crew", &film.crew_details),
    ];
    let credits: Vec<(&str, String)> = credits
        .into_iter()
        .filter_map(|(label, text)| {
            let lines = text.as_deref()?.lines().map(str::trim).filter(|line| !line.is_empty());
            Some((label, lines.collect::<Vec<_>>().join("; "))).filter(|(_, text)| !text.is_empty())
        })
        .collect();
    if credits.is_empty() {
        return Ok(());
    }
    write!(out, "<dl class=\"credits\">")?;
    for (label, text) in &credits {
        write!(out, "<dt>{label}</dt><dd{}>{}</dd>", language(text), escape(text))?;
    }
    writeln!(out, "</dl>")?;
    Ok(())
}

fn write_paragraphs(out: &mut impl Write, text: Option<&str>) -> Result<()> {
    for line in text.unwrap_or_default().lines().map(str::trim).filter(|line| !line.is_empty()) {
        writeln!(out, "<p{}>{}</p>", language(line), escape(line))?;
    }
    Ok(())
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

/// Every text of the catalogue, for the choice of typefaces.
fn all_text(name: &str, selection: &Selection) -> String {
    let mut text = format!("{name} {} Contents All films 0123456789 \u{b7}\u{2013}", selection.edition.name);
    for section in &selection.sections {
        text.push_str(&section.name);
        text.extend(section.description.as_deref());
        for film in &section.films {
            text.push_str(&film.name);
            let texts = [
                &film.original_title,
                &film.director_name,
                &film.writer_name,
                &film.producer_name,
                &film.cast_details,
                &film.crew_details,
                &film.synopsis,
                &film.country,
                &film.language,
                &film.subtitle_language,
            ];
            text.extend(texts.into_iter().filter_map(|text| text.as_deref()));
        }
    }
    text
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
