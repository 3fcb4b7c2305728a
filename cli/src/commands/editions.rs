//! `festival editions`: lists the editions, starts the next one, makes one current, fills the archive.

use clap::{Arg, ArgMatches, Command, value_parser};
use festival_core::admin::audit::{self, COMMAND_LINE, Entry};
use festival_core::command::{Outcome, flag, option};
use festival_core::db::Write;
use festival_core::editing::Editor;
use festival_core::edition::{self, EDITION, Edition};
use festival_core::println;
use festival_core::site::Archive;
use festival_core::{App, Error, Result, next_edition};
use serde_json::json;

use super::arguments::{group, json_option};
use super::freeze;

pub(super) fn clap() -> Command {
    let year = |name| Arg::new(name).value_name("YEAR").value_parser(value_parser!(i64).range(1900..=2200));
    let day = |name, help| option(name, "DAY", help);
    let list = Command::new("list")
        .about("List the editions; a star marks the current one")
        .arg(json_option())
        .after_help("Example: festival editions list --json");
    let new = Command::new("new")
        .visible_alias("clone")
        .about("Start an edition, with copies of sections, venues, team and other things that stay")
        .arg(year("year").required(true).help("The year of the edition"))
        .arg(day("first-day", "The first day, like 2026-10-23").required(true))
        .arg(day("last-day", "The last day").required(true))
        .arg(day("deadline", "The last day for submissions"))
        .arg(option("name", "NAME", "The name; else the last one's, with its numbers raised"))
        .arg(
            option("number", "NUMBER", "20 for the 20th; else the one after the last")
                .value_parser(value_parser!(i64).range(1..=500)),
        )
        .arg(year("from").long("from").help("Copy from the edition of this year; else from the last one"))
        .arg(flag("empty", "Copy nothing").conflicts_with("from"))
        .after_help(
            "The site shows the current edition until you choose another.\n\n\
             Example: festival editions new 2026 --first-day 2026-10-23 --last-day 2026-10-30",
        );
    let activate = Command::new("activate")
        .about("Make an edition the current one: the site shows it, and forms are sent to it")
        .arg(year("year").required(true).help("The year of the edition"))
        .after_help("Example: festival editions activate 2026");
    let archive = Command::new("archive")
        .about("Put a past edition into the archive, where visitors find it at /archive/YEAR")
        .arg(year("year").required(true).help("The year of the edition"))
        .arg(flag("remove", "Take it out of the archive"))
        .after_help(
            "An edition that was current is there by itself once a later one is current. This is for those that were never \
             current: entered later, or cancelled.\n\n\
             Example: festival editions archive 2019",
        );
    group(
        "editions",
        "The editions of the festival: list them, start the next one, make one current, fill the archive",
        [list, new, activate, archive, freeze::clap()],
    )
}

pub(super) async fn run(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    match arguments.subcommand() {
        Some(("new", arguments)) => new(app, arguments).await,
        Some(("activate", arguments)) => activate(app, arguments).await,
        Some(("archive", arguments)) => archive(app, arguments).await,
        Some(("freeze", arguments)) => freeze::run(app, arguments).await,
        Some((_, arguments)) => list(app, arguments).await,
        None => Ok(Outcome::Refused),
    }
}

async fn list(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let mut connection = app.db.read().await?;
    let editions = edition::all(&mut connection).await?;
    let current = edition::find_current(&mut connection).await?.map(|current| current.id);
    let archived: Vec<i64> = edition::archived(&mut connection).await?.iter().map(|edition| edition.id).collect();
    if arguments.get_flag("json") {
        let rows: Vec<_> = editions
            .iter()
            .map(|edition| {
                json!({
                    "year": edition.year,
                    "number": edition.ordinal,
                    "name": edition.name,
                    "first_day": edition.starts_on,
                    "last_day": edition.ends_on,
                    "is_current": Some(edition.id) == current,
                    "is_in_archive": archived.contains(&edition.id),
                })
            })
            .collect();
        println!("{}", serde_json::Value::from(rows));
        return Ok(Outcome::Done);
    }
    if editions.is_empty() {
        eprintln!("There is no edition yet.");
    }
    for edition in editions {
        let mark = if Some(edition.id) == current { "*" } else { " " };
        let dates = edition::dates_text(&edition.starts_on, &edition.ends_on);
        let place = if archived.contains(&edition.id) { "  /archive" } else { "" };
        println!("{mark} {}  {:<50} {dates}{place}", edition.year, edition.name);
    }
    Ok(Outcome::Done)
}

