//! `festival privacy`: exports and erases a person's data, applies the retention periods, and lists whose data was
//! disclosed during a breach.

use std::collections::BTreeMap;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command, value_parser};
use festival_core::admin::audit::{self, COMMAND_LINE, Filter};
use festival_core::admin::privacy::{self, DisclosedPerson, Erased};
use festival_core::command::{Outcome, flag, option, refused};
use festival_core::db::timestamp_text;
use festival_core::export::{Cell, Column, TableWriter};
use festival_core::{App, Error, Result, time_text};
use festival_core::{print, println};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};

use super::arguments::{ask, group, text};

/// Entries of the audit log per query.
const PAGE_SIZE: i64 = 1_000;

pub(super) fn clap() -> Command {
    let email = || option("email", "ADDRESS", "The person's e-mail address, as in the submissions").required(true);
    let dry_run = || flag("dry-run", "Only show what would be erased");
    let export = Command::new("export")
        .about("Write what is kept about a person into a new folder: person.json and the files")
        .arg(email())
        .arg(
            Arg::new("folder")
                .short('o')
                .long("output")
                .value_name("FOLDER")
                .value_parser(value_parser!(PathBuf))
                .help("The folder to create; default: person-<time>"),
        )
        .after_help("Example: festival privacy export --email asha@example.org");
    let erase = Command::new("erase")
        .about("Erase what is kept about a person")
        .arg(email())
        .arg(dry_run())
        .arg(flag("yes", "Do not ask for confirmation, for scripts"))
        .after_help(
            "It shows what would be erased and asks for confirmation. Submissions are erased with their files, mails, \
             notes and receipts; the person is removed from films that somebody else submitted. Of a payment that was \
             received, reference, amount, date and the bank's number stay. The audit log keeps who did what, with a \
             hash in place of the person. Older backups are restored without the person, because the file \"erasures\" \
             in data_dir keeps a hash.\n\n\
             Example: festival privacy erase --email asha@example.org",
        );
    let retention = Command::new("retention")
        .about("Erase what was kept for longer than the settings allow; the server does it every day")
        .arg(dry_run())
        .after_help(
            "The settings are in [modules.forms.retention] and mail.keep_sent_days.\n\n\
             Example: festival privacy retention --dry-run",
        );
    let time = |name, help| option(name, "TIME", help).required(true);
    let breach = Command::new("breach")
        .about("List whose data the back office showed in a period, as CSV")
        .arg(time("from", "Start, in the festival's time zone: 2025-10-26T14:00 or 2025-10-26"))
        .arg(time("to", "End, exclusive"))
        .arg(option("account", "ADDRESS", "Only data that was shown to this account"))
        .after_help(
            "\"seen\": the person's own page was opened. \"listed\" and \"exported\": a list or a file may have \
             contained the person; the audit log records the request and not each row.\n\n\
             Example: festival privacy breach --from 2025-10-26T14:00 --to 2025-10-27 --account asha@example.org",
        );
    group("privacy", "What is kept about people", [export, erase, retention, breach])
}

pub(super) async fn run(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let outcome = match arguments.subcommand() {
        Some(("export", arguments)) => export_person(app, arguments).await,
        Some(("erase", arguments)) => erase(app, arguments).await,
        Some(("retention", arguments)) => retention(app, arguments.get_flag("dry-run")).await,
        Some(("breach", arguments)) => breach(app, arguments).await,
        _ => Ok(Outcome::Refused),
    };
    match outcome {
        Err(Error::BadRequest(message)) => Ok(refused(&message)),
        outcome => outcome,
    }
}

async fn export_person(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let Some(person) = privacy::export(app, &app.admin.contents.personal, text(arguments, "email")).await? else {
        eprintln!("Nothing is kept about this address.");
        return Ok(Outcome::Done);
    };
    let now = app.clock.now();
    let default_folder = || PathBuf::from(format!("person-{}", timestamp_text(now).replace([':', '.'], "-")));
    let folder = arguments.get_one::<PathBuf>("folder").cloned().unwrap_or_else(default_folder);
    create_private(&folder)?;
    let mut write = app.db.write_private().await?;
    audit::record(&mut write, None, COMMAND_LINE, person.entry, now).await?;
    write.commit().await?;
    let mut missing = 0;
    for (path, key) in &person.files {
        if let Err(error) = copy_file(app, key, &folder.join(path)).await {
            eprintln!("error: {path}: {error}");
            missing += 1;
        }
    }
    std::fs::write(folder.join("person.json"), person.json)?;
    println!("{}", folder.display());
    Ok(if missing == 0 { Outcome::Done } else { Outcome::Failed })
}

/// Creates a folder that only its owner can read.
pub(super) fn create_private(folder: &Path) -> Result<()> {
    let created = std::fs::DirBuilder::new().mode(0o700).create(folder);
    created.map_err(|error| Error::BadRequest(format!("cannot create {}: {error}", folder.display())))
}

async fn copy_file(app: &App, key: &str, to: &Path) -> Result<()> {
    app.media.open_private(key).await?.copy_to(to).await.map(drop)
}

