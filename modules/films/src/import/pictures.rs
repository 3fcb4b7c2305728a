//! Posters and stills of an import: from a folder or a ZIP archive, named in the list or after the titles of the films.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use festival_core::export::Progress;
use festival_core::importing::{CellError, Row, RowValues};
use festival_core::sheet::Sheet;
use festival_core::{App, Error, Result};

use super::arguments::Arguments;
use super::header_words::names;
use super::headers::fold_header;
use super::{FilmList, Report, Understood, fields};
use crate::film::FILM;
use festival_core::importing::likeness::{fold, fold_people, fold_title};

/// The fields of pictures, as they are named in [`FILM`] and in `headers.txt`.
pub(super) const PICTURES: [&str; 3] = ["poster", "still_one", "still_two"];
const POSTER: &str = PICTURES[0];
const STILL_ONE: &str = PICTURES[1];
const STILL_TWO: &str = PICTURES[2];
/// The section of `headers.txt` with what files of stills are called.
pub(super) const STILL: &str = "still";
const EXTENSIONS: [&str; 4] = ["jpg", "jpeg", "png", "webp"];
/// Bytes of a picture at most.
const MAX_BYTES: u64 = 40 << 20;
/// Files of no film that are named at most.
const MAX_NAMED: usize = 10;

/// The pictures in a folder or an archive.
pub(super) struct Pictures {
    source: PathBuf,
    is_archive: bool,
    /// Paths in the folder or archive, in their order.
    files: Vec<String>,
    /// The columns of the list that name files.
    columns: Vec<NameColumn>,
}

