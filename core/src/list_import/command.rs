//! `festival MODULE import FILE`, and the import of a list into any entity.

use std::collections::BTreeSet;
use std::sync::Arc;

use clap::ArgMatches;
use festival_admin::audit::COMMAND_LINE;
use festival_base::db;
use festival_base::error::{Error, Result};
use festival_base::println;
use festival_files::bundle::Bundle;
use festival_files::export::Progress;
use festival_files::sheet::Sheet;
use festival_records::editing::Editor;
use festival_records::edition::{self, Edition};
use festival_records::entity::{Entity, Kind};
use festival_records::importing::{
    self, Attachments, Column, Decisions, Import, ImportOptions, Imported, Outcome as Planned, ParsedSheet, Reader,
    Refusal, RowOutcome, terminal,
};
use jiff::civil::Date;
use serde_json::json;

use super::arguments::{ListArguments, arguments, default_options};
use super::report::{ReportFile, differences_text, outcome_word, print_end, print_questions};
use super::source::{in_file, read_source};
use crate::app::App;
use crate::command::{self, Command, Outcome};

/// Imports a list of the rows of an entity.
pub struct ImportList {
    /// The entity of the rows.
    pub entity: &'static Entity,
    /// Interprets the list.
    pub reader: Arc<dyn Reader>,
    /// What it does, for the help.
    pub about: &'static str,
    /// Example calls, for the help.
    pub examples: &'static [&'static str],
}

#[rocket::async_trait]
impl Command for ImportList {
    fn clap(&self) -> clap::Command {
        let headers = self.reader.headers(self.entity);
        let fields: Vec<&str> = headers.fields.iter().map(|field| field.name).collect();
        clap::Command::new("import").about(self.about).args(arguments()).args(default_options(self.entity)).after_help(
            format!("Fields for --map: {}\n\nExamples:\n  {}", fields.join(", "), self.examples.join("\n  ")),
        )
    }

    async fn run(&self, app: Arc<App>, matches: &ArgMatches) -> Result<Outcome> {
        import_list(&app, self.entity, Some(&*self.reader), matches).await
    }
}

/// Imports a list into an entity as the [`arguments`] say, and reports what it did.
///
/// # Errors
/// If the database cannot be read or written. A list or an argument that cannot be used is [`Outcome::Refused`].
pub async fn import_list(
    app: &App,
    entity: &'static Entity,
    registered: Option<&dyn Reader>,
    matches: &ArgMatches,
) -> Result<Outcome> {
    let imported = async { run(app, entity, registered, &ListArguments::read(matches, entity, registered)?).await };
    match imported.await {
        Err(Error::BadRequest(sentence) | Error::Conflict(sentence) | Error::NotFound(sentence)) => {
            Ok(command::refused(&sentence))
        }
        outcome => outcome,
    }
}

async fn run(
    app: &App,
    entity: &'static Entity,
    registered: Option<&dyn Reader>,
    arguments: &ListArguments,
) -> Result<Outcome> {
    let (table, bundle) = read_source(registered, entity, arguments).map_err(Error::BadRequest)?;
    let edition = edition::of_rows(&mut *app.db.read().await?, entity, arguments.edition).await?;
    let days = edition.as_ref().and_then(Edition::days);
    let (heading, note) = how_read(arguments, &table);
    let file = json!({
        "encoding": table.encoding, "delimiter": table.delimiter, "worksheet": table.worksheet,
        "other_worksheets": table.other_worksheets, "header_line": table.header_line,
    });
    let (mut sheet, mut options) = parse(app, entity, registered, (arguments, days), (table, bundle.as_ref())).await?;
    if let Some(bundle) = &bundle {
        let (records, uploads) = (&app.records, &app.settings.uploads);
        let count = Attachments::count(entity, &sheet);
        let bar = (count > 0).then(|| Progress::slow(count as u64, "files"));
        let progress = || bar.iter().for_each(Progress::step);
        let files = Attachments { records, uploads, bundle, stores: !arguments.dry_run, progress: &progress };
        options.files = files.attach(entity, &mut sheet, options.blank_invalid).await?;
    }
    if !arguments.json {
        eprint!("{heading}{}{note}", column_lines(&sheet.columns));
    }
    // Before anything is written: it may not be possible to create the report.
    let report = arguments.report.as_ref().map(ReportFile::create).transpose()?;
    let source = arguments.file_name();
    // Each row is planned, then written.
    let progress = Progress::new(2 * sheet.rows.len() as u64, "steps");
    let import = Import {
        records: &app.records,
        entity,
        edition: edition.map(|edition| edition.id),
        editor: &Editor::new(None, COMMAND_LINE),
        source: &source,
        options: &options,
        decisions: &Decisions { otherwise: arguments.on_conflict, ..Decisions::default() },
        progress: &|rows| progress.advance(rows),
    };
    let written = write(&import, registered, &sheet, arguments, &progress).await?;
    let Some(outcome) = written else { return Ok(Outcome::Failed) };
    drop(progress);
    let is_refused = !outcome.errors.is_empty() && !arguments.skip_invalid;
    if let Some(report) = report {
        report.write(&outcome)?;
    }
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&as_json(&file, &sheet, &outcome, arguments.dry_run))?);
    } else {
        print(entity, &outcome, arguments.dry_run, is_refused);
    }
    if is_refused {
        let blank = if arguments.options.blank_invalid { "" } else { " leave them empty with --blank-invalid," };
        eprintln!("Nothing was imported. Correct these values,{blank} or import the other rows with --skip-invalid.");
        return Ok(Outcome::Failed);
    }
    if let Some(name) = &arguments.save_mapping
        && !arguments.dry_run
        && outcome.open_questions().next().is_none()
    {
        let mut write = app.db.write_private().await?;
        let now = db::timestamp_text(app.clock.now());
        importing::save_mapping(&mut write, entity, name, &sheet.columns, &now).await?;
        write.commit().await?;
        eprintln!("The mapping is saved. The next list with this header: --mapping \"{}\"", name.trim());
    }
    print_end(&outcome, arguments.dry_run);
    let left_out = outcome.count(RowOutcome::LeftOut) + outcome.count(RowOutcome::Undecided);
    Ok(if outcome.errors.is_empty() && left_out == 0 { Outcome::Done } else { Outcome::Failed })
}

