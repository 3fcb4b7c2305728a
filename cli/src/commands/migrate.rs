//! `festival migrate`

use std::path::PathBuf;

use clap::{ArgMatches, Command, value_parser};
use festival_core::command::{Outcome, flag, option};
use festival_core::println;
use festival_core::{Result, db, moving, secrets};

use crate::Setup;

pub(super) fn clap() -> Command {
    Command::new("migrate")
        .about("Bring the database's schema up to date")
        .arg(flag("dry-run", "Only list the pending migrations"))
        .arg(
            option("from", "FILE", "Then copy all rows from this SQLite file to the empty Postgres database")
                .value_parser(value_parser!(PathBuf))
                .conflicts_with("dry-run"),
        )
        .after_help(
            "Examples, before an upgrade: festival migrate --dry-run\n\
             from SQLite to Postgres, with databases.festival.url set to the new database while no server runs:\n  \
             festival migrate --from data/festival.db",
        )
}

pub(super) async fn run(setup: Setup, arguments: &ArgMatches) -> Result<Outcome> {
    let app = setup.open().await?;
    let migrations = app.registry.all_migrations();
    let lines: Vec<String> = if arguments.get_flag("dry-run") {
        let pending = db::pending(&app.db, &migrations).await?;
        pending.iter().map(|m| format!("pending {}/{}_{}", m.module, m.version, m.name)).collect()
    } else {
        let done = db::migrate(&app.db, &migrations, &app.clock).await?;
        let found = secrets::encrypt_all(&app, &app.secrets).await?;
        secrets::undecryptable(&app.secrets, &found).iter().for_each(|sentence| eprintln!("{sentence}"));
        let encrypted = found.iter().filter(|(_, found)| found.plaintext + found.old_key > 0);
        let encrypted =
            encrypted.map(|(column, found)| format!("encrypted {} {}", found.plaintext + found.old_key, column.what));
        done.into_iter().map(|migration| format!("applied {migration}")).chain(encrypted).collect()
    };
    for line in &lines {
        println!("{line}");
    }
    if let Some(file) = arguments.get_one::<PathBuf>("from") {
        let moved = moving::move_rows(&app, file, &migrations).await;
        app.db.close().await;
        let (tables, rows) = moved?;
        println!(
            "Moved {rows} rows of {tables} tables from {}. The file is unchanged; keep it until all is well.",
            file.display()
        );
        return Ok(Outcome::Done);
    }
    if lines.is_empty() {
        eprintln!("The database is up to date.");
    }
    app.db.close().await;
    Ok(Outcome::Done)
}
