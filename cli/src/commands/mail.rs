//! `festival mail list`, `festival mail retry`, `festival mail release` and `festival mail test`

use clap::{Arg, ArgMatches, Command, value_parser};
use festival_core::command::{Outcome, flag, positional};
use festival_core::mail::{self, ActionOutcome, Summary};
use festival_core::println;
use festival_core::{App, Result, time_text};
use serde_json::json;

use super::arguments::{group, json_option, text};

pub(super) fn clap() -> Command {
    let list = Command::new("list")
        .about("List the mails that are not sent yet, and why")
        .arg(flag("all", "Also those that were sent"))
        .arg(json_option())
        .after_help("Example: festival mail list --all");
    let retry = Command::new("retry")
        .about("Have the running server send mails now instead of after their delay")
        .arg(
            Arg::new("id")
                .value_name("ID")
                .value_parser(value_parser!(i64))
                .required_unless_present("all")
                .help("The mail's number in the list"),
        )
        .arg(flag("all", "Every mail that is not sent yet").conflicts_with("id"))
        .after_help("Example: festival mail retry 17");
    let release = Command::new("release")
        .about("Have the running server send all mails that are held back, for example after a restore")
        .after_help("A single mail: festival mail retry ID\n\nExample: festival mail release");
    let test = Command::new("test")
        .about("Send a mail to an address at once, to see whether the settings are right")
        .arg(positional("address", "ADDRESS", "Where the mail goes"))
        .after_help("Example: festival mail test office@festival.example");
    group("mail", "The mails that the site sends", [list, retry, release, test])
}

pub(super) async fn run(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    match arguments.subcommand() {
        Some(("retry", arguments)) => match arguments.get_one::<i64>("id") {
            Some(id) => retry(app, *id).await,
            None => retry_all(app).await,
        },
        Some(("release", _)) => release(app).await,
        Some(("test", arguments)) => test(app, text(arguments, "address")).await,
        Some((_, arguments)) => list(app, arguments.get_flag("all"), arguments.get_flag("json")).await,
        None => Ok(Outcome::Refused),
    }
}

async fn list(app: &App, all: bool, as_json: bool) -> Result<Outcome> {
    let rows = mail::list(&app.db, app.clock.now(), all).await?;
    if as_json {
        println!("{}", json!(rows));
    } else if rows.is_empty() {
        eprintln!("{}", if all { "There are no mails." } else { "No mails are waiting." });
    } else {
        print_line("id", "kind", "to", "created", "state", "attempts", "last error");
        rows.iter().for_each(|mail| print_mail(mail, app));
    }
    Ok(Outcome::Done)
}

fn print_mail(mail: &Summary, app: &App) {
    print_line(
        &mail.id.to_string(),
        &mail.kind,
        &mail.to,
        &time_text::with_offset(&mail.created_at, &app.time_zone),
        &mail.state,
        &mail.attempts.to_string(),
        mail.last_error.as_deref().unwrap_or_default(),
    );
}

fn print_line(id: &str, kind: &str, to: &str, created: &str, state: &str, attempts: &str, error: &str) {
    let line = format!("{id:>6}  {kind:<20}  {to:<28}  {created:<25}  {state:<8}  {attempts:>8}  {error}");
    println!("{}", line.trim_end());
}

async fn retry(app: &App, id: i64) -> Result<Outcome> {
    let mut write = app.db.write_private().await?;
    let outcome = mail::make_due(&mut write, app.clock.now(), id).await?;
    write.commit().await?;
    match outcome {
        ActionOutcome::Done => {
            eprintln!("Mail {id} goes out as soon as the server runs.");
            return Ok(Outcome::Done);
        }
        ActionOutcome::AlreadySent => eprintln!("Mail {id} was sent already."),
        ActionOutcome::Sending => eprintln!("Mail {id} is being sent at this moment."),
        ActionOutcome::NotFound => eprintln!("There is no mail {id}; \"festival mail list --all\" shows them."),
    }
    Ok(Outcome::Failed)
}

async fn retry_all(app: &App) -> Result<Outcome> {
    let mut write = app.db.write_private().await?;
    let count = mail::make_all_due(&mut write, app.clock.now()).await?;
    write.commit().await?;
    match count {
        0 => eprintln!("No mails are waiting."),
        1 => eprintln!("1 mail goes out as soon as the server runs."),
        many => eprintln!("{many} mails go out as soon as the server runs."),
    }
    Ok(Outcome::Done)
}

async fn release(app: &App) -> Result<Outcome> {
    match mail::release_all(&app.db, app.clock.now()).await? {
        0 => eprintln!("No mails are held back."),
        1 => eprintln!("1 mail goes out as soon as the server runs."),
        many => eprintln!("{many} mails go out as soon as the server runs."),
    }
    Ok(Outcome::Done)
}

async fn test(app: &App, address: &str) -> Result<Outcome> {
    let settings = app.in_force().await?;
    if let Err(reason) = mail::probe::send_test(&settings, address, app.clock.now()).await {
        eprintln!("The mail was not sent: {reason}");
        return Ok(Outcome::Failed);
    }
    if settings.mail.host.is_empty() {
        eprintln!("mail.host is empty: the mail is a file in {}.", settings.data_dir.join("mails").display());
    } else {
        eprintln!("{} accepted the mail. See whether it arrives, and not among the junk.", settings.mail.host);
    }
    Ok(Outcome::Done)
}
