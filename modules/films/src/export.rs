//! `festival films export FILE`: the films of an edition as a list that `festival films import` reads back.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Arg, ArgMatches, value_parser};
use festival_core::command::{self, Command, Outcome};
use festival_core::db;
use festival_core::export::{self, Cell, Column, Format, Output, Progress};
use festival_core::{App, Error, Result, edition};
use sqlx::{AnyConnection, Row as _};

use crate::import::Field;

/// Writes the films of an edition to a file.
pub(crate) struct ExportFilms;

/// What the import reads.
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
                    .help("The edition; the current one where nothing is said"),
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
    let films = films(&mut snapshot, edition.id).await?;
    snapshot.rollback().await?;
    let mut table = output.open(&Field::ALL.map(column))?;
    let progress = Progress::new(films.len() as u64, "films");
    for film in &films {
        table.row(film)?;
        progress.step();
    }
    drop(progress);
    let shortened = table.shortened();
    table.finish()?.keep()?;
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

/// The column of a field. The import knows these headers.
fn column(field: Field) -> Column {
    let (title, width) = match field {
        Field::Name => ("Title", 30),
        Field::OriginalTitle => ("Original title", 30),
        Field::DirectorName => ("Director", 26),
        Field::Category => ("Section", 22),
        Field::Country => ("Country", 18),
        Field::Year => ("Year", 8),
        Field::DurationMinutes => ("Duration in minutes", 12),
        Field::Language => ("Language", 18),
        Field::Synopsis => ("Synopsis", 50),
        Field::CastDetails => ("Cast", 40),
        Field::CrewDetails => ("Crew", 40),
        Field::WriterName => ("Writer", 26),
        Field::ProducerName => ("Producer", 26),
    };
    Column::new(field.name(), title).width(width)
}

/// The films of an edition in the order of the site, with a cell for each field.
async fn films(connection: &mut AnyConnection, edition: i64) -> Result<Vec<[Cell; 13]>> {
    let rows = sqlx::query(
        "SELECT f.name, f.original_title, f.director_name, c.name AS category, f.country, f.year, \
           f.duration_minutes, f.language, f.synopsis, f.cast_details, f.crew_details, f.writer_name, f.producer_name \
         FROM films f JOIN categories c ON c.id = f.category_id \
         WHERE f.edition_id = $1 ORDER BY c.position, c.id, f.position, f.id",
    )
    .bind(edition)
    .fetch_all(connection)
    .await?;
    let mut films = Vec::with_capacity(rows.len());
    for row in &rows {
        let mut film = [const { Cell::Empty }; 13];
        for (cell, field) in film.iter_mut().zip(Field::ALL) {
            *cell = match field {
                Field::Year | Field::DurationMinutes => row.try_get::<Option<i64>, _>(field.name())?.into(),
                _ => row.try_get::<Option<String>, _>(field.name())?.into(),
            };
        }
        films.push(film);
    }
    Ok(films)
}