async fn erase(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let holders = &app.admin.contents.personal;
    let email = text(arguments, "email");
    let preview = privacy::preview_erasure(app, holders, email).await?;
    if preview.is_nothing() {
        println!("Nothing is kept about this address.");
    } else {
        print_erased(&preview);
    }
    if arguments.get_flag("dry-run") {
        return Ok(Outcome::Done);
    }
    if !arguments.get_flag("yes") && ask("This cannot be undone. Erase it? Type \"erase\":")? != "erase" {
        eprintln!("Nothing was erased.");
        return Ok(Outcome::Failed);
    }
    // Also if nothing is kept: this clears what an interrupted run may have left in free pages of the database.
    let erased = privacy::erase(app, holders, email, (None, COMMAND_LINE)).await?;
    if !erased.is_nothing() {
        println!("Erased.");
        eprintln!(
            "Older backups still hold it; when one is restored, it is erased again. Drafts are on the person's device."
        );
    }
    Ok(Outcome::Done)
}

/// Prints what is erased and what stays, one line for each kind.
fn print_erased(erased: &Erased) {
    for (what, count) in &erased.counts {
        println!("{count:>6}  {what}");
    }
    for (what, count) in &erased.stays {
        println!(
            "{count:>6}  {what} stay without the person, for the accounts: reference, amount, date, the bank's number"
        );
    }
}

async fn retention(app: &App, dry_run: bool) -> Result<Outcome> {
    let erased = privacy::expire(app, &app.admin.contents.personal, dry_run).await?;
    if erased.is_nothing() {
        println!("Nothing was kept for longer than the settings allow.");
        return Ok(Outcome::Done);
    }
    print_erased(&erased);
    eprintln!("{}", if dry_run { "This would be erased." } else { "Erased." });
    Ok(Outcome::Done)
}

async fn breach(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let filter = Filter {
        from: timestamp_text(parse_time(app, text(arguments, "from"))?),
        until: timestamp_text(parse_time(app, text(arguments, "to"))?),
        ..Filter::default()
    };
    let account = text(arguments, "account").to_lowercase();
    let people = disclosed_people(app, filter, &account).await?;
    let columns = ["reference", "name", "email", "how", "first", "last", "times", "accounts"];
    let mut table = TableWriter::csv(Vec::new(), &columns.map(|name| Column::new(name, name)), false)?;
    for (person, disclosure) in &people {
        let local = |time: &str| time_text::with_offset(time, &app.time_zone);
        table.row(&[
            Cell::text(&person.reference),
            Cell::text(&person.name),
            Cell::text(&person.email),
            Cell::text(disclosure.how.join(" ")),
            Cell::text(local(&disclosure.first)),
            Cell::text(local(&disclosure.last)),
            Cell::from(i64::try_from(disclosure.times).ok()),
            Cell::text(disclosure.accounts.join(" ")),
        ])?;
    }
    print!("{}", String::from_utf8_lossy(&table.finish()?));
    eprintln!("{} people and mails.", people.len());
    Ok(Outcome::Done)
}

/// How, when and to whom a person's data was shown.
#[derive(Default)]
struct Disclosure {
    how: Vec<&'static str>,
    first: String,
    last: String,
    times: u64,
    accounts: Vec<String>,
}

/// Collects the people whose data was shown according to the audit log; with an `account`, those who were shown to it.
async fn disclosed_people(
    app: &App,
    mut filter: Filter,
    account: &str,
) -> Result<BTreeMap<DisclosedPerson, Disclosure>> {
    let mut people: BTreeMap<DisclosedPerson, Disclosure> = BTreeMap::new();
    let mut connection = app.db.read().await?;
    loop {
        let page = audit::list(&mut connection, &filter, PAGE_SIZE).await?;
        let Some(last) = page.last() else { return Ok(people) };
        filter.before_id = last.id;
        for entry in page {
            let how = match entry.action.as_str() {
                "list" => "listed",
                "export" => "exported",
                _ if entry.object_id.is_some() => "seen",
                _ => continue,
            };
            let who = entry.email.clone().unwrap_or_else(|| entry.network.clone());
            if !account.is_empty() && who != account {
                continue;
            }
            for holder in &app.admin.contents.personal {
                for person in holder.disclosed(app, &mut connection, &entry.object, entry.object_id, &entry.at).await? {
                    let disclosure = people.entry(person).or_default();
                    if !disclosure.how.contains(&how) {
                        disclosure.how.push(how);
                    }
                    if !disclosure.accounts.contains(&who) {
                        disclosure.accounts.push(who.clone());
                    }
                    // Entries are read from the latest to the earliest.
                    disclosure.first.clone_from(&entry.at);
                    if disclosure.last.is_empty() {
                        disclosure.last.clone_from(&entry.at);
                    }
                    disclosure.times += 1;
                }
            }
        }
    }
}

/// Parses a time, in the festival's time zone unless it has an offset.
fn parse_time(app: &App, text: &str) -> Result<Timestamp> {
    if let Ok(time) = text.parse::<Timestamp>() {
        return Ok(time);
    }
    let local = text.parse::<DateTime>().or_else(|_| text.parse::<Date>().map(|day| day.at(0, 0, 0, 0)));
    let local =
        local.map_err(|_| Error::BadRequest(format!("{text} is not a time; write one like 2025-10-26T14:00")))?;
    Ok(local.to_zoned(app.time_zone.clone()).map_err(Error::internal)?.timestamp())
}
