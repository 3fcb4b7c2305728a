//! Assigns files to films as posters and stills: files that a list names, or that are named after a film.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use festival_core::bundle::{Bundle, FileNames, extension, file_name, folder, stem};
use festival_core::importing::likeness::{fold, fold_people, fold_title};
use festival_core::importing::{ListHeaders, ParsedSheet, Row, RowValues, header_names};
use festival_core::sheet::Sheet;

use super::fields;
use crate::film::FILM;

/// The fields of pictures.
pub(super) const PICTURES: [&str; 3] = ["poster", "still_one", "still_two"];
const POSTER: &str = PICTURES[0];
const STILL_ONE: &str = PICTURES[1];
const STILL_TWO: &str = PICTURES[2];
const EXTENSIONS: [&str; 4] = ["jpg", "jpeg", "png", "webp"];
/// Maximum number of files without a film that are named.
const MAX_NAMED: usize = 10;
/// Where each picture of a film comes from: an index of [`PictureNames::files`] by line and field.
type Assigned = BTreeMap<(u64, &'static str), usize>;

/// A column of a list with the names of files.
struct NameColumn {
    field: &'static str,
    /// Its index in the list.
    index: usize,
    /// The names by line.
    names: BTreeMap<u64, String>,
}

/// The pictures among files, and the columns of a list that name them.
pub(super) struct PictureNames {
    /// Paths, in their order.
    files: Vec<String>,
    columns: Vec<NameColumn>,
}

impl PictureNames {
    pub(super) fn new(bundle: &Bundle, sheet: &Sheet) -> Self {
        let files = bundle.files().iter().filter(|path| is_picture(path)).cloned().collect();
        Self { files, columns: name_columns(sheet) }
    }

    /// Sets the pictures in the rows of a list, and adds notes about them. A name without a file is left as it is, so
    /// that its row is refused.
    pub(super) fn name(mut self, parsed: &mut ParsedSheet) {
        self.columns.retain(|column| parsed.columns.get(column.index).is_some_and(|known| known.field.is_none()));
        for NameColumn { field, index, .. } in &self.columns {
            let known = &mut parsed.columns[*index];
            (known.field, known.why) = (Some(*field), String::new());
        }
        let assigned = self.assign(&parsed.rows);
        for row in &mut parsed.rows {
            for field in PICTURES {
                let file = assigned.get(&(row.line, field)).map(|file| &self.files[*file]);
                if let Some(name) = file.or_else(|| self.name_in_list(row.line, field)) {
                    row.values.insert(field, name.clone());
                }
            }
        }
        if !self.files.is_empty() {
            parsed.notes.extend(self.notes(&assigned));
        }
    }

    /// The name in the list of a picture's file, if it has one.
    fn name_in_list(&self, line: u64, field: &str) -> Option<&String> {
        self.columns.iter().find(|column| column.field == field)?.names.get(&line)
    }

    /// Decides which file is which picture of which film.
    fn assign(&self, rows: &[Row]) -> Assigned {
        let mut assigned = Assigned::new();
        let file_names = FileNames::new(&self.files);
        for row in rows {
            for NameColumn { field, names, .. } in &self.columns {
                let file = names.get(&row.line).and_then(|name| file_names.find(name, ""));
                assigned.extend(file.map(|file| ((row.line, *field), file)));
            }
        }
        let used: BTreeSet<usize> = assigned.values().copied().collect();
        let titles = Titles::of(rows);
        for (index, path) in self.files.iter().enumerate().filter(|(index, _)| !used.contains(index)) {
            let Some((line, field)) = titles.find(path) else { continue };
            // If the first still is taken, a still without a number is the second.
            let free = match field {
                STILL_ONE if assigned.contains_key(&(line, STILL_ONE)) => STILL_TWO,
                field => field,
            };
            if self.name_in_list(line, free).is_none() {
                assigned.entry((line, free)).or_insert(index);
            }
        }
        assigned
    }

    /// Notes about the pictures that were found, and files that belong to no film.
    fn notes(&self, assigned: &Assigned) -> Vec<String> {
        let count = |field: &str| assigned.keys().filter(|(_, of)| *of == field).count();
        let stills = count(STILL_ONE) + count(STILL_TWO);
        let counted = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let (posters, stills) = (counted(count(POSTER), "poster"), counted(stills, "still"));
        let mut notes = vec![format!("the files have {posters} and {stills}")];
        let used: BTreeSet<usize> = assigned.values().copied().collect();
        let unused = self.files.iter().enumerate().filter(|(index, _)| !used.contains(index));
        let unused: Vec<&str> = unused.map(|(_, path)| &**path).collect();
        if !unused.is_empty() {
            let names = unused.iter().take(MAX_NAMED).copied().collect::<Vec<_>>().join(", ");
            let more = unused.len().saturating_sub(MAX_NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            notes.push(format!(
                "of no film: {names}{more}; name files after the title, as in \"Title.jpg\" and \"Title still 1.jpg\", or \
                 in a column"
            ));
        }
        notes
    }
}

fn is_picture(path: &str) -> bool {
    EXTENSIONS.contains(&&*extension(path))
}

/// The films of a list by the possible names of their files.
struct Titles(HashMap<String, Vec<u64>>);

impl Titles {
    fn of(rows: &[Row]) -> Self {
        let mut lines: HashMap<String, Vec<u64>> = HashMap::new();
        for row in rows {
            let names: BTreeSet<String> = file_names(&row.values).into_iter().collect();
            names.into_iter().for_each(|name| lines.entry(name).or_default().push(row.line));
        }
        Self(lines)
    }

    /// The only film with this name.
    fn line(&self, name: &str) -> Option<u64> {
        match self.0.get(name)?[..] {
            [line] => Some(line),
            _ => None,
        }
    }

    /// The line and the field of a file.
    fn find(&self, path: &str) -> Option<(u64, &'static str)> {
        let stem = fold(stem(path));
        let (title, field) = split_kind(&stem);
        let folder = self.line(&fold_title(file_name(folder(path))));
        // "Fargo 2.jpg" is the poster of "Fargo 2" if there is such a film; "Fargo 2/poster.jpg" is not that of "Poster".
        if let Some(line) = self.line(&fold_title(&stem)).filter(|_| folder.is_none() || !title.is_empty()) {
            return Some((line, POSTER));
        }
        let line = self.line(&fold_title(&title)).filter(|_| !title.is_empty()).or(folder);
        Some((line?, field))
    }
}

/// Possible names of a film's files, folded: its titles, alone or with year or director.
fn file_names(film: &RowValues) -> Vec<String> {
    let text = |field: &str| &film[field];
    let titles = [fields::NAME, fields::ORIGINAL_TITLE].map(text).into_iter().filter(|title| !title.is_empty());
    titles
        .flat_map(|title| {
            let title = fold_title(title);
            let with = |more: &str| format!("{title} {more}");
            [
                title.clone(),
                with(text(fields::YEAR)),
                with(&fold(text(fields::DIRECTOR))),
                with(&fold_people(text(fields::DIRECTOR))),
            ]
        })
        .map(|name| name.trim_end().to_owned())
        .collect()
}

/// Splits a file's name into the title and the kind of picture that its last words name.
fn split_kind(stem: &str) -> (String, &'static str) {
    let mut parts: Vec<&str> = stem.split(' ').collect();
    let mut number = None;
    let is_one_of = |section: &str, word: &str| header_names(section).any(|name| fold(name) == word);
    let mut kind = None;
    while let Some(last) = parts.last().copied() {
        let letters = last.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let digits = &last[letters.len()..];
        if letters.is_empty() && number.is_none() && kind.is_none() {
            number = digits.parse::<u32>().ok();
        } else if kind.is_none() && is_one_of("films.poster", letters) {
            kind = Some(POSTER);
        } else if kind.is_none() && is_one_of("films: still", letters) {
            kind = Some(STILL_ONE);
            number = number.or_else(|| digits.parse().ok());
        } else {
            break;
        }
        parts.pop();
    }
    let field = match (kind, number) {
        (Some(POSTER), _) | (None, None) => POSTER,
        (_, Some(2)) => STILL_TWO,
        _ => STILL_ONE,
    };
    (parts.join(" "), field)
}

/// The columns of a list whose headers are those of pictures.
fn name_columns(sheet: &Sheet) -> Vec<NameColumn> {
    let headers = ListHeaders::of(&FILM);
    let column_of = |field| {
        let section = format!("films.{field}");
        let is_picture =
            |header: &String| header_names(&section).any(|name| headers.fold(name) == headers.fold(header));
        sheet.header.iter().position(is_picture)
    };
    let column = |field| {
        let column = column_of(field)?;
        let cells = sheet.rows.iter().map(|row| (row.line, row.cells[column].trim().to_owned()));
        let names = cells.filter(|(_, name)| !name.is_empty()).collect();
        Some(NameColumn { field, index: column, names })
    };
    PICTURES.into_iter().filter_map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn film(line: u64, title: &str, director: &str, year: &str) -> Row {
        let values = [(fields::NAME, title), (fields::DIRECTOR, director), (fields::YEAR, year)];
        Row { line, id: None, values: values.into_iter().map(|(field, value)| (field, value.to_owned())).collect() }
    }

    fn picture_of(path: &str) -> Option<(u64, &'static str)> {
        let films = [
            film(2, "The River", "Uma Rao", "2024"),
            film(3, "Rain", "Uma Rao", "2023"),
            film(4, "Rain", "Dev Nair", "2024"),
            film(5, "Fargo 2", "Ila", "2024"),
            film(6, "മഴ", "Ila", "2022"),
            film(7, "Poster", "Ila", "2021"),
        ];
        Titles::of(&films).find(path)
    }

    #[test]
    fn files_are_found_by_title_and_kind() {
        for (path, expected) in [
            ("The River.jpg", Some((2, POSTER))),
            ("river_poster.PNG", Some((2, POSTER))),
            ("stills/The-River-still-2.webp", Some((2, STILL_TWO))),
            ("The River (1).jpg", Some((2, STILL_ONE))),
            ("THE RIVER still02.jpg", Some((2, STILL_TWO))),
            ("The River/poster.jpg", Some((2, POSTER))),
            ("The River/still 1.jpg", Some((2, STILL_ONE))),
            ("The River/IMG_0042.jpg", Some((2, STILL_ONE))),
            ("Rain.jpg", None),
            ("Rain 2023.jpg", Some((3, POSTER))),
            ("Rain (Dev Nair) still.jpg", Some((4, STILL_ONE))),
            ("Fargo 2.jpg", Some((5, POSTER))),
            ("Fargo 2 still 1.jpg", Some((5, STILL_ONE))),
            ("മഴ.jpg", Some((6, POSTER))),
            ("poster.jpg", Some((7, POSTER))),
            ("Another.jpg", None),
        ] {
            assert_eq!(picture_of(path), expected, "{path}");
        }
    }
}
