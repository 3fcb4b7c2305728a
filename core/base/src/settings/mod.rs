//! The settings: one typed struct. `config/festival.toml` is generated from its doc comments and defaults.

mod admin;
mod check;
mod in_force;
mod limits;
mod load;
mod mail;
mod manual;
mod menu;
mod metrics;
mod s3;
mod schema;
mod section;
mod seeded;
mod sources;

pub use admin::Admin;
pub use check::problems;
pub use in_force::{InForce, Overrides, load_overrides};
pub use limits::{Connections, Requests, Scanner, Uploads, WhenDown};
pub use load::{SettingsError, defaults_with, load};
pub use mail::{Mail, MailText, MailTls, Secret};
pub use manual::manual;
pub use menu::{DOCUMENT_LINK, Link, Menu, MenuItem};
pub use s3::S3;
pub use schema::{Analytics, Api, Contact, Frontend, Log, ModuleSettings, Product, Settings};
pub use section::{Section, SectionInfo, Sections, did_you_mean};
pub use seeded::{SEEDED, check as check_seeded, write as write_seeded};
pub use sources::{Sources, sources};
