//! The public pages, API and commands of the module `films`.

mod api;
mod catalogue;
mod discover;
mod export;
mod import;
mod import_options;
mod import_pictures;
mod index;
mod pages;
mod parts;
mod reimport;

use crate::support::TestApp;

/// Adds a published film to the category "malayalam", where the fixture has "Bare": `columns` are SQL values by name.
async fn add_film(app: &TestApp, columns: &[(&str, &str)]) {
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let values: Vec<&str> = columns.iter().map(|(_, value)| *value).collect();
    app.write(&format!(
        "INSERT INTO films (edition_id, category_id, created_at, updated_at, {}) \
         SELECT edition_id, category_id, created_at, updated_at, {} FROM films WHERE name = 'Bare'",
        names.join(", "),
        values.join(", ")
    ))
    .await;
}
