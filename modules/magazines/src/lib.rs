//! The festival's magazine, issue by issue.

mod import;
mod magazine;
mod paged;

use festival_core::{Endpoint, Module, Page, Registry, migration};

pub use magazine::MAGAZINE;

/// The module.
pub struct MagazinesModule;

impl Module for MagazinesModule {
    fn name(&self) -> &'static str {
        "magazines"
    }

    fn register(&self, registry: &mut Registry) {
        registry
            .menu("content", 4)
            .migrations([migration!("magazines", "0401", "magazines")
                .earlier_checksums(&["373a9c13d32b2be5606041b2dbeffbef", "a5986c09924834ac37436fbb6825393b"])])
            .entity(&MAGAZINE)
            .import_reader(&MAGAZINE, import::Issues)
            .public_url(&MAGAZINE, "/kottaka")
            .endpoint(
                Endpoint::get(
                    "/kottaka-magazines/",
                    "The magazine's issues with their PDFs.",
                    magazine::list_magazines,
                )
                .reads("page", "A page of twenty, from 1, in an envelope with count, next, previous and results."),
            )
            .page(
                Page::new("/kottaka", "kottaka")
                    .breadcrumb("Magazine")
                    .depends_on(["/kottaka-magazines/"])
                    .titled("Kottaka", "കൊട്ടക"),
            );
    }
}
