//! The arguments of `festival films import`.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, value_parser};
use festival_core::export::{Format, Output};
use festival_core::importing::{EmptyCells, ImportOptions, OnConflict};
use festival_core::list_import;
use festival_core::{App, Error, Result};

use super::{FIELDS, Mapping, ReadOptions};

/// The command with its arguments.
pub(super) fn command() -> clap::Command {
    let fields: Vec<&str> = FIELDS.iter().map(|field| field.name).collect();
    clap::Command::new("import")
        .about("Import a list of films (CSV, TSV, XLSX, ODS or JSON) into an edition; a repeated import updates films")
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The list; - is standard input"),
        )
        .arg(option("sheet", "NAME", "The worksheet of a workbook; by default the one whose columns fit best"))
        .arg(
            option("edition", "YEAR", "Year of the edition; by default the current one")
                .value_parser(value_parser!(i64)),
        )
        .arg(option("category", "NAME", "The section of films whose row has none"))
        .arg(
            option(
                "map",
                "FIELD=HEADER",
                "Which column fills a field: title=\"Film title\", by number: title=#2, several: director=director.1..director.9",
            )
            .action(ArgAction::Append),
        )
        .arg(
            option("pictures", "FOLDER|ZIP", "Posters and stills, named in the list or after the titles of the films")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(flag("no-header", "The first row is a film, not a header"))
        .arg(flag("dry-run", "Only report what would happen"))
        .arg(flag("skip-invalid", "Import the rows without errors even if others have some"))
        .arg(
            flag("blank-invalid", "Leave a value that cannot be used empty, and import its row")
                .conflicts_with("skip-invalid"),
        )
        .arg(
            option("empty", "POLICY", "What an empty cell does to the value of a stored film; by default it is kept")
                .value_parser(["keep", "clear"]),
        )
        .arg(
            option(
                "as",
                "STATE",
                "Whether new films are shown on the site, where the list does not say; by default they are",
            )
            .value_parser(["published", "draft"]),
        )
        .arg(
            option(
                "on-conflict",
                "POLICY",
                "What to do with lines that may be a stored film, but not for certain: ask line by line, do what is \
                 proposed, leave them out, or import nothing; by default ask on a terminal, else fail",
            )
            .value_parser(["ask", "update", "skip", "fail"]),
        )
        .arg(
            option(
                "report",
                "FORMAT|FILE",
                "Print the report as text or json; or write it, line by line and field by field, to a CSV, XLSX, ODS or \
                 JSON file",
            )
            .default_value("text"),
        )
        .arg(flag("force", "Replace a report file that is there already"))
        .after_help(format!(
            "Fields for --map: {}\n\nExamples:\n  festival films import list.xlsx --dry-run --report changes.xlsx\n  \
             festival films import shorts.csv --category \"Short films\" --map name=\"Working title\" --as draft",
            fields.join(", ")
        ))
}

fn option(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

/// The arguments of the command.
pub(super) struct Arguments {
    pub(super) file: PathBuf,
    /// The name of the worksheet; `None`: the one that fits best.
    pub(super) worksheet: Option<String>,
    /// The year of the edition; `None`: the current one.
    pub(super) edition: Option<i64>,
    pub(super) read: ReadOptions,
    pub(super) import: ImportOptions,
    /// The folder or archive with posters and stills.
    pub(super) pictures: Option<PathBuf>,
    pub(super) dry_run: bool,
    pub(super) skip_invalid: bool,
    /// Whether to ask about uncertain lines.
    pub(super) asks: bool,
    /// What to do with those that nobody is asked about.
    pub(super) on_conflict: OnConflict,
    /// Whether the report is printed as JSON.
    pub(super) json: bool,
    /// The file of the report.
    pub(super) report: Option<Output>,
}

impl Arguments {
    pub(super) fn parse(app: &App, matches: &ArgMatches) -> Result<Self> {
        let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
        let mappings = matches
            .get_many::<String>("map")
            .unwrap_or_default()
            .map(|text| text.parse::<Mapping>())
            .collect::<Result<_, _>>()
            .map_err(|e| Error::BadRequest(e.to_string()))?;
        let is_terminal = list_import::is_on_terminal();
        let policy = text("on-conflict");
        if policy == Some("ask") && !is_terminal {
            return Err(Error::BadRequest(
                "--on-conflict ask needs a terminal; use update, skip or fail, and --dry-run to see the lines".into(),
            ));
        }
        let today = app.clock.now().to_zoned(app.time_zone.clone()).date();
        let blank_invalid = matches.get_flag("blank-invalid");
        let report = text("report").unwrap_or("text");
        let file = matches.get_one::<PathBuf>("file").cloned().unwrap_or_default();
        Ok(Self {
            worksheet: text("sheet").map(str::to_owned),
            edition: matches.get_one::<i64>("edition").copied(),
            read: ReadOptions {
                category: text("category").map(str::to_owned),
                mappings,
                no_header: matches.get_flag("no-header"),
                this_year: i64::from(today.year()),
                blank_invalid,
            },
            import: ImportOptions {
                blank_invalid,
                empty_cells: text("empty").and_then(EmptyCells::of_name),
                publish_new: text("as").map(|state| state == "published"),
                ..ImportOptions::default()
            },
            pictures: matches.get_one::<PathBuf>("pictures").cloned(),
            dry_run: matches.get_flag("dry-run"),
            skip_invalid: matches.get_flag("skip-invalid"),
            asks: is_terminal && matches!(policy, None | Some("ask")) && !matches.get_flag("dry-run"),
            on_conflict: match policy {
                Some("update") => OnConflict::Update,
                Some("skip") => OnConflict::Skip,
                _ => OnConflict::Ask,
            },
            json: report == "json",
            report: match report {
                "text" | "json" => None,
                name => Some(report_file(Path::new(name), &file, matches.get_flag("force"))?),
            },
            file,
        })
    }
}

/// The file of the report, in the format of its extension.
fn report_file(file: &Path, list: &Path, force: bool) -> Result<Output> {
    let Some(format) = Format::of_file(file) else {
        let sentence =
            format!("--report {}: say text, json, or a file that ends in .csv, .xlsx, .ods or .json", file.display());
        return Err(Error::BadRequest(sentence));
    };
    if file == list {
        return Err(Error::BadRequest("--report names the list itself; choose another file".into()));
    }
    // Who opens a CSV file of a report does so with a spreadsheet.
    Ok(Output { file: Some(file.to_owned()), format, bom: format == Format::Csv, force })
}