/// Imports the rows, and asks open questions on the terminal until there are none. `None` if the person stops.
async fn write(
    import: &Import<'_>,
    registered: Option<&dyn Reader>,
    sheet: &ParsedSheet,
    arguments: &ListArguments,
    progress: &Progress,
) -> Result<Option<Planned>> {
    let mut decisions = import.decisions.clone();
    let is_refused = |outcome: &Planned| !outcome.errors.is_empty() && !arguments.skip_invalid;
    let is_open = |outcome: &Planned| outcome.open_questions().next().is_some();
    let accept = |outcome: &Planned| !arguments.dry_run && !is_refused(outcome) && !is_open(outcome);
    loop {
        let import = Import { decisions: &decisions, ..*import };
        let outcome = match importing::write(&import, registered, sheet, accept).await? {
            Imported::Refused(outcome) => outcome,
            Imported::Written(outcome, write) => {
                write.commit().await?;
                return Ok(Some(outcome));
            }
        };
        // An answer can bring new questions.
        if !arguments.asks || is_refused(&outcome) || !is_open(&outcome) {
            return Ok(Some(outcome));
        }
        let ask =
            || terminal::ask(outcome.open_questions(), &mut decisions, std::io::stdin().lock(), std::io::stderr());
        if !progress.restart_after(ask)? {
            eprintln!("Stopped. Nothing was imported.");
            return Ok(None);
        }
    }
}

/// Interprets the rows of a table: its columns are those of the arguments and of the saved mapping, else the header's.
async fn parse(
    app: &App,
    entity: &'static Entity,
    registered: Option<&dyn Reader>,
    (arguments, days): (&ListArguments, Option<(Date, Date)>),
    (table, bundle): (Sheet, Option<&Bundle>),
) -> Result<(ParsedSheet, ImportOptions)> {
    let mut options = ImportOptions { days, ..arguments.options.clone() };
    let mut connection = app.db.read().await?;
    if let Some(name) = &arguments.mapping {
        options.columns = Some(importing::saved_mapping(&mut connection, entity, name).await?.fields(&table.header));
    } else if options.mappings.is_empty() {
        let saved = importing::saved_mappings(&mut connection, Some(entity)).await?;
        if let Some(mapping) = saved.iter().find(|mapping| mapping.fits(&table.header)) {
            eprintln!(
                "  note: the mapping \"{0}\" was saved for this header; --mapping \"{0}\" reads the list with it",
                mapping.name
            );
        }
    }
    drop(connection);
    let reader = importing::reader(registered, entity, &table.header);
    let sheet = importing::read_with_files(reader, (&app.records, entity, &options), table, bundle);
    let sheet = sheet.map_err(|Refusal { reason, columns }| {
        let reason = in_file(&arguments.file_name(), &reason);
        Error::BadRequest(format!("{reason}\n{}{}", column_lines(&columns), hint(reader, entity)))
    })?;
    Ok((sheet, options))
}

