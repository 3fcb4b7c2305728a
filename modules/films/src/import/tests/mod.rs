//! Tests of the film list import; fixtures are our own, with the oddities of lists that people send.

mod files;
mod headers;
mod plans;
mod real;
mod values;

use std::path::{Path, PathBuf};

use festival_core::sheet::{self, Limits, Sheet, SheetError};

use super::*;

/// A fixture of the project, from the crate's folder upwards.
fn fixture(name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut places = here.ancestors().map(|folder| folder.join("tests/fixtures/films").join(name));
    places.find(|path| path.is_file()).unwrap()
}

fn read_file(path: &Path) -> Result<Sheet, SheetError> {
    let bytes = std::fs::read(path).unwrap();
    sheet::read(&bytes, &path.file_name().unwrap().to_string_lossy(), &Limits::default())
}

fn text(csv: &str) -> Sheet {
    sheet::read(csv.as_bytes(), "list.csv", &Limits::default()).unwrap()
}

fn options(category: Option<&str>, mappings: &[&str]) -> Options {
    Options {
        category: category.map(str::to_owned),
        mappings: mappings.iter().map(|mapping| mapping.parse().unwrap()).collect(),
        no_header: false,
        this_year: 2026,
    }
}

/// The films of a text in the section "Main", without errors.
fn films(csv: &str) -> Vec<FilmRow> {
    let list = read_films(text(csv), &options(Some("Main"), &[])).unwrap();
    assert_eq!(list.report.errors, [], "{csv}");
    list.rows
}

fn film<'a>(rows: &'a [FilmRow], name: &str) -> &'a FilmValues {
    &rows.iter().find(|row| row.values.name == name).unwrap_or_else(|| panic!("no film {name}")).values
}

/// What a report says of its columns, in one line each.
fn understood(report: &Report) -> Vec<String> {
    report.understood.iter().map(|column| format!("{}={}", column.field, column.header)).collect()
}
