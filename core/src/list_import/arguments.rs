//! The arguments of commands that import lists.

use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, value_parser};
use festival_base::error::{Error, Result};
use festival_files::export::Output;
use festival_files::sheet::Limits;
use festival_records::entity::Entity;
use festival_records::importing::dates::Order;
use festival_records::importing::{self, EmptyCells, ImportOptions, Mapping, OnConflict, Reader};

use crate::command::{edition_option, flag, option, positional};

/// How a list is imported, as the arguments say.
#[derive(Clone, Debug)]
pub(super) struct ListArguments {
    /// The list; "-" is standard input.
    pub(super) file: PathBuf,
    /// The folder or archive with the files that it names; `None`: they come with it, or there are none.
    pub(super) files: Option<PathBuf>,
    /// The name of the worksheet; `None`: the one that fits best.
    pub(super) worksheet: Option<String>,
    /// The year of the edition; `None`: the current one.
    pub(super) edition: Option<i64>,
    /// The name of the saved mapping to read the list with.
    pub(super) mapping: Option<String>,
    /// The name under which the mapping of this list is saved.
    pub(super) save_mapping: Option<String>,
    /// How cells and new rows are handled.
    pub(super) options: ImportOptions,
    /// Only report what would happen.
    pub(super) dry_run: bool,
    /// Import the rows without errors even if others have some.
    pub(super) skip_invalid: bool,
    /// Whether to ask about uncertain lines.
    pub(super) asks: bool,
    /// What to do with those about which nobody is asked.
    pub(super) on_conflict: OnConflict,
    /// Whether the report is printed as JSON.
    pub(super) json: bool,
    /// The file of the report.
    pub(super) report: Option<Output>,
}

/// Returns the arguments that [`ListArguments::read`] reads, in the order of the help.
pub fn arguments() -> Vec<Arg> {
    vec![
        positional("file", "FILE", format!(
                "The list, or a folder or ZIP archive with it and the files that it names; - is standard input. It may have \
                 {} rows; split a longer one",
                Limits::default().rows
            )).value_parser(value_parser!(PathBuf)),
        option("files", "FOLDER|ZIP", "The files that the list names, such as pictures, where they do not come with it")
            .visible_alias("pictures")
            .value_parser(value_parser!(PathBuf)),
        option("sheet", "NAME", "The worksheet of a workbook; by default the one whose columns fit best"),
        edition_option(),
        option(
            "map",
            "FIELD=HEADER",
            "Which column fills a field: title=\"Working title\", by number: title=#2, several: director=director.1..director.9",
        )
        .action(ArgAction::Append),
        option("mapping", "NAME", "Read the columns as in the mapping that was saved by this name"),
        option("save-mapping", "NAME", "Save what the columns are, for the next list with this header"),
        flag("no-header", "The first row is no header"),
        flag("dry-run", "Only report what would happen"),
        flag("skip-invalid", "Import the rows without errors even if others have some"),
        flag(
            "blank-invalid",
            "Leave a value that cannot be used empty, and import its row; with --skip-invalid, rows that need the value are left out",
        ),
        option(
            "empty",
            "POLICY",
            "What an empty cell does to a stored value; by default it keeps it, in a list that was exported here it clears it",
        )
        .value_parser(["keep", "clear"]),
        option(
            "dates",
            "ORDER",
            "Which comes first in dates such as 3/4/2027; by default other dates of the column and the days of the edition decide",
        )
        .value_parser(["day-first", "month-first"]),
        option(
            "as",
            "STATE",
            "Whether new rows are shown on the site, where the list does not say; by default they are",
        )
        .value_parser(["published", "draft"]),
        option(
            "on-conflict",
            "POLICY",
            "What to do with lines that may be about a stored row, but not for certain: ask line by line, do what is \
             proposed, leave them out, or import nothing; by default ask on a terminal, else fail",
        )
        .value_parser(["ask", "update", "skip", "fail"]),
        option(
            "report",
            "FORMAT|FILE",
            "Print the report as text or json; or write it, line by line and field by field, to a CSV, XLSX, ODS or JSON \
             file",
        )
        .default_value("text"),
        flag("json", "Print the report as JSON, for scripts: the same as --report json").conflicts_with("report"),
        flag("force", "Replace a report file that is there already"),
    ]
}

