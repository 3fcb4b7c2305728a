//! What one module contributes.

use std::sync::Arc;

use crate::app::App;
use crate::command::Command;
use festival_admin::BackOfficeContents;
use festival_base::AsyncFn;
use festival_base::db::Migration;
use festival_base::settings::{SectionInfo, Settings};
use festival_records::entity::Entity;
use festival_web::site::SiteContents;

/// Everything that one module contributes.
#[derive(Default)]
pub struct Contribution {
    /// The name of the module.
    pub module: &'static str,
    /// Whether it is switched on.
    pub enabled: bool,
    /// The migrations of its schema.
    pub migrations: Vec<Migration>,
    /// Its endpoints, pages and documents.
    pub site: SiteContents,
    /// Its screens and other parts of the back office.
    pub back_office: BackOfficeContents,
    /// Its entities, which organisers edit.
    pub entities: Vec<&'static Entity>,
    /// The tables of its entities whose rows the next edition starts with.
    pub carried_over: Vec<&'static str>,
    /// Its commands, `festival <module> <name>`.
    pub commands: Vec<Arc<dyn Command>>,
    /// Its background tasks by name.
    pub tasks: Vec<(&'static str, AsyncFn<Arc<App>, ()>)>,
    /// Additional TypeScript files: name and a function that prints the text.
    pub types: Vec<(&'static str, fn() -> String)>,
    /// Its settings: `[modules.<name>]`, and sections at the top level.
    pub sections: Vec<SectionInfo>,
    /// What `festival init` writes into a new site's settings, by the number of its first edition.
    pub first_settings: Vec<fn(i64) -> Option<String>>,
    /// Checks of the settings in force before the site goes public.
    pub deploy_checks: Vec<fn(&Settings) -> Vec<String>>,
    /// Its rows that refer to files of the private store.
    pub private_files: Vec<&'static PrivateFiles>,
    /// The rows that it stores itself and that other modules may refer to: table and columns.
    pub referable: Vec<(&'static str, Vec<&'static str>)>,
}

/// A kind of row that refers to files of the private store.
#[derive(Debug)]
pub struct PrivateFiles {
    /// The folders of the store with these files.
    pub folders: fn() -> Vec<String>,
    /// SQL that selects the key of each file and a description of the row for people.
    pub query: &'static str,
}
