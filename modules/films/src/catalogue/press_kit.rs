//! The press kit: an archive with the pictures of each film in a folder of its own, its texts, and a list of all films.

use std::collections::BTreeSet;
use std::io::{Cursor, Seek, Write};

use festival_core::export::{Archive, Cell, Column, TableWriter, safe_name};
use festival_core::site::Site;
use festival_core::{Result, deadline};
use jiff::civil::DateTime;

use super::html::facts;
use super::picture::picture;
use super::selection::{Film, Section, Selection};

/// Length limit of a folder's name, in characters.
const MAX_NAME: usize = 80;

/// The columns of the list: name, header.
const COLUMNS: [(&str, &str); 11] = [
    ("number", "Number"),
    ("section", "Section"),
    ("title", "Title"),
    ("original_title", "Original title"),
    ("director", "Director"),
    ("country", "Country"),
    ("year", "Year"),
    ("minutes", "Minutes"),
    ("language", "Language"),
    ("synopsis", "Synopsis"),
    ("folder", "Folder"),
];

/// Writes the press kit. `step` is called after each film.
pub(super) async fn write<W: Write + Seek + Send>(
    site: &Site,
    selection: &Selection,
    out: W,
    step: impl Fn() + Send,
) -> Result<W> {
    let now = site.clock.now().to_zoned(site.time_zone.clone()).datetime();
    let mut archive = Archive::new(out);
    let columns = COLUMNS.map(|(name, header)| Column::new(name, header));
    let mut list = TableWriter::csv(Vec::new(), &columns, true)?;
    let mut taken = BTreeSet::new();
    let mut number = 0;
    for section in &selection.sections {
        for film in &section.films {
            number += 1;
            let folder = folder(section, film, &mut taken);
            list.row(&cells(number, section, film, &folder))?;
            add_film(site, &mut archive, film, &folder, now).await?;
            step();
            deadline::progress();
        }
    }
    add(&mut archive, "films.csv", now, list.finish()?)?;
    archive.finish()
}

/// The folder of a film, a different one for each.
fn folder(section: &Section, film: &Film, taken: &mut BTreeSet<String>) -> String {
    let name = |text: &str, other: &str| {
        let name = safe_name(text, MAX_NAME);
        if name.is_empty() { other.to_owned() } else { name }
    };
    let wanted = format!("{}/{}", name(&section.name, "Section"), name(&film.name, "Film"));
    let mut folder = wanted.clone();
    let mut copy = 2;
    // Many file systems do not distinguish capitals from small letters.
    while !taken.insert(folder.to_lowercase()) {
        folder = format!("{wanted} {copy}");
        copy += 1;
    }
    folder
}

async fn add_film<W: Write + Seek>(
    site: &Site,
    archive: &mut Archive<W>,
    film: &Film,
    folder: &str,
    now: DateTime,
) -> Result<()> {
    let poster = film.poster.as_deref().map(|key| ("poster".to_owned(), key, film.poster_alt.as_deref()));
    let stills = film.stills().enumerate().map(|(index, (key, alt))| (format!("still-{}", index + 1), key, Some(alt)));
    let mut captions = Vec::new();
    for (name, key, alt) in poster.into_iter().chain(stills) {
        // Original size: newspapers print it.
        let Some(bytes) = picture(site, key, false).await? else { continue };
        let extension = key.rsplit_once('.').map_or("jpg", |(_, extension)| extension);
        let name = format!("{name}.{extension}");
        add(archive, &format!("{folder}/{name}"), now, bytes)?;
        captions.extend(alt.filter(|alt| !alt.is_empty()).map(|alt| format!("{name}: {alt}")));
    }
    add(archive, &format!("{folder}/film.txt"), now, text(film, &captions).into_bytes())
}

fn add<W: Write + Seek>(archive: &mut Archive<W>, name: &str, now: DateTime, bytes: Vec<u8>) -> Result<()> {
    let compress = name.ends_with(".txt") || name.ends_with(".csv");
    archive.add(name, now, compress, &mut Cursor::new(bytes))??;
    Ok(())
}

/// What a journalist needs to know about a film, as text.
fn text(film: &Film, captions: &[String]) -> String {
    let mut text = format!("{}\r\n", film.name);
    let mut line = |label: &str, value: Option<&str>| {
        if let Some(value) = value.map(str::trim).filter(|value| !value.is_empty()) {
            let value = value.lines().map(str::trim).collect::<Vec<_>>().join("\r\n");
            text.push_str(&format!("{label}{value}\r\n"));
        }
    };
    line("", film.original_title.as_deref().filter(|original| *original != film.name));
    line("", Some(&facts(film).join(", ")));
    line("Director: ", film.director_name.as_deref());
    line("Writer: ", film.writer_name.as_deref());
    line("Producer: ", film.producer_name.as_deref());
    line("\r\nSynopsis\r\n", film.synopsis.as_deref());
    line("\r\nCast\r\n", film.cast_details.as_deref());
    line("\r\nCrew\r\n", film.crew_details.as_deref());
    line("\r\nPictures\r\n", Some(&captions.join("\n")));
    text
}

fn cells(number: i64, section: &Section, film: &Film, folder: &str) -> Vec<Cell> {
    let text = |text: &Option<String>| Cell::from(text.clone());
    vec![
        Cell::Number(number),
        Cell::text(&*section.name),
        Cell::text(&*film.name),
        text(&film.original_title),
        text(&film.director_name),
        text(&film.country),
        film.year.into(),
        film.duration_minutes.into(),
        text(&film.language),
        text(&film.synopsis),
        Cell::text(folder),
    ]
}