/// The fields for which a command may have an option of its own, as in `--category NAME`: those that need a value in
/// every row.
pub(super) fn default_options(entity: &'static Entity) -> impl Iterator<Item = Arg> {
    importing::for_all(entity)
        .map(|field| option(field.name, "NAME", format!("{} of the rows that have none", field.label)))
}

/// Returns the argument `--default FIELD=VALUE`, for a command of many entities.
pub fn default_argument() -> Arg {
    option(
        "default",
        "FIELD=VALUE",
        "The value of rows that have none, for a field that must name another row: hall=\"Kairali\"",
    )
    .action(ArgAction::Append)
}

/// Reads `--default FIELD=VALUE` and the [`default_options`].
fn defaults(matches: &ArgMatches, entity: &'static Entity) -> Result<BTreeMap<&'static str, String>> {
    let given = matches.try_get_many::<String>("default").ok().flatten().unwrap_or_default();
    let read = |text: &String| {
        let fields: Vec<&'static str> = importing::for_all(entity).map(|field| field.name).collect();
        let found = text.split_once('=').and_then(|(name, value)| {
            fields.iter().find(|field| **field == name.trim()).map(|field| (*field, value.trim().to_owned()))
        });
        found.ok_or_else(|| {
            let known = if fields.is_empty() { "none here".to_owned() } else { fields.join(", ") };
            Error::BadRequest(format!("--default {text}: write FIELD=VALUE; fields that may have one: {known}"))
        })
    };
    let options = importing::for_all(entity).filter_map(|field| {
        let value = matches.try_get_one::<String>(field.name).ok().flatten()?;
        Some(Ok((field.name, value.trim().to_owned())))
    });
    given.map(read).chain(options).collect()
}

impl ListArguments {
    /// Reads the [`arguments`] of an import into `entity`.
    ///
    /// # Errors
    /// [`Error::BadRequest`] with a sentence that says what to do, if they do not go together.
    pub(super) fn read(matches: &ArgMatches, entity: &'static Entity, registered: Option<&dyn Reader>) -> Result<Self> {
        let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
        let reader = registered.unwrap_or_else(|| importing::reader(None, entity, &[]));
        let headers = reader.headers(entity);
        let fields: Vec<&'static str> = headers.fields.iter().map(|field| field.name).collect();
        let mappings = matches
            .get_many::<String>("map")
            .unwrap_or_default()
            .map(|text| Mapping::parse(text, &fields, |name| importing::field_of(registered, entity, name)))
            .collect::<Result<_, _>>()
            .map_err(Error::BadRequest)?;
        let is_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        let policy = text("on-conflict");
        if policy == Some("ask") && !is_terminal {
            return Err(Error::BadRequest(
                "--on-conflict ask needs a terminal; use update, skip or fail, and --dry-run to see the lines".into(),
            ));
        }
        let dry_run = matches.get_flag("dry-run");
        let report = if matches.get_flag("json") { "json" } else { text("report").unwrap_or("text") };
        let file = matches.get_one::<PathBuf>("file").cloned().unwrap_or_default();
        Ok(Self {
            files: matches.get_one::<PathBuf>("files").cloned(),
            worksheet: text("sheet").map(str::to_owned),
            edition: matches.get_one::<i64>("edition").copied(),
            mapping: text("mapping").map(str::to_owned),
            save_mapping: text("save-mapping").map(str::to_owned),
            options: ImportOptions {
                mappings,
                no_header: matches.get_flag("no-header"),
                blank_invalid: matches.get_flag("blank-invalid"),
                empty_cells: text("empty").and_then(EmptyCells::of_name),
                order: text("dates").and_then(Order::of_name),
                publish_new: text("as").map(|state| state == "published"),
                for_all: defaults(matches, entity)?,
                ..ImportOptions::default()
            },
            dry_run,
            skip_invalid: matches.get_flag("skip-invalid"),
            asks: is_terminal && matches!(policy, None | Some("ask")) && !dry_run,
            on_conflict: match policy {
                Some("update") => OnConflict::Update,
                Some("skip") => OnConflict::Skip,
                _ => OnConflict::Ask,
            },
            json: report == "json",
            report: match report {
                "text" | "json" => None,
                name => {
                    let others = "say text, json, or";
                    Some(Output::report(Path::new(name), (&file, "list"), others, matches.get_flag("force"))?)
                }
            },
            file,
        })
    }

    /// The name of the file, for people and for the list of imports.
    pub(super) fn file_name(&self) -> String {
        self.file.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}
