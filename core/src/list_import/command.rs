//! `festival <module> import FILE` for an entity whose lists need no options of their own.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, value_parser};

use super::{
    Session, ask, edition_id, in_file, is_on_terminal, print_differences, print_end, print_questions, read_table,
};
use crate::app::App;
use crate::command::{self, Command, Outcome};
use festival_admin::audit::COMMAND_LINE;
use festival_base::error::Result;
use festival_base::println;
use festival_records::editing::Editor;
use festival_records::entity::Entity;
use festival_records::importing::{self, Decisions, Import, ImportOptions, OnConflict, Reader, RowOutcome};

/// Imports a list of the rows of an entity.
pub struct ImportList {
    /// The entity of the rows.
    pub entity: &'static Entity,
    /// Interprets the list.
    pub reader: Arc<dyn Reader>,
    /// What it does, for the help.
    pub about: &'static str,
}

#[rocket::async_trait]
impl Command for ImportList {
    fn clap(&self) -> clap::Command {
        let flag =
            |name: &'static str, help: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue).help(help);
        clap::Command::new("import")
            .about(self.about)
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
            .arg(flag("dry-run", "Only report what would happen"))
            .arg(flag("skip-invalid", "Import the rows without errors even if others have some"))
            .arg(
                flag("blank-invalid", "Leave a value that cannot be used empty, and import its row")
                    .conflicts_with("skip-invalid"),
            )
            .arg(
                Arg::new("on-conflict")
                    .long("on-conflict")
                    .value_name("POLICY")
                    .value_parser(["ask", "update", "skip", "fail"])
                    .help(
                        "What to do with lines that are not certain: ask line by line, do what is proposed, leave them out, \
                         or import nothing; by default ask on a terminal, else fail",
                    ),
            )
    }

    async fn run(&self, app: Arc<App>, arguments: &ArgMatches) -> Result<Outcome> {
        let policy = arguments.get_one::<String>("on-conflict").map(String::as_str);
        if policy == Some("ask") && !is_on_terminal() {
            return Ok(command::refused(
                "--on-conflict ask needs a terminal; use update, skip or fail, and --dry-run to see the lines",
            ));
        }
        let file = arguments.get_one::<PathBuf>("file").cloned().unwrap_or_default();
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let reader = &*self.reader;
        let options = ImportOptions { blank_invalid: arguments.get_flag("blank-invalid"), ..ImportOptions::default() };
        let known = |header: &str| importing::knows(Some(reader), self.entity, header);
        let worksheet = arguments.get_one::<String>("sheet").map(String::as_str);
        let parsed = read_table(&file, worksheet, true, &known).and_then(|sheet| {
            let reader = importing::reader(Some(reader), self.entity, &sheet.header);
            reader.read(&app.records, self.entity, sheet, &options).map_err(|sentence| in_file(&name, &sentence))
        });
        let sheet = match parsed {
            Ok(sheet) => sheet,
            Err(sentence) => return Ok(command::refused(&sentence)),
        };
        let (dry_run, skip_invalid) = (arguments.get_flag("dry-run"), arguments.get_flag("skip-invalid"));
        let otherwise = match policy {
            Some("update") => OnConflict::Update,
            Some("skip") => OnConflict::Skip,
            _ => OnConflict::Ask,
        };
        let session = Session {
            import: Import {
                records: &app.records,
                entity: self.entity,
                edition: Some(edition_id(&app, arguments.get_one::<i64>("edition").copied()).await?),
                editor: &Editor::new(None, COMMAND_LINE),
                source: &name,
                options: &options,
                decisions: &Decisions { otherwise, ..Decisions::default() },
                progress: &|_| {},
            },
            reader,
            sheet: &sheet,
            dry_run,
            skip_invalid,
        };
        let asks = is_on_terminal() && matches!(policy, None | Some("ask")) && !dry_run;
        let Some(outcome) = session.run(asks, ask).await? else { return Ok(Outcome::Failed) };
        for column in &sheet.columns {
            match column.field {
                Some(field) => eprintln!("  \"{}\" is {}", column.header, field.replace('_', " ")),
                None => eprintln!("  \"{}\" is left out: {}", column.header, column.why),
            }
        }
        outcome.notes.iter().for_each(|note| eprintln!("  note: {note}"));
        outcome.errors.iter().for_each(|error| println!("{error}"));
        outcome.blanked.iter().for_each(|error| println!("{error}; left empty"));
        if !outcome.errors.is_empty() && !skip_invalid {
            eprintln!("Nothing was imported. Correct these values, or import the other rows with --skip-invalid.");
            return Ok(Outcome::Failed);
        }
        print_questions(&outcome.questions);
        for row in outcome.rows.iter().filter(|row| dry_run && row.outcome != RowOutcome::Unchanged) {
            let word = match row.outcome {
                RowOutcome::New => "new",
                RowOutcome::Changed => "changed",
                RowOutcome::Undecided => "open",
                RowOutcome::LeftOut | RowOutcome::Unchanged => "left out",
            };
            println!("line {:<6} {word:<8} {}", row.line, row.title);
            print_differences(&row.differences);
        }
        let count = |outcome_of| outcome.count(outcome_of);
        let left_out = count(RowOutcome::LeftOut) + count(RowOutcome::Undecided);
        println!(
            "{} {}: {} new, {} changed, {} unchanged, {left_out} left out",
            outcome.rows.len(),
            self.entity.plural,
            count(RowOutcome::New),
            count(RowOutcome::Changed),
            count(RowOutcome::Unchanged),
        );
        print_end(&outcome, dry_run);
        Ok(if outcome.errors.is_empty() && left_out == 0 { Outcome::Done } else { Outcome::Failed })
    }
}
