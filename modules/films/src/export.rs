//! `festival films export FILE`: the films of an edition as a list that `festival films import` reads back.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Arg, ArgMatches, value_parser};
use festival_core::command::{self, Command, Outcome};
use festival_core::db;
use festival_core::entity::Kind;
use festival_core::export::{self, Cell, Column, Format, Output, Progress};
use festival_core::{App, Error, Result, edition};

use crate::film::FILM;
use crate::import::{FIELDS, StoredFilm, stored_films};

/// Writes the films of an edition to a file.
pub(crate) struct ExportFilms;

/// Formats that the import reads.
const FORMATS: [Format; 2] = [Format::Csv, Format::Xlsx];

#[rocket::async_trait]
impl Command for ExportFilms {
    fn clap(&self) -> clap::Command {
        clap::Command::new("export")
            .about("Write the films of an edition to a CSV or XLSX file, which \"films import\" reads back")
            .arg(
                Arg::new("file")
                    .value_name("FILE")
                    .required(true)
                    .value_parser(value_parser!(PathBuf))
                    .help("The file to write; - is standard output, for CSV"),
            )
            .args(export::arguments(&FORMATS))
            .arg(
                Arg::new("edition")
                    .long("edition")
                    .value_name("YEAR")
                    .value_parser(value_parser!(i64))
                    .help("Year of the edition; by default the current one"),
            )
            .after_help(
                "Examples:\n  festival films export films.xlsx\n  \
                 festival films export films.csv --edition 2024 --bom\n  festival films export - --format csv",
            )
    }

    async fn run(&self, app: Arc<App>, arguments: &ArgMatches) -> Result<Outcome> {
        let output = match Output::read(arguments, &FORMATS) {
            Ok(output) => output,
            Err(sentence) => return Ok(command::refused(&sentence)),
        };
        let edition = arguments.get_one::<i64>("edition").copied();
        command::until_stopped(write(&app, &output, edition)).await
    }
}

async fn write(app: &App, output: &Output, year: Option<i64>) -> Result<Outcome> {
    let mut connection = app.db.read().await?;
    let mut snapshot = db::snapshot(&mut connection, app.db.backend()).await?;
    let edition = match year {
        None => edition::current(&mut snapshot).await?,
        Some(year) => edition::find_by_year(&mut snapshot, year)
            .await?
            .ok_or_else(|| Error::NotFound(format!("there is no edition {year}")))?,
    };
    let films = stored_films(&mut snapshot, app.db.backend(), Some(edition.id)).await?;
    snapshot.rollback().await?;
    let columns: Vec<Column> =
        FIELDS.iter().map(|field| Column::new(field.name, field.header).width(field.width)).collect();
    let mut table = output.open(&columns)?;
    let progress = Progress::new(films.len() as u64, "films");
    for film in &films {
        table.row(&cells(film))?;
        progress.step();
    }
    drop(progress);
    let shortened = table.truncated();
    table.finish()?.commit()?;
    let films = films.len();
    eprintln!("{films} film{} written to {}.", if films == 1 { "" } else { "s" }, output.name());
    if shortened > 0 {
        eprintln!(
            "{shortened} of its texts are too long for a workbook and were cut at their end; CSV has all of them."
        );
        return Ok(Outcome::Failed);
    }
    Ok(Outcome::Done)
}

/// The cells of a film, one for each field.
fn cells(film: &StoredFilm) -> Vec<Cell> {
    let cell = |name: &str| -> Cell {
        let value = film.values.get(name);
        match FILM.field(name).map(|field| field.kind) {
            Some(Kind::Integer { .. }) => value.and_then(|value| value.parse::<i64>().ok()).into(),
            _ => value.cloned().into(),
        }
    };
    FIELDS.iter().map(|field| cell(field.name)).collect()
}