/// Describes the options that supply what a list does not say.
fn hint(reader: &dyn Reader, entity: &'static Entity) -> String {
    let headers = reader.headers(entity);
    let fields: Vec<&str> = headers.fields.iter().map(|field| field.name).collect();
    let defaults = importing::for_all(entity).map(|field| format!("; --{} NAME for rows that have none", field.name));
    let has_dates =
        entity.columns().any(|field| matches!(field.kind, Kind::Date | Kind::DateTime | Kind::LocalDateTime));
    format!(
        "Say which column is which field: --map FIELD=HEADER, in a list without a header --no-header --map FIELD=#2{}.\n\
         {}Fields: {}",
        defaults.collect::<String>(),
        if has_dates { "What comes first in 3/4/2027: --dates day-first or --dates month-first.\n" } else { "" },
        fields.join(", ")
    )
}

/// The columns of a list, each in a line with what it was recognised as.
fn column_lines(columns: &[Column]) -> String {
    let line = |(number, column): (usize, &Column)| {
        let header = format!("\"{}\"", column.header);
        match column.field {
            Some(field) => format!("  column {number:>2} {header:<28} is {field}\n"),
            None => format!("  column {number:>2} {header:<28} is left out: {}\n", column.why),
        }
    };
    (1..).zip(columns).map(line).collect()
}

/// How a list was read, for people: a line before its columns, and a note after them if there are other worksheets.
fn how_read(arguments: &ListArguments, table: &Sheet) -> (String, String) {
    let part = match (table.delimiter, &table.worksheet) {
        (Some('\t'), _) => ", tabs".to_owned(),
        (Some(delimiter), _) => format!(", \"{delimiter}\""),
        (None, worksheet) => worksheet.as_ref().map_or(String::new(), |name| format!(", worksheet \"{name}\"")),
    };
    let heading = format!("{} ({}{part})\n", arguments.file.display(), table.encoding);
    if table.other_worksheets.is_empty() {
        return (heading, String::new());
    }
    let names: Vec<String> = table.other_worksheets.iter().map(|name| format!("\"{name}\"")).collect();
    (heading, format!("  note: the other worksheets are {}; --sheet NAME reads one of them\n", names.join(", ")))
}

fn print(entity: &Entity, outcome: &Planned, dry_run: bool, is_refused: bool) {
    outcome.notes.iter().for_each(|note| eprintln!("  note: {note}"));
    outcome.errors.iter().for_each(|error| println!("{error}"));
    if outcome.errors.len() > 1 {
        println!("{} values cannot be used.", outcome.errors.len());
    }
    outcome.blanked.iter().for_each(|error| println!("{error}; left empty"));
    // Also if the list is refused, so that it can be corrected in one go.
    print_questions(&outcome.questions);
    if is_refused {
        return;
    }
    let count = |outcome_of| outcome.count(outcome_of);
    let wrong_lines: BTreeSet<u64> = outcome.errors.iter().map(|error| error.line).collect();
    let lines = outcome.rows.len() + wrong_lines.len();
    let summary = format!(
        "{} {}: {} new, {} changed, {} unchanged, {} left out",
        lines,
        if lines == 1 { entity.singular } else { entity.plural },
        count(RowOutcome::New),
        count(RowOutcome::Changed),
        count(RowOutcome::Unchanged),
        count(RowOutcome::LeftOut) + count(RowOutcome::Undecided) + wrong_lines.len(),
    );
    if !dry_run {
        println!("{summary}");
        return;
    }
    let mut lines = String::new();
    for row in outcome.rows.iter().filter(|row| row.outcome != RowOutcome::Unchanged) {
        let details = if row.details.is_empty() { String::new() } else { format!(" ({})", row.details) };
        lines += &format!("line {:<6} {:<9} {}{details}\n", row.line, outcome_word(row.outcome), row.title);
        lines += &differences_text(&row.differences);
    }
    println!("{lines}{summary}");
}

/// The report for scripts.
fn as_json(file: &serde_json::Value, sheet: &ParsedSheet, outcome: &Planned, dry_run: bool) -> serde_json::Value {
    let rows: Vec<serde_json::Value> = outcome
        .rows
        .iter()
        .map(|row| {
            json!({
                "line": row.line, "change": row.outcome, "id": row.id, "title": row.title, "details": row.details,
                "like": row.similar, "differences": row.differences,
            })
        })
        .collect();
    json!({
        "dry_run": dry_run,
        "file": file,
        "report": { "columns": sheet.columns, "errors": outcome.errors, "blanked": outcome.blanked, "notes": outcome.notes },
        "changes": {
            "inserted": outcome.count(RowOutcome::New),
            "updated": outcome.count(RowOutcome::Changed),
            "unchanged": outcome.count(RowOutcome::Unchanged),
            "undecided": outcome.count(RowOutcome::Undecided),
            "left_out": outcome.count(RowOutcome::LeftOut),
            "import": outcome.id,
            "new_targets": outcome.new_targets,
            "questions": outcome.questions,
            "rows": rows,
        },
    })
}