/// Where each picture of a film comes from: an index of [`Pictures::files`] by line and field.
type Assigned = BTreeMap<(u64, &'static str), usize>;

/// A column of a list with the names of files.
struct NameColumn {
    field: &'static str,
    column: usize,
    header: String,
    /// The names by line.
    names: BTreeMap<u64, String>,
}

impl Pictures {
    /// Lists the pictures in a folder with its subfolders, or in a ZIP archive, and the columns of `sheet` that name some.
    ///
    /// # Errors
    /// A sentence that says why there are none.
    pub(super) fn open(source: &Path, sheet: &Sheet) -> Result<Self, String> {
        let unreadable = |error: &dyn std::fmt::Display| format!("--pictures {}: {error}", source.display());
        let mut files: Vec<String> = Vec::new();
        let is_archive = !source.is_dir();
        if is_archive {
            let file = std::fs::File::open(source).map_err(|error| unreadable(&error))?;
            let archive = zip::ZipArchive::new(std::io::BufReader::new(file))
                .map_err(|error| unreadable(&format!("neither a folder nor a ZIP archive ({error})")))?;
            // A name in no known encoding cannot be that of a film.
            files.extend(archive.file_names().filter_map(|name| name.ok().map(Cow::into_owned)));
        } else {
            list_folder(source, "", &mut files).map_err(|error| unreadable(&error))?;
        }
        files.retain(|path| is_picture(path));
        files.sort();
        if files.is_empty() {
            return Err(unreadable(&"there are no pictures in it (JPEG, PNG or WebP)"));
        }
        Ok(Self { source: source.to_owned(), is_archive, files, columns: name_columns(sheet) })
    }

    /// Leaves the columns out that fill other fields, and reports the others as understood.
    pub(super) fn with_columns(mut self, report: &mut Report) -> Self {
        self.columns.retain(|column| report.understood.iter().all(|known| known.column != column.column));
        for NameColumn { field, column, header, .. } in &self.columns {
            report.ignored.retain(|ignored| ignored.column != *column);
            report.understood.push(Understood { field, column: *column, header: header.clone() });
        }
        self
    }

    /// Finds the pictures of the films, stores them, unless it is a dry run, and names them in the rows. What does not fit
    /// is reported.
    ///
    /// # Errors
    /// If a file or the media store cannot be read or written.
    pub(super) async fn add_to(&self, app: &App, list: &mut FilmList, arguments: &Arguments) -> Result<()> {
        let mut wrong = Vec::new();
        let assigned = self.assign(&list.rows, &mut wrong);
        eprintln!("{}", self.summary(&assigned));
        let progress = Progress::slow(assigned.len() as u64, "pictures");
        let mut keys: HashMap<usize, std::result::Result<String, String>> = HashMap::new();
        let lines: HashMap<u64, usize> = list.rows.iter().enumerate().map(|(index, row)| (row.line, index)).collect();
        for ((line, field), file) in assigned {
            if !arguments.list.dry_run && !keys.contains_key(&file) {
                keys.insert(file, self.store(app, file).await?);
            }
            progress.step();
            let Some(row) = lines.get(&line).and_then(|index| list.rows.get_mut(*index)) else { continue };
            match keys.get(&file) {
                Some(Ok(key)) => _ = row.values.insert(field, key.clone()),
                Some(Err(reason)) => wrong.push(self.error(line, field, &self.files[file], reason)),
                None => {}
            }
        }
        if arguments.list.options.blank_invalid {
            list.report.blanked.extend(wrong);
        } else {
            let refused: BTreeSet<u64> = wrong.iter().map(|error| error.line).collect();
            list.rows.retain(|row| !refused.contains(&row.line));
            list.report.errors.extend(wrong);
        }
        Ok(())
    }

    fn error(&self, line: u64, field: &'static str, value: &str, expected: &str) -> CellError {
        let header = FILM.field(field).map_or(field, |field| field.label).to_owned();
        CellError { line, header, value: value.to_owned(), expected: expected.to_owned() }
    }

    /// Decides which file is which picture of which film.
    fn assign(&self, rows: &[Row], wrong: &mut Vec<CellError>) -> Assigned {
        let mut assigned = Assigned::new();
        for row in rows {
            for NameColumn { field, names, .. } in &self.columns {
                let (field, Some(name)) = (*field, names.get(&row.line)) else { continue };
                match self.find(name) {
                    Some(file) => _ = assigned.insert((row.line, field), file),
                    None => {
                        let expected = format!("the name of a picture in {}", self.source.display());
                        wrong.push(self.error(row.line, field, name, &expected));
                    }
                }
            }
        }
        let used: BTreeSet<usize> = assigned.values().copied().collect();
        let titles = Titles::of(rows);
        for (index, path) in self.files.iter().enumerate().filter(|(index, _)| !used.contains(index)) {
            let Some((line, field)) = titles.find(path) else { continue };
            // A second still without a number is the second one.
            let free = match field {
                STILL_ONE if assigned.contains_key(&(line, STILL_ONE)) => STILL_TWO,
                field => field,
            };
            assigned.entry((line, free)).or_insert(index);
        }
        assigned
    }

    /// The file with this name: with or without folder and extension, in any case.
    fn find(&self, name: &str) -> Option<usize> {
        let name = name.trim().replace('\\', "/").to_lowercase();
        let by = |matches: &dyn Fn(&str) -> bool| self.files.iter().position(|path| matches(&path.to_lowercase()));
        by(&|path| path == name)
            .or_else(|| by(&|path| file_name(path) == file_name(&name)))
            .or_else(|| by(&|path| stem(path) == name))
    }

    /// Stores a picture; the inner error says what is wrong with it.
    async fn store(&self, app: &App, file: usize) -> Result<std::result::Result<String, String>> {
        let bytes = match self.read(file) {
            Ok(bytes) if bytes.len() as u64 > MAX_BYTES => {
                return Ok(Err(format!("a picture of at most {} MB", MAX_BYTES >> 20)));
            }
            Ok(bytes) => bytes,
            Err(error) => return Ok(Err(format!("a file that can be read: {error}"))),
        };
        match app.media.put_picture(&app.settings.uploads, &FILM.slug(), bytes).await {
            Ok(key) => Ok(Ok(key)),
            Err(Error::BadRequest(reason)) => Ok(Err(format!("a picture that can be shown: {reason}"))),
            Err(error) => Err(error),
        }
    }

    fn read(&self, file: usize) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let path = &self.files[file];
        if self.is_archive {
            let file = std::io::BufReader::new(std::fs::File::open(&self.source)?);
            let mut archive = zip::ZipArchive::new(file)?;
            archive.by_name(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        } else {
            std::fs::File::open(self.source.join(path))?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    }

    /// What was found, and what fits no film.
    fn summary(&self, assigned: &Assigned) -> String {
        let count = |field: &str| assigned.keys().filter(|(_, of)| *of == field).count();
        let stills = count(STILL_ONE) + count(STILL_TWO);
        let mut text = format!("{}: {} posters and {stills} stills", self.source.display(), count(POSTER));
        let used: BTreeSet<usize> = assigned.values().copied().collect();
        let unused = self.files.iter().enumerate().filter(|(index, _)| !used.contains(index));
        let unused: Vec<&str> = unused.map(|(_, path)| &**path).collect();
        if !unused.is_empty() {
            let names = unused.iter().take(MAX_NAMED).copied().collect::<Vec<_>>().join(", ");
            let more = unused.len().saturating_sub(MAX_NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            text.push_str(&format!(
                "\n  note: of no film: {names}{more}; name files after the title, as in \"Title.jpg\" and \"Title still 1.jpg\", or \
                 in a column"
            ));
        }
        text
    }
}

/// Adds the files of a folder to a list, as paths with slashes below it.
fn list_folder(folder: &Path, prefix: &str, files: &mut Vec<String>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            list_folder(&entry.path(), &format!("{prefix}{name}/"), files)?;
        } else {
            files.push(format!("{prefix}{name}"));
        }
    }
    Ok(())
}

fn is_picture(path: &str) -> bool {
    // What operating systems add.
    let is_hidden = path.split('/').any(|part| part.starts_with('.') || part == "__MACOSX");
    let extension = file_name(path).rsplit_once('.').map_or("", |(_, extension)| extension).to_lowercase();
    !is_hidden && EXTENSIONS.contains(&&*extension)
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The films of a list by what their files may be called.
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
        let folder = path.rsplit('/').nth(1).and_then(|folder| self.line(&fold_title(folder)));
        // "Fargo 2.jpg" is the poster of "Fargo 2" if there is such a film; "Fargo 2/poster.jpg" is not that of "Poster".
        if let Some(line) = self.line(&fold_title(&stem)).filter(|_| folder.is_none() || !title.is_empty()) {
            return Some((line, POSTER));
        }
        let line = self.line(&fold_title(&title)).filter(|_| !title.is_empty()).or(folder);
        Some((line?, field))
    }
}

