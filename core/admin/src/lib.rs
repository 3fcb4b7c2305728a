//! The back office at `/admin/`: accounts, sessions, roles, audit log, and the layout around every screen.
//!
//! It builds on the site and knows no module: modules contribute screens, settings and dashboard widgets to its
//! [contents](BackOfficeContents). Every screen gets the same treatment: authentication, permission, CSRF protection,
//! layout. Screens for films or forms live in the modules of these features.

pub mod audit;
mod back_office;
pub mod browser_settings;
pub mod collections;
mod contents;
pub mod dashboard;
mod entities;
pub mod identity;
mod mail_text;
pub mod privacy;
pub mod qr;
mod screens;
pub mod search;
mod serving;
mod versions;
mod widget;

pub use back_office::{AdminRequest, BackOffice, BackOfficeContents, Screen, User};
pub use dashboard::LastBackup;
pub use entities::screens as entity_screens;
pub use identity::password::{Passwords, weakness};
pub use identity::permission::Permission;
pub use identity::role::{Action, EDITOR, OWNER, Personal, READER, Resource, Role};
pub use identity::scope::{Limit, Scope};
pub use identity::{account, role, scope, session};
pub use mail_text::{DeclaredMail, LatestCase, PreviewCase, PreviewContext};
pub use screens::own;
pub use serving::fields::Fields;
pub use serving::frame::capitalized;
pub use serving::guard::CSRF_FIELD;
pub use serving::input::{Choice, Input};
pub use serving::maintenance::run_maintenance;
pub use serving::mount::mount;
pub use serving::reply::{Download, Page, Redirect, Reply};
pub use serving::request::nothing_here;
pub use serving::screen::MenuEntry;
pub use serving::templates::{ModuleTemplate, core_templates};
pub use widget::{Panel, RowContext, Widget};
