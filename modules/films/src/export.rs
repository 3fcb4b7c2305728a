//! `festival films export FILE`: the films of an edition as a list that `festival films import` reads back.

use std::path::PathBuf;
use std::sync::Arc;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches};
use festival_core::command::{self, Command, Outcome, edition_option, flag, option};
use festival_core::export::{self, Format};
use festival_core::list_export::export_list;
use festival_core::{App, Result};

use crate::catalogue::{self, Publication};
use crate::film::FILM;

/// Writes the films of an edition to a file.
pub(crate) struct ExportFilms;

#[rocket::async_trait]
impl Command for ExportFilms {
    fn clap(&self) -> clap::Command {
        clap::Command::new("export")
            .about("Write the films of an edition to a CSV, XLSX, ODS or JSON file, which \"films import\" reads back")
            .arg(export::file_argument())
            .args(arguments())
            .arg(option("paper", "SIZE", "The paper of the catalogue").value_parser(["a5", "a4"]).default_value("a5"))
            .arg(flag(
                "drafts",
                "Catalogue and press kit: also films that the site does not show yet; lists have all films",
            ))
            .arg(edition_option())
            .after_help(
                "Examples:\n  festival films export films.xlsx\n  \
                 festival films export films.csv --edition 2024 --bom\n  festival films export - --format csv\n  \
                 festival films export catalogue.html --format catalogue --paper a4\n  \
                 festival films export press-kit.zip --format press-kit\n\n\
                 Print the catalogue in a browser, or: chromium --headless --print-to-pdf=catalogue.pdf catalogue.html",
            )
    }

    async fn run(&self, app: Arc<App>, arguments: &ArgMatches) -> Result<Outcome> {
        let text = |name: &str| arguments.get_one::<String>(name).map_or("", String::as_str);
        if let Some(publication) = Publication::of_name(text("format"), text("paper")) {
            return command::until_stopped(publish(&app, publication, arguments)).await;
        }
        command::until_stopped(export_list(&app, &FILM, arguments)).await
    }
}

/// The arguments of exports, including the formats that are not tables.
fn arguments() -> [Arg; 3] {
    let [format, bom, force] = export::arguments();
    let names = Format::ALL.map(Format::name).into_iter().chain(catalogue::FORMAT_NAMES);
    let help = "The file format; by default it follows from the extension of FILE. catalogue is a page to print, press-kit an \
                archive with pictures and texts";
    [format.value_parser(PossibleValuesParser::new(names)).help(help), bom, force]
}

/// Writes the catalogue or the press kit.
async fn publish(app: &App, publication: Publication, arguments: &ArgMatches) -> Result<Outcome> {
    let file = arguments.get_one::<PathBuf>("file").cloned().unwrap_or_default();
    let is_right = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(publication.extension()));
    if !is_right {
        let sentence = format!("name a file that ends in .{}, not {}", publication.extension(), file.display());
        return Ok(command::refused(&sentence));
    }
    if arguments.get_flag("bom") {
        return Ok(command::refused("--bom is for CSV only"));
    }
    let edition = arguments.get_one::<i64>("edition").copied();
    let drafts = arguments.get_flag("drafts");
    catalogue::write_to_file(app, publication, (&file, arguments.get_flag("force")), (edition, drafts)).await
}
