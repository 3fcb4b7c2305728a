//! `festival privacy`: what is kept about a person, given out and erased; what is kept for long enough; whom a leak is about.

use std::collections::BTreeMap;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use festival_core::admin::audit::{self, COMMAND_LINE, Filter};
use festival_core::admin::privacy::{self, Erased, Shown};
use festival_core::command::{Outcome, refused};
use festival_core::db::timestamp_text;
use festival_core::{App, Error, Result, export, time_text};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};

use super::open;
use crate::Setup;

/// How many entries of the audit log are read at a time.
const PAGE: i64 = 1_000;

pub(super) fn clap() -> Command {
    let email = || {
        Arg::new("email")
            .long("email")
            .value_name("ADDRESS")
            .required(true)
            .help("The e-mail address that it was sent with")
    };
    let dry_run = || Arg::new("dry-run").long("dry-run").action(ArgAction::SetTrue).help("Only say what would go");
    let export = Command::new("export")
        .about("Write what is kept about a person into a new folder: person.json and the files")
        .arg(email())
        .arg(
            Arg::new("folder")
                .short('o')
                .long("output")
                .value_name("FOLDER")
                .value_parser(value_parser!(PathBuf))
                .help("The folder, which must not be there yet; person-<moment> where nothing is said"),
        )
        .after_help("Example: festival privacy export --email asha@example.org");
    let erase = Command::new("erase")
        .about("Erase what is kept about a person")
        .arg(email())
        .arg(dry_run())
        .arg(Arg::new("yes").long("yes").action(ArgAction::SetTrue).help("Do not ask, for scripts"))
        .after_help(
            "It says what would go and asks. Submissions go with files, mails, notes and receipts; the person is taken out of \
             films that somebody else sent. Of a payment that was received reference, amount, date and the bank's number stay. \
             The audit log keeps who did what, with a hash in the place of the person. A backup from before is restored \
             without them: the file \"erasures\" in data_dir remembers a hash.\n\n\
             Example: festival privacy erase --email asha@example.org",
        );
    let retention = Command::new("retention")
        .about("Erase what was kept for longer than the settings allow; the server does it every day")
        .arg(dry_run())
        .after_help("The settings are in [modules.forms.retention] and mail.keep_sent_days.");
    let moment = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("MOMENT").required(true).help(help)
    };
    let breach = Command::new("breach")
        .about("List whose data the back office showed between two moments, as CSV")
        .arg(moment("from", "From this moment on, by the festival's clocks: 2025-10-26T14:00 or 2025-10-26"))
        .arg(moment("to", "Before this moment"))
        .arg(Arg::new("account").long("account").value_name("ADDRESS").help("Only what this account was shown"))
        .after_help(
            "\"seen\" is who was opened; \"listed\" and \"exported\" is everybody whom a list or a file could show, because the \
             audit log keeps what was asked for and not each row.\n\n\
             Example: festival privacy breach --from 2025-10-26T14:00 --to 2025-10-27 --account asha@example.org",
        );
    Command::new("privacy")
        .about("What is kept about people")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([export, erase, retention, breach])
}

pub(super) async fn run(setup: Setup, arguments: &ArgMatches) -> Result<Outcome> {
    let app = open(setup).await?;
    let outcome = match arguments.subcommand() {
        Some(("export", arguments)) => give_out(&app, arguments).await,
        Some(("erase", arguments)) => erase(&app, arguments).await,
        Some(("retention", arguments)) => retention(&app, arguments.get_flag("dry-run")).await,
        Some(("breach", arguments)) => breach(&app, arguments).await,
        _ => Ok(Outcome::Refused),
    };
    app.db.close().await;
    match outcome {
        Err(Error::BadRequest(words)) => Ok(refused(&words)),
        outcome => outcome,
    }
}

fn text<'a>(arguments: &'a ArgMatches, name: &str) -> &'a str {
    arguments.get_one::<String>(name).map(String::as_str).unwrap_or_default()
}

async fn give_out(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let Some(person) = privacy::export(app, &app.admin.contents.personal, text(arguments, "email")).await? else {
        eprintln!("Nothing is kept about this address.");
        return Ok(Outcome::Done);
    };
    let now = app.clock.now();
    let usual = || PathBuf::from(format!("person-{}", timestamp_text(now).replace([':', '.'], "-")));
    let folder = arguments.get_one::<PathBuf>("folder").cloned().unwrap_or_else(usual);
    make_new(&folder)?;
    let mut write = app.db.write_private().await?;
    audit::record(&mut write, None, COMMAND_LINE, person.entry, now).await?;
    write.commit().await?;
    let mut missing = 0;
    for (path, key) in &person.files {
        if let Err(error) = copy(app, key, &folder.join(path)).await {
            eprintln!("error: {path}: {error}");
            missing += 1;
        }
    }
    std::fs::write(folder.join("person.json"), person.json)?;
    println!("{}", folder.display());
    Ok(if missing == 0 { Outcome::Done } else { Outcome::Failed })
}

