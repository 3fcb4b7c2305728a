//! Tests of the film list import. The fixtures are made up, with the oddities of lists that people send.

mod acceptance;
mod files;
mod headers;
mod pairing;
mod real;
mod refusals;
mod titles;
mod values;

use std::path::{Path, PathBuf};

use festival_core::importing::likeness::fold;
use festival_core::importing::{self, ImportOptions, ListField, ListHeaders, Mapping, ParsedSheet, Row, RowValues};
use festival_core::sheet::{self, Expected, Limits, Sheet, SheetError};

use super::identity::Identity;
use super::near_matches::{Doubt, Pair};
use super::*;
use crate::film::FILM;

/// A fixture of the project, from the crate's folder upwards.
fn fixture(name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut places = here.ancestors().map(|folder| folder.join("tests/fixtures/films").join(name));
    places.find(|path| path.is_file()).unwrap()
}

fn read_bytes(bytes: &[u8], name: &str) -> Result<Sheet, SheetError> {
    let known = |header: &str| importing::knows(Some(&FilmLists), &FILM, header);
    let expected = Expected { known: &known, ..Expected::default() };
    sheet::read_expecting(bytes, name, &Limits::default(), &expected)
}

fn read_file(path: &Path) -> Result<Sheet, SheetError> {
    read_bytes(&std::fs::read(path).unwrap(), &path.file_name().unwrap().to_string_lossy())
}

fn text(csv: &str) -> Sheet {
    read_bytes(csv.as_bytes(), "list.csv").unwrap()
}

/// The fields that columns of film lists fill.
fn fields() -> Vec<ListField> {
    ListHeaders::of(&FILM).fields.clone()
}

/// Parses a mapping as `--map` does.
fn parsed(mapping: &str) -> Result<Mapping, String> {
    let fields: Vec<&'static str> = fields().iter().map(|field| field.name).collect();
    Mapping::parse(mapping, &fields, |name| importing::field_of(Some(&FilmLists), &FILM, name))
}

fn options(category: Option<&str>, mappings: &[&str]) -> ImportOptions {
    ImportOptions {
        for_all: category.map(|category| (super::fields::CATEGORY, category.to_owned())).into_iter().collect(),
        mappings: mappings.iter().map(|mapping| parsed(mapping).unwrap()).collect(),
        ..ImportOptions::default()
    }
}

fn read_films(sheet: Sheet, options: &ImportOptions) -> Result<ParsedSheet, String> {
    super::film_list::read_films(sheet, options, 2026).map_err(|refusal| refusal.reason)
}

/// The films of a text in the section "Main", without errors.
fn films(csv: &str) -> Vec<Row> {
    let list = read_films(text(csv), &options(Some("Main"), &[])).unwrap();
    assert_eq!(list.errors, [], "{csv}");
    list.rows
}

fn film<'a>(rows: &'a [Row], name: &str) -> &'a RowValues {
    &rows.iter().find(|row| row.values["name"] == *name).unwrap_or_else(|| panic!("no film {name}")).values
}

/// A field of each row, "" if it has no value.
fn column<'a>(rows: &'a [Row], field: &str) -> Vec<&'a str> {
    rows.iter().map(|row| &row.values[field]).collect()
}

/// The identities of films, by which they are recognised.
fn identities(rows: &[Row]) -> Vec<Identity> {
    let section = |row: &Row| fold(&row.values["category"]).into();
    rows.iter().map(|row| Identity::of_values(&row.values, section(row))).collect()
}

/// Pairs a list with the films of another list, as if these were stored.
fn pair_rows(stored: &[Row], rows: &[Row]) -> Vec<Pair> {
    super::pairing::pair_rows(&identities(stored), &identities(rows))
}

/// The columns that fill a field as `field=header`, in the order of the fields.
fn understood(list: &ParsedSheet) -> Vec<String> {
    let of_field = |name: &'static str| list.columns.iter().filter(move |column| column.field == Some(name));
    let columns = fields().into_iter().flat_map(|field| of_field(field.name));
    columns.map(|column| format!("{}={}", column.field.unwrap_or_default(), column.header)).collect()
}

/// The columns that are left out: header and reason.
fn left_out(list: &ParsedSheet) -> Vec<(&str, &str)> {
    let columns = list.columns.iter().filter(|column| column.field.is_none());
    columns.map(|column| (&*column.header, &*column.why)).collect()
}

fn understand(header: &str) -> Vec<String> {
    let list = read_films(text(&format!("{header}\n")), &options(Some("Main"), &[])).unwrap();
    understood(&list)
}

fn refuse(csv: &str, category: Option<&str>, mappings: &[&str]) -> String {
    read_films(text(csv), &options(category, mappings)).unwrap_err()
}