/// What files of a film may be called, folded: its titles, alone or with year or director.
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

/// Splits the words of a file's name into those of the title and the kind of picture that the last ones tell.
fn split_kind(stem: &str) -> (String, &'static str) {
    let mut words: Vec<&str> = stem.split(' ').collect();
    let mut number = None;
    let is_one_of = |section: &str, word: &str| names(section).any(|name| fold(name) == word);
    let mut kind = None;
    while let Some(last) = words.last().copied() {
        let letters = last.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let digits = &last[letters.len()..];
        if letters.is_empty() && number.is_none() && kind.is_none() {
            number = digits.parse::<u32>().ok();
        } else if kind.is_none() && is_one_of(POSTER, letters) {
            kind = Some(POSTER);
        } else if kind.is_none() && is_one_of(STILL, letters) {
            kind = Some(STILL_ONE);
            number = number.or_else(|| digits.parse().ok());
        } else {
            break;
        }
        words.pop();
    }
    let field = match (kind, number) {
        (Some(POSTER), _) | (None, None) => POSTER,
        (_, Some(2)) => STILL_TWO,
        _ => STILL_ONE,
    };
    (words.join(" "), field)
}

/// The columns of a list whose headers are those of pictures.
fn name_columns(sheet: &Sheet) -> Vec<NameColumn> {
    let column_of = |field| {
        let is_picture = |header: &String| names(field).any(|name| fold_header(name) == fold_header(header));
        sheet.header.iter().position(is_picture)
    };
    let column = |field| {
        let column = column_of(field)?;
        let cells = sheet.rows.iter().map(|row| (row.line, row.cells[column].trim().to_owned()));
        let names = cells.filter(|(_, name)| !name.is_empty()).collect();
        Some(NameColumn { field, column: column + 1, header: sheet.header[column].trim().to_owned(), names })
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

    #[test]
    fn only_pictures_count() {
        let paths = ["a.jpg", "a.JPEG", "b/c.png", ".DS_Store", "__MACOSX/a.jpg", "b/.c.png", "list.xlsx", "jpg"];
        assert_eq!(paths.map(is_picture), [true, true, true, false, false, false, false, false]);
    }
}