/// For its owner alone.
fn make_new(folder: &Path) -> Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| Error::BadRequest(format!("{} cannot be made: {error}", folder.display())))
}

async fn copy(app: &App, key: &str, to: &Path) -> Result<()> {
    let (mut from, _) = app.media.open_private(key).await?;
    if let Some(folder) = to.parent() {
        tokio::fs::create_dir_all(folder).await?;
    }
    tokio::io::copy(&mut from, &mut tokio::fs::File::create_new(to).await?).await?;
    Ok(())
}

async fn erase(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let keepers = &app.admin.contents.personal;
    let email = text(arguments, "email");
    let would = privacy::preview_erasure(app, keepers, email).await?;
    if would.is_nothing() {
        println!("Nothing is kept about this address.");
    } else {
        say(&would);
    }
    if arguments.get_flag("dry-run") {
        return Ok(Outcome::Done);
    }
    if !arguments.get_flag("yes") {
        if !std::io::stdin().is_terminal() {
            return Err(Error::BadRequest("there is no terminal to ask on; say --yes to erase it".into()));
        }
        eprint!("This cannot be undone. Erase it? Type \"erase\": ");
        std::io::stderr().flush()?;
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line)?;
        if line.trim() != "erase" {
            eprintln!("Nothing was erased.");
            return Ok(Outcome::Failed);
        }
    }
    // Also where nothing was found: what an earlier run left in the free pages of the database goes.
    let erased = privacy::erase(app, keepers, email, (None, COMMAND_LINE)).await?;
    if !erased.is_nothing() {
        println!("Erased.");
        eprintln!(
            "Backups from before still hold it; restored, they are rid of it again. Drafts are on the person's own device."
        );
    }
    Ok(Outcome::Done)
}

/// What goes and what stays, a line each.
fn say(erased: &Erased) {
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
    say(&erased);
    eprintln!("{}", if dry_run { "This would go." } else { "Gone." });
    Ok(Outcome::Done)
}

async fn breach(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let filter = Filter {
        from: timestamp_text(moment(app, text(arguments, "from"))?),
        until: timestamp_text(moment(app, text(arguments, "to"))?),
        ..Filter::default()
    };
    let account = text(arguments, "account").to_lowercase();
    let people = shown(app, filter, &account).await?;
    let mut table = csv_line(&["reference", "name", "email", "how", "first", "last", "times", "accounts"]);
    for (shown, seen) in &people {
        let at = |moment: &str| time_text::with_offset(moment, &app.time_zone);
        let (first, last, times) = (at(&seen.first), at(&seen.last), seen.times.to_string());
        let accounts = seen.accounts.join(" ");
        table += &csv_line(&[
            &shown.reference,
            &shown.name,
            &shown.email,
            &seen.how.join(" "),
            &first,
            &last,
            &times,
            &accounts,
        ]);
    }
    print!("{table}");
    eprintln!("{} people and mails.", people.len());
    Ok(Outcome::Done)
}

/// How somebody was shown.
#[derive(Default)]
struct Seen {
    how: Vec<&'static str>,
    first: String,
    last: String,
    times: u64,
    accounts: Vec<String>,
}

/// Everybody whom entries of the audit log showed.
async fn shown(app: &App, mut filter: Filter, account: &str) -> Result<BTreeMap<Shown, Seen>> {
    let mut people: BTreeMap<Shown, Seen> = BTreeMap::new();
    let mut connection = app.db.read().await?;
    loop {
        let page = audit::list(&mut connection, &filter, PAGE).await?;
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
            for keeper in &app.admin.contents.personal {
                for shown in keeper.shown(app, &mut connection, &entry.object, entry.object_id, &entry.at).await? {
                    let seen = people.entry(shown).or_default();
                    if !seen.how.contains(&how) {
                        seen.how.push(how);
                    }
                    if !seen.accounts.contains(&who) {
                        seen.accounts.push(who.clone());
                    }
                    // The latest entries come first.
                    seen.first.clone_from(&entry.at);
                    if seen.last.is_empty() {
                        seen.last.clone_from(&entry.at);
                    }
                    seen.times += 1;
                }
            }
        }
    }
}

/// A line of a table in which no cell runs as a formula.
fn csv_line(cells: &[&str]) -> String {
    let cell = |text: &&str| {
        let safe = export::guarded(text);
        if safe.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", safe.replace('"', "\"\""))
        } else {
            safe.into_owned()
        }
    };
    cells.iter().map(cell).collect::<Vec<_>>().join(",") + "\n"
}

/// A moment by the festival's clocks.
fn moment(app: &App, text: &str) -> Result<Timestamp> {
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Ok(moment);
    }
    let local = text.parse::<DateTime>().or_else(|_| text.parse::<Date>().map(|day| day.at(0, 0, 0, 0)));
    let local = local.map_err(|_| Error::BadRequest(format!("{text} is no moment like 2025-10-26T14:00")))?;
    Ok(local.to_zoned(app.time_zone.clone()).map_err(Error::internal)?.timestamp())
}
