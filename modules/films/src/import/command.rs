//! `festival films import FILE`

use std::sync::Arc;

use clap::ArgMatches;
use festival_core::admin::audit::COMMAND_LINE;
use festival_core::command::{self, Command, Outcome};
use festival_core::editing::Editor;
use festival_core::importing::{Decisions, Import, Mapping, Outcome as Planned, ParsedSheet, RowOutcome};
use festival_core::list_import::{self, ListArguments, ListSource, ReportFile, Session};
use festival_core::{App, Error, Result};
use indicatif::{ProgressBar, ProgressStyle};

use super::arguments::{self, Arguments};
use super::pictures::Pictures;
use super::reader::{FilmLists, mappings, parsed_sheet};
use super::summary::{Changes, finish, print_columns};
use super::{FilmList, Report, read_films};
use crate::film::FILM;

/// Imports a list of films into an edition.
pub(crate) struct ImportFilms;

#[rocket::async_trait]
impl Command for ImportFilms {
    fn clap(&self) -> clap::Command {
        arguments::command()
    }

    async fn run(&self, app: Arc<App>, arguments: &ArgMatches) -> Result<Outcome> {
        let arguments = match Arguments::parse(&app, arguments) {
            Err(Error::BadRequest(sentence)) => return Ok(command::refused(&sentence)),
            arguments => arguments?,
        };
        match read_list(&app, &arguments).await {
            Ok((list, pictures)) => import(&app, &arguments, list, pictures).await,
            Err(Error::BadRequest(sentence) | Error::NotFound(sentence)) => Ok(command::refused(&sentence)),
            Err(error) => Err(error),
        }
    }
}

/// Reads the films of the file and finds the pictures, or says why they are refused.
async fn read_list(app: &App, arguments: &Arguments) -> Result<(FilmList, Option<Pictures>)> {
    let Arguments { list: ListArguments { file, worksheet, .. }, read, pictures } = arguments;
    let source = list_import::read_source(Some(&FilmLists), &FILM, file, worksheet.as_deref(), !read.no_header);
    let ListSource { table: sheet, bundle } = source.map_err(Error::BadRequest)?;
    let saved = list_import::saved_fields(app, &FILM, &arguments.list, &sheet.header).await?;
    let mut read = read.clone();
    match saved {
        // What --map says is said last.
        Some(fields) => {
            let is_free = |mapping: &Mapping| read.mappings.iter().all(|given| given.field != mapping.field);
            let saved: Vec<Mapping> = mappings(&fields).into_iter().filter(is_free).collect();
            read.mappings.extend(saved);
        }
        None if read.mappings.is_empty() => list_import::propose_mapping(app, &FILM, &sheet.header).await?,
        None => {}
    }
    let pictures = match pictures {
        Some(folder) => Some(Pictures::open(folder, &sheet).map_err(Error::BadRequest)?),
        // A list may lie among its pictures, or come in an archive without any.
        None => bundle.and_then(|_| Pictures::open(file, &sheet).ok()),
    };
    let name = arguments.list.file_name();
    let list = read_films(sheet, &read);
    let mut list = list.map_err(|error| Error::BadRequest(list_import::in_file(&name, &error)))?;
    let pictures = pictures.map(|pictures| pictures.with_columns(&mut list.report));
    Ok((list, pictures))
}

async fn import(app: &App, given: &Arguments, mut list: FilmList, pictures: Option<Pictures>) -> Result<Outcome> {
    let arguments = &given.list;
    if !arguments.json {
        print_columns(&list.report, &arguments.file);
    }
    // Before anything is written: the report may have no place to be.
    let report_file = match arguments.report.as_ref().map(|output| ReportFile::create(output, "section")).transpose() {
        Err(Error::BadRequest(sentence) | Error::Conflict(sentence)) => return Ok(command::refused(&sentence)),
        file => file?,
    };
    if !list.report.errors.is_empty() && !arguments.skip_invalid {
        return refuse(arguments, &list.report, report_file);
    }
    let edition = list_import::edition_id(app, arguments.edition).await?;
    if let Some(pictures) = pictures {
        pictures.add_to(app, &mut list, given).await?;
        if !list.report.errors.is_empty() && !arguments.skip_invalid {
            return refuse(arguments, &list.report, report_file);
        }
    }
    let progress = progress_bar(2 * list.rows.len());
    let editor = Editor::new(None, COMMAND_LINE);
    let source = arguments.file_name();
    let mut report = list.report.clone();
    // The warnings about the file have been printed.
    let sheet = ParsedSheet { notes: Vec::new(), ..parsed_sheet(list) };
    let session = Session {
        import: Import {
            records: &app.records,
            entity: &FILM,
            edition: Some(edition),
            editor: &editor,
            source: &source,
            options: &arguments.options,
            decisions: &Decisions { otherwise: arguments.on_conflict, ..Decisions::default() },
            progress: &|rows| progress.inc(rows as u64),
        },
        reader: &FilmLists,
        sheet: &sheet,
        dry_run: arguments.dry_run,
        skip_invalid: arguments.skip_invalid,
    };
    let ask = |outcome: &Planned, decisions: &mut Decisions| {
        progress.reset();
        progress.suspend(|| list_import::ask(outcome, decisions))
    };
    let Some(mut outcome) = session.run(arguments.asks, ask).await? else { return Ok(Outcome::Failed) };
    progress.finish_and_clear();
    report.errors.clone_from(&outcome.errors);
    report.blanked.clone_from(&outcome.blanked);
    if !report.errors.is_empty() && !arguments.skip_invalid {
        return refuse(arguments, &report, report_file);
    }
    let left_out = outcome.count(RowOutcome::LeftOut) + outcome.count(RowOutcome::Undecided);
    finish(arguments, &report, Some(&Changes::take(&mut outcome, &sheet.rows)), report_file)?;
    if !arguments.dry_run && outcome.open_questions().next().is_none() {
        list_import::save_mapping(app, &FILM, arguments, &sheet.columns).await?;
    }
    list_import::print_end(&outcome, arguments.dry_run);
    Ok(if report.errors.is_empty() && left_out == 0 { Outcome::Done } else { Outcome::Failed })
}

/// Prints what is wrong; nothing was written.
fn refuse(arguments: &ListArguments, report: &Report, file: Option<ReportFile>) -> Result<Outcome> {
    finish(arguments, report, None, file)?;
    eprintln!(
        "Nothing was imported. Correct these values, leave them empty with --blank-invalid, or import the other rows with \
         --skip-invalid."
    );
    Ok(Outcome::Failed)
}

/// A progress bar on a terminal; nothing for a short list, of which each row is planned, then written.
fn progress_bar(steps: usize) -> ProgressBar {
    if steps < 2_000 {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {percent} %, {eta} left");
    ProgressBar::new(steps as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
