//! The back office at `/admin/`: accounts, sessions, roles, audit, and the frame that every screen stands in.
//!
//! It stands on the site and knows no module: what it is made of is in its [contents](BackOfficeContents), whoever
//! contributes them. The same is done for every screen: who is it, may they, does the change come from our own page, what
//! stands around the answer. What organisers do with films or forms is not here; their modules bring it.

pub mod account;
pub mod audit;
pub mod browser_settings;
mod contents;
mod cookie;
pub mod dashboard;
mod entities;
mod frame;
mod guard;
mod input;
mod invitation;
mod mount;
mod pager;
mod password;
pub mod privacy;
mod qr;
mod receive;
mod recovery;
mod reply;
mod request;
pub mod role;
pub mod scope;
mod screen;
mod screens;
pub mod selected;
mod serve;
pub mod session;
mod settings;
mod sweep;
mod templates;
mod throttle;
mod token;
mod totp;

pub use contents::BackOfficeContents;
pub use entities::screens as entity_screens;
pub use guard::CSRF_FIELD;
pub use input::{Choice, Input};
pub use mount::mount;
pub use password::{Passwords, weakness};
pub use reply::{Download, Page, Redirect, Reply};
pub use request::{AdminRequest, Fields, Person, nothing_here};
pub use role::{Action, Personal, Resource, Role};
pub use scope::{Limit, Scope};
pub use screen::{MenuEntry, Permission, Screen};
pub use screens::own;
pub use sweep::look_after;

use std::sync::Arc;

use futures::future::BoxFuture;
use sqlx::AnyConnection;

use festival_base::error::Result;
use festival_base::ttl_value::TtlValue;
use festival_web::site::Site;

/// Finds when the last backup was made, as stored.
pub type LastBackup = fn(&mut AnyConnection) -> BoxFuture<'_, Result<Option<String>>>;

/// The back office of a site.
pub struct BackOffice {
    /// The site.
    pub site: Arc<Site>,
    /// What it is made of, of all modules that are switched on.
    pub contents: BackOfficeContents,
    /// Hashes and checks passwords.
    pub passwords: Passwords,
    templates: templates::AdminTemplates,
    cookies: cookie::Cookies,
    last_backup: LastBackup,
    /// The bytes of all pictures, documents and files.
    media_size: TtlValue<u64>,
}

impl BackOffice {
    /// Opens nothing; templates are read when the first page is asked for.
    pub fn new(site: Arc<Site>, contents: BackOfficeContents, last_backup: LastBackup) -> Self {
        Self {
            contents,
            passwords: Passwords::default(),
            templates: templates::AdminTemplates::new(site.frontend),
            cookies: cookie::Cookies::new(&site.settings),
            last_backup,
            media_size: TtlValue::default(),
            site,
        }
    }
}
