//! The arguments of `festival films import`.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, value_parser};
use festival_core::list_import::{self, ListArguments};
use festival_core::{App, Result};

use super::reader::FilmLists;
use super::{FIELDS, ReadOptions};
use crate::film::FILM;

/// The command with its arguments.
pub(super) fn command() -> clap::Command {
    let fields: Vec<&str> = FIELDS.iter().map(|field| field.name).collect();
    clap::Command::new("import")
        .about("Import a list of films (CSV, TSV, XLSX, ODS or JSON) into an edition; a repeated import updates films")
        .args(list_import::arguments())
        .arg(Arg::new("category").long("category").value_name("NAME").help("The section of films whose row has none"))
        .arg(
            Arg::new("pictures")
                .long("pictures")
                .value_name("FOLDER|ZIP")
                .help("Posters and stills, named in the list or after the titles of the films")
                .value_parser(value_parser!(PathBuf)),
        )
        .after_help(format!(
            "Fields for --map: {}\n\nExamples:\n  festival films import list.xlsx --dry-run --report changes.xlsx\n  \
             festival films import shorts.csv --category \"Short films\" --map name=\"Working title\" --as draft",
            fields.join(", ")
        ))
}

/// The arguments of the command.
pub(super) struct Arguments {
    /// Those that all imports of lists have.
    pub(super) list: ListArguments,
    /// How the list is read.
    pub(super) read: ReadOptions,
    /// The folder or archive with posters and stills.
    pub(super) pictures: Option<PathBuf>,
}

impl Arguments {
    pub(super) fn parse(app: &App, matches: &ArgMatches) -> Result<Self> {
        let list = ListArguments::read(matches, &FILM, Some(&FilmLists))?;
        let today = app.clock.now().to_zoned(app.time_zone.clone()).date();
        Ok(Self {
            read: ReadOptions {
                category: matches.get_one::<String>("category").cloned(),
                mappings: list.mappings.clone(),
                no_header: list.options.no_header,
                this_year: i64::from(today.year()),
                blank_invalid: list.options.blank_invalid,
            },
            pictures: matches.get_one::<PathBuf>("pictures").cloned(),
            list,
        })
    }
}
