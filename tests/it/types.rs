//! The frontend's generated API types match the program.

use std::collections::BTreeMap;
use std::path::Path;

use festival_core::{Registry, types};

use crate::support::{Database, TestApp, repository};

const NOTE: &str = "// Written by `make types` from the program's own types; not to be edited.\n\
                    // biome-ignore-all format: written by a program\n\
                    // biome-ignore-all assist: written by a program\n";

/// Folder of the generated types in the frontend.
pub(crate) const GENERATED: &str = "frontend/src/shared/api/generated";

/// The files of a folder.
pub(crate) fn files(directory: &Path) -> BTreeMap<String, String> {
    let Ok(entries) = std::fs::read_dir(directory) else { return BTreeMap::new() };
    entries
        .map(|entry| {
            let entry = entry.unwrap();
            (entry.file_name().into_string().unwrap(), std::fs::read_to_string(entry.path()).unwrap())
        })
        .collect()
}

/// The generated files by name, with the contributions of these modules.
fn generate(registry: &Registry) -> BTreeMap<String, String> {
    let directory = tempfile::tempdir().unwrap();
    types::write_all(registry, directory.path()).unwrap();
    let mut fresh = files(directory.path());
    for text in fresh.values_mut() {
        let (_, types) = text.split_once('\n').unwrap();
        *text = format!("{NOTE}{types}");
    }
    fresh
}

/// As `make types` does: writes the generated files into `home`, and removes all others.
pub(crate) fn write(registry: &Registry, home: &Path) {
    let fresh = generate(registry);
    std::fs::create_dir_all(home).unwrap();
    for name in files(home).keys().filter(|name| !fresh.contains_key(*name)) {
        std::fs::remove_file(home.join(name)).unwrap();
    }
    for (name, text) in &fresh {
        std::fs::write(home.join(name), text).unwrap();
    }
}

#[tokio::test]
async fn frontend_types_are_up_to_date() {
    let app = TestApp::new(Database::Sqlite).await;
    let fresh = generate(&app.app.registry);
    assert!(fresh["api.ts"].contains("export type Site = "));
    assert!(fresh["api.ts"].contains("export type Film = "));
    let home = repository(GENERATED);
    if std::env::var_os("FESTIVAL_TEST_RENEW").is_some() {
        write(&app.app.registry, &home);
    }
    assert!(files(&home) == fresh, "frontend/src/shared/api/generated is out of date; run: make types");
}
