//! A possible next version of the program: with a migration that the present version does not know, but works with.
//! `tests/faults/upgrade.mjs` upgrades a running site to it.

use std::process::ExitCode;

use festival::modules;
use festival_core::db::Migration;
use festival_core::{Module, Registry};

struct NextVersion;

impl Module for NextVersion {
    fn name(&self) -> &'static str {
        "next"
    }

    fn register(&self, registry: &mut Registry) {
        registry.migrations([PREMIERES]);
    }
}

const PREMIERES: Migration = Migration {
    module: "next",
    version: "9801",
    name: "premieres",
    sqlite: "ALTER TABLE film_submissions ADD COLUMN premiere TEXT NOT NULL DEFAULT 'unknown'; \
             ALTER TABLE films ADD COLUMN premiere TEXT;",
    postgres: "ALTER TABLE film_submissions ADD COLUMN premiere TEXT NOT NULL DEFAULT 'unknown'; \
               ALTER TABLE films ADD COLUMN premiere TEXT;",
    works_with: Some((0, 1, 0)),
    earlier_checksums: &[],
};

fn with_next() -> Vec<Box<dyn Module>> {
    let mut modules = modules();
    modules.push(Box::new(NextVersion));
    modules
}

fn main() -> ExitCode {
    festival_cli::run(with_next)
}
