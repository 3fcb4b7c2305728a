//! `festival films import FILE`

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, value_parser};
use festival_core::admin::audit::COMMAND_LINE;
use festival_core::command::{self, Command, Outcome};
use festival_core::editing::Editor;
use festival_core::importing::{
    self, Decisions, Difference, Import, OnConflict, Outcome as Planned, ParsedSheet, Question, Row, RowOutcome,
};
use festival_core::list_import::{self, Session};
use festival_core::println;
use festival_core::{App, Error, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::reader::{FilmLists, parsed_sheet};
use super::{FilmList, Mapping, ReadOptions, Report, fields, read_films};
use crate::film::FILM;

/// Imports a list of films into an edition.
pub(crate) struct ImportFilms;

#[rocket::async_trait]
impl Command for ImportFilms {
    fn clap(&self) -> clap::Command {
        clap::Command::new("import")
            .about(
                "Import a list of films (CSV, TSV, XLSX, ODS or JSON) into an edition; a repeated import updates films",
            )
            .arg(
                Arg::new("file")
                    .value_name("FILE")
                    .required(true)
                    .value_parser(value_parser!(PathBuf))
                    .help("The list; - is standard input"),
            )
            .arg(
                Arg::new("sheet")
                    .long("sheet")
                    .value_name("NAME")
                    .help("The worksheet of a workbook; by default the one whose columns fit best"),
            )
            .arg(
                Arg::new("edition")
                    .long("edition")
                    .value_name("YEAR")
                    .value_parser(value_parser!(i64))
                    .help("Year of the edition; by default the current one"),
            )
            .arg(
                Arg::new("category")
                    .long("category")
                    .value_name("NAME")
                    .help("The section of films whose row has none"),
            )
            .arg(
                Arg::new("map")
                    .long("map")
                    .value_name("FIELD=HEADER")
                    .action(ArgAction::Append)
                    .help("Which column fills a field: title=\"Film title\", by number: title=#2, several: director=director.1..director.9"),
            )
            .arg(flag("no-header", "The first row is a film, not a header"))
            .arg(flag("dry-run", "Only report what would happen"))
            .arg(flag("skip-invalid", "Import the rows without errors even if others have some"))
            .arg(
                Arg::new("on-conflict")
                    .long("on-conflict")
                    .value_name("POLICY")
                    .value_parser(["ask", "update", "skip", "fail"])
                    .help(
                        "What to do with lines that may be a stored film, but not for certain: ask line by line, do what \
                         is proposed, leave them out, or import nothing; by default ask on a terminal, else fail",
                    ),
            )
            .arg(
                Arg::new("report")
                    .long("report")
                    .value_name("FORMAT")
                    .value_parser(["text", "json"])
                    .default_value("text")
                    .help("How the report is printed"),
            )
            .after_help(
                "Examples:\n  festival films import list.xlsx --dry-run\n  \
                 festival films import shorts.csv --category \"Short films\" --map name=\"Working title\"",
            )
    }

    async fn run(&self, app: Arc<App>, arguments: &ArgMatches) -> Result<Outcome> {
        let arguments = match Arguments::parse(&app, arguments) {
            Err(Error::BadRequest(sentence)) => return Ok(command::refused(&sentence)),
            arguments => arguments?,
        };
        let list = match read_list(&arguments) {
            Ok(list) => list,
            Err(sentence) => {
                eprintln!("error: {sentence}");
                return Ok(Outcome::Refused);
            }
        };
        import(&app, &arguments, list).await
    }
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

/// The arguments of the command.
struct Arguments {
    file: PathBuf,
    /// The name of the worksheet; `None`: the one that fits best.
    worksheet: Option<String>,
    /// The year of the edition; `None`: the current one.
    edition: Option<i64>,
    options: ReadOptions,
    dry_run: bool,
    skip_invalid: bool,
    /// Whether to ask about uncertain lines.
    asks: bool,
    /// What to do with those that nobody is asked about.
    on_conflict: OnConflict,
    json: bool,
}

impl Arguments {
    fn parse(app: &App, matches: &ArgMatches) -> Result<Self> {
        let mappings = matches
            .get_many::<String>("map")
            .unwrap_or_default()
            .map(|text| text.parse::<Mapping>())
            .collect::<Result<_, _>>()
            .map_err(|e| Error::BadRequest(e.to_string()))?;
        let is_terminal = list_import::is_on_terminal();
        let policy = matches.get_one::<String>("on-conflict").map(String::as_str);
        if policy == Some("ask") && !is_terminal {
            return Err(Error::BadRequest(
                "--on-conflict ask needs a terminal; use update, skip or fail, and --dry-run to see the lines".into(),
            ));
        }
        let today = app.clock.now().to_zoned(app.time_zone.clone()).date();
        Ok(Self {
            file: matches.get_one::<PathBuf>("file").cloned().unwrap_or_default(),
            worksheet: matches.get_one::<String>("sheet").cloned(),
            edition: matches.get_one::<i64>("edition").copied(),
            options: ReadOptions {
                category: matches.get_one::<String>("category").cloned(),
                mappings,
                no_header: matches.get_flag("no-header"),
                this_year: i64::from(today.year()),
            },
            dry_run: matches.get_flag("dry-run"),
            skip_invalid: matches.get_flag("skip-invalid"),
            asks: is_terminal && matches!(policy, None | Some("ask")) && !matches.get_flag("dry-run"),
            on_conflict: match policy {
                Some("update") => OnConflict::Update,
                Some("skip") => OnConflict::Skip,
                _ => OnConflict::Ask,
            },
            json: matches.get_one::<String>("report").is_some_and(|format| format == "json"),
        })
    }
}

/// Reads the films of the file, or says why it is refused.
fn read_list(arguments: &Arguments) -> Result<FilmList, String> {
    let options = &arguments.options;
    let known = |header: &str| importing::knows(Some(&FilmLists), &FILM, header);
    let worksheet = arguments.worksheet.as_deref();
    let sheet = list_import::read_table(&arguments.file, worksheet, !options.no_header, &known)?;
    let name = arguments.file.file_name().unwrap_or_default().to_string_lossy();
    read_films(sheet, options).map_err(|error| list_import::in_file(&name, &error))
}

async fn import(app: &App, arguments: &Arguments, list: FilmList) -> Result<Outcome> {
    if !arguments.json {
        print_columns(&list.report, &arguments.file);
    }
    if !list.report.errors.is_empty() && !arguments.skip_invalid {
        return refuse(arguments, &list.report);
    }
    let edition = list_import::edition_id(app, arguments.edition).await?;
    let progress = progress_bar(list.rows.len());
    let editor = Editor::new(None, COMMAND_LINE);
    let source = arguments.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let section = |row: &Row| Some((row.line, row.values.get(fields::CATEGORY)?.clone()));
    let sections: HashMap<u64, String> = list.rows.iter().filter_map(section).collect();
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
    let Some(outcome) = session.run(arguments.asks, ask).await? else { return Ok(Outcome::Failed) };
    progress.finish_and_clear();
    report.errors.clone_from(&outcome.errors);
    if !report.errors.is_empty() && !arguments.skip_invalid {
        return refuse(arguments, &report);
    }
    let left_out = outcome.count(RowOutcome::LeftOut) + outcome.count(RowOutcome::Undecided);
    finish(arguments, &report, Some(&Changes::of(outcome.clone(), &sections)))?;
    list_import::print_end(&outcome, arguments.dry_run);
    Ok(if report.errors.is_empty() && left_out == 0 { Outcome::Done } else { Outcome::Failed })
}

/// Prints what is wrong; nothing was written.
fn refuse(arguments: &Arguments, report: &Report) -> Result<Outcome> {
    finish(arguments, report, None)?;
    eprintln!("Nothing was imported. Correct these values, or import the other rows with --skip-invalid.");
    Ok(Outcome::Failed)
}

/// What an import did, or would do.
#[derive(Debug, Serialize)]
struct Changes {
    inserted: usize,
    updated: usize,
    unchanged: usize,
    undecided: usize,
    left_out: usize,
    /// The id of the import, if anything was written.
    import: Option<i64>,
    new_sections: Vec<String>,
    questions: Vec<Question>,
    rows: Vec<RowChange>,
    notes: Vec<String>,
}

/// What happened to one row.
#[derive(Debug, Serialize)]
struct RowChange {
    line: u64,
    change: RowOutcome,
    name: String,
    category: String,
    /// A film of the same title, or one that the row may describe.
    like: Option<i64>,
    differences: Vec<Difference>,
}

impl Changes {
    fn of(outcome: Planned, sections: &HashMap<u64, String>) -> Self {
        Self {
            inserted: outcome.count(RowOutcome::New),
            updated: outcome.count(RowOutcome::Changed),
            unchanged: outcome.count(RowOutcome::Unchanged),
            undecided: outcome.count(RowOutcome::Undecided),
            left_out: outcome.count(RowOutcome::LeftOut),
            import: outcome.id,
            new_sections: outcome.new_targets,
            questions: outcome.questions,
            rows: outcome
                .rows
                .into_iter()
                .map(|row| RowChange {
                    line: row.line,
                    change: row.outcome,
                    name: row.title,
                    category: sections.get(&row.line).cloned().unwrap_or_default(),
                    like: row.similar,
                    differences: row.differences,
                })
                .collect(),
            notes: outcome.notes,
        }
    }
}

/// A progress bar on a terminal; nothing for a short list.
fn progress_bar(rows: usize) -> ProgressBar {
    if rows < 1_000 {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {percent} %, {eta} left");
    // Each row is planned, then written.
    ProgressBar::new(2 * rows as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Prints on standard error how the file was read.
fn print_columns(report: &Report, file: &Path) {
    let delimiter = match report.delimiter {
        Some('\t') => ", tabs".to_owned(),
        Some(delimiter) => format!(", \"{delimiter}\""),
        None => report.worksheet.as_ref().map_or(String::new(), |name| format!(", worksheet \"{name}\"")),
    };
    eprintln!("{} ({}{delimiter})", file.display(), report.encoding);
    for column in &report.understood {
        eprintln!("  column {:>2} {:<28} is {}", column.column, format!("\"{}\"", column.header), column.field);
    }
    for column in &report.ignored {
        eprintln!(
            "  column {:>2} {:<28} is left out: {}",
            column.column,
            format!("\"{}\"", column.header),
            column.reason
        );
    }
    if !report.other_worksheets.is_empty() {
        let names: Vec<String> = report.other_worksheets.iter().map(|name| format!("\"{name}\"")).collect();
        eprintln!("  note: the other worksheets are {}; --sheet NAME reads one of them", names.join(", "));
    }
    for warning in &report.warnings {
        eprintln!("  note: {warning}");
    }
}

/// Prints the outcome on standard output.
fn finish(arguments: &Arguments, report: &Report, changes: Option<&Changes>) -> Result<()> {
    #[derive(Serialize)]
    struct JsonReport<'a> {
        dry_run: bool,
        report: &'a Report,
        changes: Option<&'a Changes>,
    }
    if arguments.json {
        let json = JsonReport { dry_run: arguments.dry_run, report, changes };
        println!("{}", serde_json::to_string_pretty(&json)?);
        return Ok(());
    }
    for error in &report.errors {
        println!("{error}");
    }
    let Some(changes) = changes else { return Ok(()) };
    for note in &changes.notes {
        eprintln!("  note: {note}");
    }
    list_import::print_questions(&changes.questions);
    let rows = changes.rows.iter().filter(|row| arguments.dry_run && row.change != RowOutcome::Unchanged);
    for row in rows {
        let word = match row.change {
            RowOutcome::New => "new",
            RowOutcome::Changed => "changed",
            RowOutcome::Undecided => "open",
            RowOutcome::LeftOut | RowOutcome::Unchanged => "left out",
        };
        println!("line {:<6} {word:<8} {} ({})", row.line, row.name, row.category);
        list_import::print_differences(&row.differences);
    }
    println!(
        "{} films: {} new, {} changed, {} unchanged{}; {} new sections",
        changes.rows.len(),
        changes.inserted,
        changes.updated,
        changes.unchanged,
        [(changes.undecided, "undecided"), (changes.left_out, "left out")]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!(", {count} {word}"))
            .collect::<String>(),
        changes.new_sections.len()
    );
    Ok(())
}
