//! The programme: which film is shown when and where, as programmers plan it and as visitors see it.
//!
//! The working programme is in the tables of the entities. A release stores all of it as one document, from which the
//! public API and pages are answered.

mod api;
mod calendar;
mod changes;
mod cinema;
mod command;
mod day;
mod document;
mod entities;
mod export;
mod feed;
mod frab;
mod import;
mod outline;
mod page;
mod release;
mod rules;
mod screens;
mod working;

use std::sync::Arc;

use festival_core::list_import::ImportList;
use festival_core::{Document, Endpoint, Module, Page, Registry, atom, migration};

pub use entities::{CERTIFICATE, GUEST_STAY, HALL, HALL_WALK, PRINT, PRINT_KEY, SCREENING, SCREENING_FILM};

/// The module.
pub struct ProgrammeModule;

impl Module for ProgrammeModule {
    fn name(&self) -> &'static str {
        "programme"
    }

    fn register(&self, registry: &mut Registry) {
        registry.migrations([
            migration!("programme", "0601", "programme")
                .earlier_checksums(&["e528791d297901ef33b683fd4fdcd92a", "6c29fe0dd468c7bcad58b094005faae4"]),
            migration!("programme", "0602", "print_files").works_with((0, 1, 0)),
        ]);
        screens::register(registry);
        entities(registry);
        api(registry);
        pages(registry);
        registry
            .menu("programme", 2)
            .command(command::CheckProgramme)
            .command(command::ReleaseProgramme)
            .command(command::ImportPrints)
            .command(ImportList {
                entity: &SCREENING,
                reader: Arc::new(import::ScreeningLists),
                about: "Import a list of screenings (CSV, TSV, XLSX, ODS or JSON) into an edition: Film, Venue, Date, Time",
                examples: &["festival programme import screenings.xlsx --dry-run"],
            })
            .command(export::ExportScreenings);
    }
}

fn entities(registry: &mut Registry) {
    registry
        .entity(&HALL)
        .entity(&HALL_WALK)
        .entity(&PRINT)
        .entity(&PRINT_KEY)
        .entity(&GUEST_STAY)
        .entity(&CERTIFICATE)
        .entity(&SCREENING)
        .entity(&SCREENING_FILM)
        .carried_over([&HALL, &HALL_WALK])
        .import_reader(&SCREENING, import::ScreeningLists);
}

fn api(registry: &mut Registry) {
    registry
        .endpoint(
            Endpoint::get("/programme/", "The whole released programme of an edition.", api::show_programme)
                .reads("film", "Only the part with the film with this id.")
                .per_edition(),
        )
        .endpoint(Endpoint::get("/programme/today/", "Which day of the festival it is.", api::show_today).per_edition())
        .endpoint(
            Endpoint::get(
                "/screenings/",
                "The released screenings, in the order of their beginning.",
                api::list_screenings,
            )
            .reads("film", "Only screenings of the film with this id.")
            .reads_date("day", "Only screenings of this festival day.")
            .per_edition(),
        )
        .endpoint(
            Endpoint::get("/programme/changes/", "What changed from release to release.", api::list_changes)
                .reads_up_to("since", i64::MAX, "Only changes after this release; by default all.")
                .per_edition(),
        );
}

fn pages(registry: &mut Registry) {
    registry
        .page(
            Page::new("/programme", "programme")
                .breadcrumb("Programme")
                .depends_on(["/programme/", "/programme/today/"])
                .reads_texts(["day", "screening", "view", "q", "earlier"])
                .reads_texts(["section", "language", "subtitles", "country", "hall", "near", "time", "guests"])
                .listed(page::address)
                .linked_once_listed()
                .json_ld(page::about)
                .titled("Programme", "പ്രദർശനക്രമം"),
        )
        .page_depends_on("/", ["/programme/today/"])
        .document(
            Document::get("/programme.ics", calendar::CONTENT_TYPE, calendar::list_screenings)
                .saved_as("programme.ics"),
        )
        .document(
            Document::get("/programme/{day}.ics", calendar::CONTENT_TYPE, calendar::show_day)
                .saved_as("programme-day.ics"),
        )
        .document(
            Document::get("/programme/screenings/{id}.ics", calendar::CONTENT_TYPE, calendar::show_screening)
                .saved_as("screening.ics"),
        )
        .document(Document::get("/programme/schedule.xml", frab::XML, frab::xml).saved_as("schedule.xml"))
        .document(Document::get("/programme/schedule.json", frab::JSON, frab::json).saved_as("schedule.json"))
        .document(Document::get("/programme/changes.xml", atom::CONTENT_TYPE, feed::feed));
}
