//! The back office at `/admin/`: accounts, sessions, roles, audit, and the frame that every screen stands in.
//!
//! A screen is registered with [`Registry::screen`](crate::registry::Registry::screen), by core or by a module. Core
//! does the same for all of them: who is it, may they, does the change come from our own page, what stands around the
//! answer. What organisers do with films or forms is not here; their modules register it.

pub mod account;
pub mod audit;
mod cookie;
pub mod dashboard;
mod entities;
mod frame;
mod guard;
mod input;
mod invitation;
mod pager;
mod password;
mod qr;
mod recovery;
mod reply;
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
mod visit;

pub(crate) use entities::screens as entity_screens;
pub use guard::CSRF_FIELD;
pub use input::{Choice, Input};
pub use password::{Passwords, weakness};
pub use reply::{Download, Page, Redirect, Reply};
pub use role::{Action, Personal, Resource, Role};
pub use scope::{Limit, Scope};
pub use screen::{MenuEntry, Permission, Screen};
pub(crate) use screens::register;
pub(crate) use serve::{AdminHeaders, routes};
pub(crate) use settings::screens as settings_screens;
pub(crate) use templates::FOLDER as TEMPLATES;
pub use visit::{Fields, Person, Visit, nothing_here};

use crate::app::FrontendFiles;
use crate::settings::Settings;
use festival_base::remembered::Remembered;

/// What the back office keeps in memory.
pub struct Admin {
    /// Hashes and checks passwords.
    pub passwords: Passwords,
    templates: templates::AdminTemplates,
    cookies: cookie::Cookies,
    /// The bytes of all pictures, documents and files.
    media_size: Remembered<u64>,
}

impl Admin {
    /// Opens nothing; templates are read when the first page is asked for.
    pub(crate) fn new(settings: &Settings, files: FrontendFiles) -> Self {
        Self {
            passwords: Passwords::default(),
            templates: templates::AdminTemplates::new(files),
            cookies: cookie::Cookies::new(settings),
            media_size: Remembered::default(),
        }
    }
}