async fn new(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let text = |name: &str| arguments.get_one::<String>(name).cloned();
    let number = |name: &str| arguments.get_one::<i64>(name).copied();
    let mut write = app.db.write().await?;
    let last = match number("from") {
        Some(year) => Some(of_year(&mut write, year).await?),
        None => edition::all(&mut write).await?.into_iter().next(),
    };
    let mut values = last.as_ref().map(next_edition::suggest).unwrap_or_default();
    values.extend(number("year").map(|year| ("year".to_owned(), year.to_string())));
    let given = [
        ("ordinal", number("number").map(|number| number.to_string())),
        ("name", text("name")),
        ("starts_on", text("first-day")),
        ("ends_on", text("last-day")),
        ("submission_deadline", text("deadline")),
    ];
    values.extend(given.into_iter().filter_map(|(field, value)| Some((field.to_owned(), value?))));
    let from = last.map(|last| last.id).filter(|_| !arguments.get_flag("empty"));
    let editor = Editor::new(None, COMMAND_LINE);
    let next = next_edition::start(&app.records, &mut write, &values, from, &editor).await?;
    let entry = Entry::new("start", EDITION.table).id(next.id).after(json!(values));
    audit::record(&mut write, None, COMMAND_LINE, entry, app.clock.now()).await?;
    write.commit().await?;
    println!("{} started.", values["name"]);
    for (entity, count) in next.copied {
        println!("{count:>6} {} copied", if count == 1 { entity.singular } else { entity.plural });
    }
    if next.is_current {
        eprintln!("The site shows it, because there is no other.");
    } else {
        let year = &values["year"];
        eprintln!("The site still shows the current edition. To change that: festival editions activate {year}");
    }
    Ok(Outcome::Done)
}

async fn activate(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let year = arguments.get_one::<i64>("year").copied().unwrap_or_default();
    let mut write = app.db.write().await?;
    let edition = of_year(&mut write, year).await?;
    edition::activate(&mut write, edition.id).await?;
    let entry = Entry::new("make current", EDITION.table).id(edition.id);
    audit::record(&mut write, None, COMMAND_LINE, entry, app.clock.now()).await?;
    write.commit().await?;
    println!("The site shows {} now.", edition.name);
    Ok(Outcome::Done)
}

async fn archive(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let year = arguments.get_one::<i64>("year").copied().unwrap_or_default();
    let is_public = !arguments.get_flag("remove");
    let mut write = app.db.write().await?;
    let edition = of_year(&mut write, year).await?;
    let current = edition::current(&mut write).await?;
    if year >= current.year {
        let name = current.name;
        return Err(Error::Conflict(format!("{year} is not past: the site shows {name}. Nothing was changed.")));
    }
    edition::set_public(&mut write, edition.id, is_public).await?;
    let action = if is_public { "archive" } else { "take out of the archive" };
    let entry = Entry::new(action, EDITION.table).id(edition.id);
    audit::record(&mut write, None, COMMAND_LINE, entry, app.clock.now()).await?;
    write.commit().await?;
    if is_public {
        println!("{} is in the archive: {}", edition.name, Archive::of(year).path);
    } else {
        println!("{} is no longer in the archive.", edition.name);
    }
    Ok(Outcome::Done)
}

async fn of_year(write: &mut Write, year: i64) -> Result<Edition> {
    let edition = edition::find_by_year(write, year).await?;
    edition.ok_or_else(|| Error::NotFound(format!("there is no edition of {year}; festival editions list shows all")))
}
