//! The back office at `/admin/`: accounts, sessions, roles, audit log, and the layout around every screen.
//!
//! It builds on the site and knows no module: modules contribute screens, settings and dashboard widgets to its
//! [contents](BackOfficeContents). Every screen gets the same treatment: authentication, permission, CSRF protection,
//! layout. Screens for films or forms live in the modules of these features.

pub mod account;
pub mod audit;
mod back_office;
pub mod browser_settings;
mod chapter;
pub mod collections;
mod contents;
mod cookie;
pub mod dashboard;
mod entities;
mod fields;
mod frame;
mod guard;
mod input;
mod invitation;
mod mail_text;
mod maintenance;
mod mount;
mod own_mails;
mod password;
mod permission;
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
mod serve;
pub mod session;
mod templates;
mod throttle;
mod token;
mod totp;
mod versions;
mod widget;

pub use back_office::{AdminRequest, BackOffice, BackOfficeContents, Screen, User};
pub use dashboard::LastBackup;
pub use entities::screens as entity_screens;
pub use fields::Fields;
pub use guard::CSRF_FIELD;
pub use input::{Choice, Input};
pub use mail_text::{DeclaredMail, LatestCase, PreviewCase, PreviewContext};
pub use maintenance::run_maintenance;
pub use mount::mount;
pub use password::{Passwords, weakness};
pub use permission::Permission;
pub use reply::{Download, Page, Redirect, Reply};
pub use request::nothing_here;
pub use role::{Action, EDITOR, OWNER, Personal, READER, Resource, Role};
pub use scope::{Limit, Scope};
pub use screen::MenuEntry;
pub use screens::own;
pub use templates::{ModuleTemplate, core_templates};
pub use widget::Widget;
