//! `festival programme export FILE`: the working programme as a list that `festival programme import` reads back.

use std::sync::Arc;

use clap::ArgMatches;
use festival_core::command::{self, Command, Outcome, edition_option};
use festival_core::export::{self, Cell, Column, Output};
use festival_core::{App, Result, db};
use jiff::tz::TimeZone;

use crate::command::edition_id;
use crate::day;
use crate::working::{self, Programme, Screening};

/// Writes the screenings of an edition to a file.
pub(crate) struct ExportScreenings;

/// The columns: name, header, width. The import knows the headers.
const COLUMNS: [(&str, &str, u16); 14] = [
    ("code", "Code", 8),
    ("kind", "Kind", 10),
    ("film", "Film", 40),
    ("title", "Event title", 30),
    ("hall", "Venue", 20),
    ("date", "Date", 12),
    ("time", "Time", 8),
    ("minutes", "Minutes", 8),
    ("talk_minutes", "Talk minutes", 8),
    ("guests", "Guests", 30),
    ("language", "Language", 12),
    ("subtitles", "Subtitles", 12),
    ("audience", "Audience", 12),
    ("is_cancelled", "Cancelled", 8),
];

#[rocket::async_trait]
impl Command for ExportScreenings {
    fn clap(&self) -> clap::Command {
        clap::Command::new("export")
            .about("Write the screenings of an edition to a CSV, XLSX, ODS or JSON file, which \"programme import\" reads back")
            .arg(export::file_argument())
            .args(export::arguments())
            .arg(edition_option())
            .after_help("Example: festival programme export screenings.xlsx")
    }

    async fn run(&self, app: Arc<App>, arguments: &ArgMatches) -> Result<Outcome> {
        command::until_stopped(write(&app, arguments)).await
    }
}

async fn write(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let output = Output::read(arguments)?;
    let mut connection = app.db.read().await?;
    let mut snapshot = db::snapshot(&mut connection, app.db.backend()).await?;
    let edition = edition_id(&mut snapshot, arguments).await?;
    let programme = working::load(&mut snapshot, edition).await?;
    snapshot.rollback().await?;
    let columns: Vec<Column> =
        COLUMNS.iter().map(|(name, header, width)| Column::new(*name, *header).width(*width)).collect();
    let mut table = output.open(&columns)?;
    for screening in &programme.screenings {
        table.row(&cells(&programme, screening, &app.time_zone))?;
    }
    let is_whole = output.finish(table, programme.screenings.len() as u64, ["screening", "screenings"])?;
    Ok(if is_whole { Outcome::Done } else { Outcome::Failed })
}

fn cells(programme: &Programme, screening: &Screening, zone: &TimeZone) -> Vec<Cell> {
    let optional = |text: Option<&str>| text.map_or(Cell::Empty, Cell::text);
    let film = screening.films.first().and_then(|film| programme.films.get(film));
    vec![
        optional(screening.code.as_deref()),
        Cell::text(&*screening.kind),
        optional(film.map(|film| film.name.as_str())),
        optional(screening.title.as_deref()),
        optional(programme.hall(screening.hall).map(|hall| hall.name.as_str())),
        Cell::text(day::of(screening.starts_at, zone).to_string()),
        Cell::text(day::hour_text(screening.starts_at, zone)),
        screening.minutes.map_or(Cell::Empty, Cell::Number),
        Cell::Number(screening.talk_minutes),
        optional(Some(screening.guests.join("; ")).filter(|guests| !guests.is_empty()).as_deref()),
        optional(screening.language.as_deref()),
        optional(screening.subtitles.as_deref()),
        Cell::text(&*screening.audience),
        Cell::text(if screening.is_cancelled { "yes" } else { "no" }),
    ]
}
