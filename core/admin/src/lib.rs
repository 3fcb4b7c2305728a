//! The back office at `/admin/`: accounts, sessions, roles, audit log, and the layout around every screen.
//!
//! It builds on the site and knows no module: modules contribute screens, settings and dashboard widgets to its
//! [contents](BackOfficeContents). Every screen gets the same treatment: authentication, permission, CSRF protection,
//! layout. Screens for films or forms live in the modules of these features.

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
pub mod list_view;
mod mail_text;
mod maintenance;
mod mount;
mod own_mails;
mod pager;
mod password;
pub mod privacy;
pub mod qr;
mod receive;
mod recovery;
mod reply;
mod request;
pub mod role;
pub mod scope;
mod screen;
mod screens;
pub mod search;
pub mod selected;
mod serve;
pub mod session;
mod templates;
mod throttle;
mod token;
mod totp;
mod widget;

pub use contents::BackOfficeContents;
pub use entities::screens as entity_screens;
pub use guard::CSRF_FIELD;
pub use input::{Choice, Input};
pub use mail_text::{DeclaredMail, LatestCase, PreviewCase, PreviewContext};
pub use maintenance::run_maintenance;
pub use mount::mount;
pub use password::{Passwords, weakness};
pub use reply::{Download, Page, Redirect, Reply};
pub use request::{AdminRequest, Fields, User, nothing_here};
pub use role::{Action, EDITOR, OWNER, Personal, READER, Resource, Role};
pub use scope::{Limit, Scope};
pub use screen::{MenuEntry, Permission, Screen};
pub use screens::own;
pub use templates::core_templates;
pub use widget::Widget;

use std::sync::Arc;

use futures::future::BoxFuture;
use sqlx::AnyConnection;

use festival_base::error::Result;
use festival_base::ttl_value::TtlValue;
use festival_web::site::Site;

/// Reads the time of the last backup, in the format of the database; `None` if there was none.
pub type LastBackup = fn(&mut AnyConnection) -> BoxFuture<'_, Result<Option<String>>>;

/// The back office of a site.
pub struct BackOffice {
    /// The site.
    pub site: Arc<Site>,
    /// What core and the enabled modules contribute.
    pub contents: BackOfficeContents,
    /// Hashes and checks passwords.
    pub passwords: Passwords,
    templates: templates::AdminTemplates,
    cookies: cookie::Cookies,
    last_backup: LastBackup,
    /// Cached total size of the media folder, in bytes.
    media_size: TtlValue<u64>,
}

impl BackOffice {
    /// Creates the back office without I/O: templates are compiled at the first page.
    pub fn new(site: Arc<Site>, contents: BackOfficeContents, last_backup: LastBackup) -> Self {
        Self {
            passwords: Passwords::default(),
            templates: templates::AdminTemplates::new(site.frontend, contents.templates.clone()),
            contents,
            cookies: cookie::Cookies::new(&site.settings),
            last_backup,
            media_size: TtlValue::default(),
            site,
        }
    }
}
