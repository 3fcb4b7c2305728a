//! `festival films export FILE`: the films of an edition as a list that `festival films import` reads back.

use std::path::PathBuf;
use std::sync::Arc;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, value_parser};
use festival_core::command::{self, Command, Outcome, flag, option};
use festival_core::db;
use festival_core::editing::{self, IS_PUBLISHED};
use festival_core::entity::{Datum, ListedRow, Listing, table};
use festival_core::export::{self, Cell, Column, Format, Output, Progress};
use festival_core::{App, Result, edition};
use sqlx::AnyConnection;

use crate::catalogue::{self, Publication};
use crate::category::CATEGORY;
use crate::film::FILM;
use crate::import::FIELDS;

/// Writes the films of an edition to a file.
pub(crate) struct ExportFilms;

/// Formats that the import reads.
const FORMATS: [Format; 4] = Format::ALL;

#[rocket::async_trait]
impl Command for ExportFilms {
    fn clap(&self) -> clap::Command {
        clap::Command::new("export")
            .about("Write the films of an edition to a CSV, XLSX, ODS or JSON file, which \"films import\" reads back")
            .arg(export::file_argument())
            .args(arguments())
            .arg(option("paper", "SIZE", "The paper of the catalogue").value_parser(["a5", "a4"]).default_value("a5"))
            .arg(flag(
                "drafts",
                "Catalogue and press kit: also films that the site does not show yet; lists have all films",
            ))
            .arg(
                option("edition", "YEAR", "Year of the edition; by default the current one")
                    .value_parser(value_parser!(i64)),
            )
            .after_help(
                "Examples:\n  festival films export films.xlsx\n  \
                 festival films export films.csv --edition 2024 --bom\n  festival films export - --format csv\n  \
                 festival films export catalogue.html --format catalogue --paper a4\n  \
                 festival films export press-kit.zip --format press-kit\n\n\
                 Print the catalogue in a browser, or: chromium --headless --print-to-pdf=catalogue.pdf catalogue.html",
            )
    }

    async fn run(&self, app: Arc<App>, arguments: &ArgMatches) -> Result<Outcome> {
        let text = |name: &str| arguments.get_one::<String>(name).map_or("", String::as_str);
        if let Some(publication) = Publication::of_name(text("format"), text("paper")) {
            return command::until_stopped(publish(&app, publication, arguments)).await;
        }
        let output = match Output::read(arguments, &FORMATS) {
            Ok(output) => output,
            Err(sentence) => return Ok(command::refused(&sentence)),
        };
        let edition = arguments.get_one::<i64>("edition").copied();
        command::until_stopped(write(&app, &output, edition)).await
    }
}

/// The arguments of exports, including the formats that are not tables.
fn arguments() -> [Arg; 3] {
    let [format, bom, force] = export::arguments(&FORMATS);
    let names: Vec<&'static str> = FORMATS.iter().map(|format| format.name()).chain(catalogue::FORMAT_NAMES).collect();
    let help = "The file format; by default it follows from the extension of FILE. catalogue is a page to print, press-kit an \
                archive with pictures and texts";
    [format.value_parser(PossibleValuesParser::new(names)).help(help), bom, force]
}

/// Writes the catalogue or the press kit.
async fn publish(app: &App, publication: Publication, arguments: &ArgMatches) -> Result<Outcome> {
    let file = arguments.get_one::<PathBuf>("file").cloned().unwrap_or_default();
    let is_right = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(publication.extension()));
    if !is_right {
        let sentence = format!("name a file that ends in .{}, not {}", publication.extension(), file.display());
        return Ok(command::refused(&sentence));
    }
    if arguments.get_flag("bom") {
        return Ok(command::refused("--bom is for CSV only"));
    }
    let edition = arguments.get_one::<i64>("edition").copied();
    let drafts = arguments.get_flag("drafts");
    catalogue::write_to_file(app, publication, (&file, arguments.get_flag("force")), (edition, drafts)).await
}

