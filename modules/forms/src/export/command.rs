//! The command `festival forms export film|delegate|contact -o FILE`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{ArgMatches, value_parser};
use festival_core::admin::privacy::PrivateArchive;
use festival_core::command::{self, Command, Outcome, edition_option, flag, option, positional};
use festival_core::db::timestamp_text;
use festival_core::db::{self, Select, Test};
use festival_core::entity::Datum;
use festival_core::export::{self, Output, PendingFile, Progress, TableWriter, Target, counted};
use festival_core::{App, Error, Result, edition};
use jiff::civil::Date;

use super::layout::Layout;
use super::layout::add_files;
use crate::description::FILM_FORMS;
use crate::submissions::{KINDS, SubmissionKind, SubmissionReader, UNCLASSIFIED};

/// Exports submissions to a file.
pub(crate) struct ExportForms;

#[rocket::async_trait]
impl Command for ExportForms {
    fn clap(&self) -> clap::Command {
        clap::Command::new("export")
            .about("Write what people sent to a CSV, XLSX, ODS or JSON file, and their files to a ZIP archive")
            .arg(positional("kind", "FORM", "Which form").value_parser(KINDS.each_ref().map(|kind| kind.name)))
            .arg(export::file_argument().short('o').long("output"))
            .args(export::arguments())
            .arg(
                option("since", "DATE", "Only what came on this day or later, by the festival's clocks: 2025-08-01")
                    .value_parser(parse_date),
            )
            .arg(option("status", "STATUS", "Only what has this status"))
            .arg(option("award", "AWARD", "Only films for this award").value_parser(
                clap::builder::PossibleValuesParser::new(FILM_FORMS.iter().map(|form| form.key).chain([UNCLASSIFIED])),
            ))
            .arg(edition_option().help("The edition; the current one where nothing is said"))
            .arg(flag("quarantined", "Also what looked like the work of a machine and is kept apart"))
            .arg(
                option("files", "ZIP", "Also write the files that were sent to this archive")
                    .value_parser(value_parser!(PathBuf)),
            )
            .after_help(
                "Examples:\n  festival forms export film -o films.xlsx --award malayalam --files films.zip\n  \
                 festival forms export delegate -o delegates.csv --bom --since 2025-09-01\n  \
                 festival forms export contact -o - --format json\n\n\
                 In a CSV file, text that a spreadsheet would run as a formula begins with an apostrophe. A workbook \
                 keeps every telephone number and every text exactly as it was typed.",
            )
    }

    async fn run(&self, app: Arc<App>, arguments: &ArgMatches) -> Result<Outcome> {
        command::until_stopped(export(&app, arguments)).await
    }
}

fn parse_date(text: &str) -> Result<Date, String> {
    text.parse().map_err(|_| "not a day like 2025-08-01".to_owned())
}

/// What is exported, to which files.
struct ExportOptions<'a> {
    kind: &'static SubmissionKind,
    output: Output,
    files: Option<PathBuf>,
    /// The arguments of the command, which narrow the rows.
    arguments: &'a ArgMatches,
}

impl<'a> ExportOptions<'a> {
    fn parse(arguments: &'a ArgMatches) -> Result<Self> {
        let refuse = |sentence: &str| Err(Error::BadRequest(sentence.to_owned()));
        let kind = arguments.get_one::<String>("kind").and_then(|name| SubmissionKind::find(name));
        let Some(kind) = kind else { return refuse("which form?") };
        let options =
            Self { kind, output: Output::read(arguments)?, files: arguments.get_one("files").cloned(), arguments };
        if arguments.contains_id("award") && !kind.has_award() {
            return refuse("--award is for films");
        }
        if options.files.is_some() && !kind.has_files() {
            return refuse(&format!("no files belong to {}; leave --files out", kind.entity.plural));
        }
        if options.files.is_some() && options.files == options.output.file {
            return refuse("the table and the archive need a file each");
        }
        Ok(options)
    }

    /// Selects the rows to export.
    fn select(&self, app: &App, edition: i64) -> Result<Select> {
        let text = |name: &str| self.arguments.get_one::<String>(name);
        let mut select = self.kind.select().filter("edition_id", Test::Is, Datum::Integer(edition));
        if !self.arguments.get_flag("quarantined") {
            select = select.filter("is_quarantined", Test::Is, Datum::Integer(0));
        }
        if let Some(status) = text("status") {
            // Stored rows may have other statuses: from earlier versions, or of people who were erased.
            if !self.kind.states.iter().any(|state| state.key == status) {
                let known: Vec<&str> = self.kind.states.iter().map(|state| state.key).collect();
                eprintln!("{status} is no status of {}; they are {}", self.kind.entity.plural, known.join(", "));
            }
            select = select.filter("status", Test::Is, Datum::Text(status.clone()));
        }
        if let Some(award) = text("award") {
            select = select.filter("award_category", Test::Is, Datum::Text(award.clone()));
        }
        if let Some(day) = self.arguments.get_one::<Date>("since") {
            let start = day.to_zoned(app.time_zone.clone()).map_err(Error::internal)?;
            select = select.filter("created_at", Test::From, Datum::Text(timestamp_text(start.timestamp())));
        }
        Ok(select)
    }
}

async fn export(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let options = ExportOptions::parse(arguments)?;
    let kind = options.kind;
    let mut connection = app.db.read().await?;
    let mut snapshot = db::snapshot(&mut connection, app.db.backend()).await?;
    let edition = edition::chosen(&mut snapshot, arguments.get_one("edition").copied()).await?;
    let select = options.select(app, edition.id)?;
    let layout = Layout::of(kind, options.output.format, &app.time_zone);
    let mut table = options.output.open(&layout.columns)?;
    let pending = options.files.as_ref().map(|path| PendingFile::create(path, options.output.force)).transpose()?;
    let mut archive = pending.map(PrivateArchive::new);
    let progress = Progress::new(select.count(&mut snapshot).await?.unsigned_abs(), kind.entity.plural);
    let mut count = 0_u64;
    let mut reader = SubmissionReader::new(&app.secrets, kind, &select);
    while let Some(submission) = reader.next(&mut snapshot).await? {
        table.row(&layout.row(&submission))?;
        if let Some(open) = archive.take() {
            let noted = open.problems.len();
            let open = add_files(open, app, &submission).await?;
            open.problems.iter().skip(noted).for_each(|problem| progress.print(&format!("error: {problem}")));
            archive = Some(open);
        }
        progress.step();
        count += 1;
    }
    snapshot.rollback().await?;
    drop(progress);
    finish(&options, count, table, archive)
}

/// Moves both files to their final names, and prints what is in them.
fn finish(
    options: &ExportOptions<'_>,
    count: u64,
    table: TableWriter<Target>,
    archive: Option<PrivateArchive<PendingFile>>,
) -> Result<Outcome> {
    let entity = options.kind.entity;
    let counts = archive.as_ref().map(|archive| (archive.added, archive.problems.len() as u64));
    let archive = archive.map(PrivateArchive::finish).transpose()?;
    let is_whole = options.output.finish(table, count, [entity.singular, entity.plural])?;
    if let Some(archive) = archive {
        archive.commit()?;
    }
    let (added, missing) = counts.unwrap_or_default();
    if let Some(path) = &options.files {
        eprintln!("{} written to {}.", counted(added, ["file", "files"]), path.display());
    }
    if missing > 0 {
        eprintln!("{} missing or incomplete, as listed above.", counted(missing, ["file is", "files are"]));
    }
    Ok(if is_whole && missing == 0 { Outcome::Done } else { Outcome::Failed })
}
