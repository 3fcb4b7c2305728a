//! The commands `festival payments import FILE` and `festival payments undo ID`.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{ArgAction, ArgMatches, value_parser};
use festival_core::command::{self, Command, Outcome, edition_option, flag, option, positional};
use festival_core::export::Output;
use festival_core::{App, Error, Result, println};

use super::layout;
use super::queue::is_open;
use super::read::MAX_BYTES;
use super::report::{self, totals};
use super::store::{Ledger, Report, Source};
use super::stored::StoredLine;

/// References of submissions without a payment that are printed.
const MAX_REFERENCES: usize = 20;

/// The group of commands about payments.
pub(super) struct Payments;

#[rocket::async_trait]
impl Command for Payments {
    fn clap(&self) -> clap::Command {
        let edition = || edition_option().help("The edition; the current one where nothing is said");
        let import = clap::Command::new("import")
            .about("Read a bank's statement, verify the payments that are certain, and queue the others")
            .arg(
                positional(
                    "file",
                    "FILE",
                    "The statement as the bank offers it: CSV, XLSX, XLS, MT940, camt.053 or OFX",
                )
                .value_parser(value_parser!(PathBuf)),
            )
            .arg(option(
                "bank",
                "NAME",
                "The account, where there are several; its columns are remembered under this name",
            ))
            .arg(
                option("map", "HEADER=FIELD", "What a column holds that is not recognised; it is remembered")
                    .action(ArgAction::Append),
            )
            .arg(flag("dry-run", "Only report what would happen"))
            .arg(
                option("report", "FILE", "Write what becomes of each line to a CSV, XLSX, ODS or JSON file")
                    .value_parser(value_parser!(PathBuf)),
            )
            .arg(flag("force", "Replace a report file that is there already"))
            .arg(flag("tell", "Tell the senders by mail whose payments are verified, with the number of the receipt"))
            .arg(flag("skip-invalid", "Import the other lines if some are wrong, or if balances do not add up"))
            .arg(edition())
            .after_help(format!(
                "Fields for --map: {}\n\nA line that an earlier import brought is left out, so periods may overlap.\n\n\
                 Examples:\n  festival payments import statement.csv --dry-run\n  \
                 festival payments import october.xls --bank SBI --report october.csv",
                layout::names()
            ));
        let undo = clap::Command::new("undo")
            .about("Undo an import: its lines are deleted, and payments that it verified are as they were")
            .arg(positional("id", "ID", "Its id, as the import printed it").value_parser(value_parser!(i64)))
            .arg(edition())
            .after_help(
                "Payments that somebody decided about since stay as they are.\n\nExample: festival payments undo 3",
            );
        clap::Command::new("payments")
            .about("Payments of fees, and the bank statements that prove them")
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommands([import, undo])
    }

    fn is_group(&self) -> bool {
        true
    }

    async fn run(&self, app: Arc<App>, arguments: &ArgMatches) -> Result<Outcome> {
        let work = async {
            match arguments.subcommand() {
                Some(("import", arguments)) => run_import(&app, arguments).await,
                Some((_, arguments)) => run_undo(&app, arguments).await,
                None => Ok(Outcome::Refused),
            }
        };
        match command::until_stopped(work).await {
            Err(Error::NotFound(sentence)) => Ok(command::refused(&sentence)),
            outcome => outcome,
        }
    }
}

async fn run_undo(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let id = arguments.get_one::<i64>("id").copied().unwrap_or_default();
    let ledger = Ledger::of_year(app, arguments.get_one("edition").copied()).await?;
    let mut write = app.db.write_private().await?;
    let (restored, kept) = ledger.undo(&mut write, id).await?;
    write.commit().await?;
    println!("Import {id} is undone: {restored} verified payments are as they were.");
    if kept > 0 {
        eprintln!("{kept} stay as they are, because somebody has decided about them since.");
    }
    Ok(Outcome::Done)
}

async fn run_import(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let text = |name: &str| arguments.get_one::<String>(name).map(|text| text.trim().to_owned()).unwrap_or_default();
    let file = arguments.get_one::<PathBuf>("file").cloned().unwrap_or_default();
    let report = arguments
        .get_one::<PathBuf>("report")
        .map(|path| Output::report(path, (&file, "statement"), "name", arguments.get_flag("force")))
        .transpose()?;
    let map = arguments.get_many::<String>("map").unwrap_or_default().map(String::as_str);
    let assigned = layout::assigned(map).map_err(Error::BadRequest)?;
    let [is_dry, skips_invalid, tells] = ["dry-run", "skip-invalid", "tell"].map(|name| arguments.get_flag(name));
    let bytes = read_file(&file)?;
    let (mut ledger, bank) = (Ledger::of_year(app, arguments.get_one("edition").copied()).await?, text("bank"));
    let file_name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut write = app.db.write_private().await?;
    ledger.tells = tells;
    let source = Source { bytes, bank: &bank, file_name: &file_name, assigned };
    let outcome = ledger.import(&mut write, source).await?;
    print(&outcome);
    if let Some(output) = &report {
        report::write(&outcome, output)?;
    }
    if !outcome.problems.is_empty() && !skips_invalid {
        eprintln!("Nothing was imported. Correct these lines, or import the others with --skip-invalid.");
        return Ok(Outcome::Failed);
    }
    if is_dry {
        eprintln!("Dry run: nothing was written.");
        return Ok(Outcome::Done);
    }
    write.commit().await?;
    if let Some(id) = outcome.import {
        eprintln!("This is import {id}. To undo it: festival payments undo {id}");
    }
    Ok(if outcome.problems.is_empty() { Outcome::Done } else { Outcome::Failed })
}

/// Prints what becomes of the lines, and their totals.
fn print(report: &Report) {
    for problem in &report.problems {
        println!("line {:<6} error: {}", problem.line, problem.text);
    }
    for note in &report.notes {
        println!("line {:<6} {}", note.line, note.text);
    }
    for line in report.lines.iter().filter(|line| is_open(line.queue)) {
        let references = line.references();
        let references = if references.is_empty() { references } else { format!(" [{references}]") };
        let (bank, label, reason) = (&line.line, line.queue.label, &line.reason);
        println!("line {:<6} {} {}: {label}. {reason}{references}", bank.line, bank.day, bank.amount.text());
    }
    for total in totals(&report.lines, StoredLine::place) {
        println!("{:>6}  {:<32} {}", total.count, total.label, total.sum);
    }
    if !report.without_payment.is_empty() {
        let count = report.without_payment.len();
        let shown = count.min(MAX_REFERENCES);
        let more = match count - shown {
            0 => String::new(),
            more => format!(" and {more} more; in the back office, Bank statements, Sums, lists all"),
        };
        println!("{count:>6}  submissions without a payment: {}{more}", report.without_payment[..shown].join(", "));
    }
    println!("{}.", report.summary());
}

/// Reads the file, at most one byte more than the limit.
fn read_file(file: &Path) -> Result<Vec<u8>> {
    let unreadable = |error: std::io::Error| Error::BadRequest(format!("{} cannot be read: {error}", file.display()));
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(file).map_err(unreadable)?;
    opened.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}