async fn write(app: &App, output: &Output, year: Option<i64>) -> Result<Outcome> {
    let mut connection = app.db.read().await?;
    let mut snapshot = db::snapshot(&mut connection, app.db.backend()).await?;
    let edition = edition::chosen(&mut snapshot, year).await?;
    let columns: Vec<Column> =
        FIELDS.iter().map(|field| Column::new(field.name, field.header).width(field.width)).collect();
    let mut table = output.open(&columns)?;
    let mut films = Films { connection: &mut snapshot, edition: edition.id };
    let scheduled = editing::all_scheduled(films.connection, &FILM).await?;
    let total = films.count().await?;
    let progress = Progress::new(total, "films");
    let mut write = |film: &ListedRow| -> Result<()> {
        let publication = scheduled.get(&film.id).map(|stored| editing::publication_text(stored, &app.time_zone));
        table.row(&cells(film, publication))?;
        progress.step();
        Ok(())
    };
    // In the order of the site: by category, then by position.
    let categories = films.categories().await?;
    let mut count = 0;
    for category in &categories {
        count += films.each(Some(*category), &mut write).await?;
    }
    if count < total {
        // Films whose category belongs to another edition.
        let is_elsewhere = |film: &ListedRow| !categories.iter().any(|id| category_of(film) == Some(*id));
        let rest = |film: &ListedRow| if is_elsewhere(film) { write(film) } else { Ok(()) };
        films.each(None, rest).await?;
    }
    snapshot.rollback().await?;
    drop(progress);
    let is_whole = output.finish(table, total, [FILM.singular, FILM.plural])?;
    Ok(if is_whole { Outcome::Done } else { Outcome::Failed })
}

/// Number of films that are read at a time and in memory at most.
const BATCH_SIZE: i64 = 1_000;

/// The films of an edition, read in batches.
struct Films<'c> {
    connection: &'c mut AnyConnection,
    edition: i64,
}

impl Films<'_> {
    async fn count(&mut self) -> Result<u64> {
        let listing = Listing { edition: Some(self.edition), ..Listing::first(1) };
        let page = table::list(self.connection, &FILM, &listing).await?;
        Ok(page.total.unsigned_abs())
    }

    /// The ids of the categories, in the order of the site.
    async fn categories(&mut self) -> Result<Vec<i64>> {
        let categories = table::choices(self.connection, &CATEGORY, Some(self.edition)).await?;
        Ok(categories.into_iter().map(|category| category.id).collect())
    }

    /// Calls `action` with each film of a category, or of all, and returns how many there are.
    async fn each(&mut self, category: Option<i64>, mut action: impl FnMut(&ListedRow) -> Result<()>) -> Result<u64> {
        let mut listing = Listing { edition: Some(self.edition), ..Listing::first(BATCH_SIZE) };
        let field = FILM.field("category").zip(category);
        listing.filters = field.map(|(field, id)| (field, Datum::Integer(id))).into_iter().collect();
        let mut count = 0;
        loop {
            let page = table::list(self.connection, &FILM, &listing).await?;
            for film in &page.rows {
                action(film)?;
                count += 1;
            }
            listing.offset += BATCH_SIZE;
            if page.rows.is_empty() || listing.offset >= page.total {
                return Ok(count);
            }
        }
    }
}

/// The id of a film's category.
fn category_of(film: &ListedRow) -> Option<i64> {
    match film.record.get(FILM.position("category")?)? {
        Datum::Integer(id) => Some(*id),
        _ => None,
    }
}

/// The cells of a film, one for each field; `publication` is when it will be published.
fn cells(film: &ListedRow, publication: Option<String>) -> Vec<Cell> {
    let cell = |name: &str| match FILM.position(name).and_then(|index| film.record.get(index)) {
        Some(Datum::Integer(number)) if name == IS_PUBLISHED => {
            let state = if *number == 0 { "no" } else { "yes" };
            publication.clone().or(Some(state.to_owned())).into()
        }
        Some(Datum::Integer(_)) if film.names.contains_key(name) => film.names.get(name).cloned().into(),
        Some(Datum::Integer(number)) => Cell::Number(*number),
        Some(Datum::Text(text) | Datum::Reference(text)) => Cell::text(text),
        Some(Datum::Null) | None => Cell::Empty,
    };
    FIELDS.iter().map(|field| cell(field.name)).collect()
}
