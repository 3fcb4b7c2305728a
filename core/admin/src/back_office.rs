//! The back office of a site, its contents, and the requests to its screens. They are declared together because they
//! refer to one another: a request holds the back office, whose screens handle requests. The methods of a request are
//! in `serving/request.rs`; contents are collected in `contents.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::browser_settings::Group;
use super::dashboard::{DashboardContext, LastBackup, Metric, PendingTask};
use super::mail_text::DeclaredMail;
use super::privacy::PersonalData;
use super::search::{SearchContext, SearchGroup};
use super::widget::Widget;
use super::widget::{Panel, RowContext};
use crate::identity::account::Account;
use crate::identity::password::Passwords;
use crate::identity::role::Role;
use crate::identity::scope::Limit;
use crate::identity::session::Session;
use crate::serving::cookie::Cookies;
use crate::serving::fields::Fields;
use crate::serving::templates::{AdminTemplates, ModuleTemplate};
use festival_base::error::FieldError;
use festival_base::secrets::SecretColumn;
use festival_base::ttl_value::TtlValue;
use festival_files::media::StagedFile;
use festival_records::entity::Entity;
use festival_records::importing::Reader;
use festival_web::pattern::Params;
use festival_web::site::Site;

/// The back office of a site.
pub struct BackOffice {
    /// The site.
    pub site: Arc<Site>,
    /// What core and the enabled modules contribute.
    pub contents: BackOfficeContents,
    /// Hashes and checks passwords.
    pub passwords: Passwords,
    pub(super) templates: AdminTemplates,
    pub(super) cookies: Cookies,
    pub(super) last_backup: LastBackup,
    /// Cached total size of the media folder, in bytes.
    pub(super) media_size: TtlValue<u64>,
}

impl BackOffice {
    /// Creates the back office without I/O: templates are compiled at the first page.
    pub fn new(site: Arc<Site>, contents: BackOfficeContents, last_backup: LastBackup) -> Self {
        Self {
            passwords: Passwords::default(),
            templates: AdminTemplates::new(site.frontend, contents.templates.clone()),
            contents,
            cookies: Cookies::new(&site.settings),
            last_backup,
            media_size: TtlValue::default(),
            site,
        }
    }
}

/// The contributions of one module, or of core and all enabled modules together.
#[derive(Clone, Default)]
pub struct BackOfficeContents {
    /// The screens.
    pub screens: Vec<Arc<Screen>>,
    /// The roles that accounts can have, from the most to the fewest permissions.
    pub roles: Vec<&'static Role>,
    /// The modules' templates. Those of core are in the built frontend.
    pub templates: Vec<ModuleTemplate>,
    /// Groups of the menu with their positions, in the order of the season.
    pub menu_places: Vec<(&'static str, u8)>,
    /// Groups of settings that organisers edit in the browser.
    pub settings: Vec<&'static Group>,
    /// The mails that are sent, with their texts.
    pub mails: Vec<Arc<DeclaredMail>>,
    /// Widgets of the dashboard's task list.
    pub pending_tasks: Vec<Arc<Widget<DashboardContext, PendingTask>>>,
    /// Widgets of the dashboard's charts.
    pub metrics: Vec<Arc<Widget<DashboardContext, Metric>>>,
    /// What pages of rows of other modules show besides.
    pub panels: Vec<Arc<Widget<RowContext, Panel>>>,
    /// What the search looks through besides records, settings and screens.
    pub searches: Vec<Arc<Widget<SearchContext, SearchGroup>>>,
    /// Criteria by which accounts can be limited.
    pub limits: Vec<Arc<Limit>>,
    /// Custom readers of imported tables, by the table of the entity.
    pub readers: Vec<(&'static str, Arc<dyn Reader>)>,
    /// Holders of personal data, including those of disabled modules, whose data stays in the database.
    pub personal: Vec<Arc<dyn PersonalData>>,
    /// Encrypted columns, including those of disabled modules.
    pub secrets: Vec<&'static SecretColumn>,
}

impl BackOfficeContents {
    /// Returns the custom reader of imported tables for `entity`, if there is one.
    pub fn reader_of(&self, entity: &Entity) -> Option<&dyn Reader> {
        self.readers.iter().find(|(table, _)| *table == entity.table).map(|(_, reader)| reader.as_ref())
    }
}

/// A screen of the back office.
pub type Screen = crate::serving::screen::Screen<AdminRequest>;

/// A signed-in user: account and session.
#[derive(Clone, Debug)]
pub struct User {
    /// The account.
    pub account: Account,
    /// The session of this browser.
    pub session: Session,
}

/// A request to a screen.
pub struct AdminRequest {
    /// The site.
    pub site: Arc<Site>,
    pub(super) admin: Arc<BackOffice>,
    /// The requested path.
    pub path: String,
    /// The parameters of the path.
    pub params: Params,
    /// The query.
    pub query: Fields,
    /// The form, of a POST.
    pub form: Fields,
    /// The uploaded files, by field.
    pub files: BTreeMap<&'static str, StagedFile>,
    /// Errors of files and fields of a form that is processed despite them.
    pub field_errors: Vec<FieldError>,
    /// Remarks on stored files: a sentence each, with a leading blank.
    pub(super) remarks: String,
    /// The client's address or network, for the audit log.
    pub network: String,
    /// Scheme and host of the site, without a trailing slash.
    pub base_url: Arc<str>,
    /// CSRF token for the forms of the reply; see [`crate::serving::guard`].
    pub csrf: String,
    pub(super) browser: String,
    pub(super) user: Option<User>,
    /// A user whose password was accepted and whose second factor is pending.
    pub(super) pending_user: Option<User>,
}
