//! Competition categories, the films in them, the selection lists, and the import of film lists.

mod card;
mod catalogue;
mod category;
mod discover;
mod export;
mod film;
mod import;
mod index;
mod letterboxd;
mod selection;

use std::sync::Arc;

use festival_core::list_import::ImportList;
use festival_core::{Document, Endpoint, Module, Page, Registry, migration};

pub use category::CATEGORY;
pub use film::FILM;

/// Films of each category on the page of all categories: as many as its carousel has slides.
const CAROUSEL: usize = 12;

/// The module.
pub struct FilmsModule;

impl Module for FilmsModule {
    fn name(&self) -> &'static str {
        "films"
    }

    fn register(&self, registry: &mut Registry) {
        registry
            .menu("films", 1)
            .migrations([
                migration!("films", "0201", "films")
                    .earlier_checksums(&["3c3f056471a5bc045bd7f7e787c71d36", "e5964bfe07c1e200317609be29ef9ed4"]),
                migration!("films", "0202", "film_numbers")
                    .works_with((0, 1, 0))
                    .earlier_checksums(&["21a0827bf16e574bc44254a1ed1991e5"]),
            ])
            .entity(&CATEGORY)
            .entity(&FILM)
            .carried_over([&CATEGORY])
            .import_reader(&FILM, import::FilmLists)
            .public_url(&CATEGORY, "/films/{id}")
            .public_url(&FILM, "/films/{category_id}?film={id}")
            .endpoint(
                Endpoint::get("/categories/", "The competition categories of an edition.", category::list_categories)
                    .per_edition(),
            )
            .endpoint(Endpoint::get("/categories/{id}/films/", "The films of a category.", film::list_films))
            .endpoint(Endpoint::get(
                "/categories/{id}/films/parts/{part}/",
                "A part of the films of a category, from 1.",
                film::show_part,
            ))
            .endpoint(Endpoint::get("/categories/{id}/films/{film}/", "A film of a category.", film::show_film))
            .endpoint(Endpoint::get(
                "/categories/{id}/a-z/",
                "The films of a category by their first letters, a line each.",
                index::film_index,
            ))
            .endpoint(
                Endpoint::get(
                    "/selections/",
                    "The selection lists: title and director by category.",
                    selection::list_selections,
                )
                .per_edition(),
            )
            .page(
                Page::new("/films", "films")
                    .breadcrumb("Films")
                    .depends_on_first_of_each(CAROUSEL, "/categories/", "/categories/{id}/films/")
                    .listed(discover::films_address)
                    .json_ld(discover::films_about)
                    .titled("Films", "ചിത്രങ്ങൾ"),
            )
            .page(
                Page::new("/films/{id}", "films-category")
                    .parent("/films")
                    .of_year(category::year)
                    .record_parameter("film", "/categories/{id}/films/{film}/")
                    .paginated("part", "/categories/{id}/films/parts/{part}/")
                    .listed(discover::category_addresses)
                    .json_ld(discover::category_about)
                    .card(card::category_card),
            )
            .page(
                Page::new("/films/{id}/a-z", "films-index")
                    .breadcrumb("A–Z")
                    .parent("/films")
                    .of_year(category::year)
                    .depends_on(["/categories/{id}/a-z/"])
                    .record_parameter("film", "/categories/{id}/films/{film}/")
                    .card(card::category_card),
            )
            .document(
                Document::get("/films/letterboxd.csv", letterboxd::CONTENT_TYPE, letterboxd::list)
                    .saved_as("letterboxd.csv"),
            )
            .page_depends_on("/", ["/categories/", "/selections/"])
            .command(ImportList {
                entity: &FILM,
                reader: Arc::new(import::FilmLists),
                about: "Import a list of films (CSV, TSV, XLSX, ODS or JSON) into an edition; a repeated import updates films",
                examples: &[
                    "festival films import list.xlsx --dry-run --report changes.xlsx",
                    "festival films import selection.xlsx --pictures stills.zip",
                    "festival films import shorts.csv --category \"Short films\" --map name=\"Working title\" --as draft",
                ],
            })
            .command(export::ExportFilms);
        catalogue::register(registry);
    }
}
