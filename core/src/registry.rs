//! The registry: everything that the modules contribute, collected once at start.

mod check;
mod collect;
mod collected;
mod contribution;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::app::App;
use crate::command::Command;
use festival_admin::browser_settings::Group;
use festival_admin::dashboard::{DashboardContext, Metric, PendingTask};
use festival_admin::privacy::PersonalData;
use festival_admin::search::{SearchContext, SearchGroup};
use festival_admin::{
    self as admin, BackOfficeContents, LatestCase, Limit, ModuleTemplate, Panel, Permission, PreviewCase,
    PreviewContext, Resource, Role, RowContext, Screen, Widget,
};
use festival_base::db::Migration;
use festival_base::error::Result;
use festival_base::secrets::SecretColumn;
use festival_base::settings::{Section, SectionInfo, Settings};
use festival_base::{AsyncFn, AsyncFunction};
use festival_mail::Template;
use festival_records::entity::{Entity, Field, Kind};
use festival_records::importing::Reader;
use festival_web::json_ld::About;
use festival_web::page::DataDependency;
use festival_web::public_url::PublicUrl;
use festival_web::site::{AddedFacts, Document, Endpoint, Page, Post, RequestContext, Site, SiteContents};
use festival_web::submissions::{ReceiptPart, Submissions};

pub use check::Problem;
pub use contribution::{Contribution, PrivateFiles};

/// Returns the names and texts of a module's templates for [`Registry::templates`]: `"programme"` is
/// `templates/programme.hbs` of its crate, the template of `Reply::page("programme", ..)`.
#[macro_export]
macro_rules! templates {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/", $name, ".hbs")))),+]
    };
}

/// All contributions, in the order of the modules.
pub struct Registry {
    settings: Settings,
    contributions: Vec<Contribution>,
    /// The tables of the entities of modules that are switched off.
    disabled_tables: BTreeSet<&'static str>,
}

impl Registry {
    fn begin(&mut self, module: &'static str, enabled: bool) {
        self.contributions.push(Contribution { module, enabled, ..Contribution::default() });
    }

    fn current(&mut self) -> &mut Contribution {
        if self.contributions.is_empty() {
            self.begin("core", true);
        }
        let last = self.contributions.len() - 1;
        &mut self.contributions[last]
    }

    /// The settings that the site runs with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Adds migrations, made by [`festival_base::migration!`].
    pub fn migrations(&mut self, migrations: impl IntoIterator<Item = Migration>) -> &mut Self {
        self.current().migrations.extend(migrations);
        self
    }

    /// Adds an endpoint of the API for GET requests.
    pub fn endpoint(&mut self, endpoint: Endpoint) -> &mut Self {
        self.current().site.endpoints.push(Arc::new(endpoint));
        self
    }

    /// Adds an endpoint of the API for POST requests.
    pub fn post(&mut self, post: Post) -> &mut Self {
        self.current().site.posts.push(Arc::new(post));
        self
    }

    /// Adds a TypeScript file for the frontend, written with the types of the responses. Its first line is replaced by
    /// the note that all generated files have.
    pub fn types(&mut self, name: &'static str, print: fn() -> String) -> &mut Self {
        self.current().types.push((name, print));
        self
    }

    /// Adds a background task, which runs as long as the server: its future is dropped when the server stops.
    pub fn task(&mut self, name: &'static str, task: impl AsyncFunction<Arc<App>, ()>) -> &mut Self {
        self.current().tasks.push((name, AsyncFn::new(task)));
        self
    }

    /// Adds a background task that does `work` at startup and again after each `pause`. Errors are logged.
    pub fn every(
        &mut self,
        pause: Duration,
        name: &'static str,
        work: impl AsyncFunction<Arc<App>, Result<()>>,
    ) -> &mut Self {
        let work = AsyncFn::new(work);
        self.task(name, move |app| work.clone().repeat(app, pause, name))
    }

    /// Declares and returns the module's settings, from `[modules.<name>]`.
    ///
    /// If they are invalid, returns the defaults, and [`Registry::check`] prevents the start.
    pub fn section<T: Section>(&mut self) -> T {
        let module = self.current().module;
        self.current().sections.push(SectionInfo::of::<T>(format!("modules.{module}")));
        self.settings.section(module)
    }

    /// Declares a section of the settings file, `[<name>]`, that belongs to the module and is at the top level like
    /// those of core. It is accepted and checked also while the module is switched off; [`Settings::section_at`]
    /// returns it.
    pub fn top_level_section<T: Section>(&mut self, name: &'static str) -> &mut Self {
        self.current().sections.push(SectionInfo::of::<T>(name));
        self
    }

    /// Adds facts to `GET /site/`.
    pub fn site_facts(&mut self, facts: AddedFacts) -> &mut Self {
        self.current().site.facts.push(facts);
        self
    }

    /// Adds sections to the settings that `festival init` writes, in TOML, if those of the first edition with this number
    /// are not the defaults.
    pub fn first_settings(&mut self, text: fn(number: i64) -> Option<String>) -> &mut Self {
        self.current().first_settings.push(text);
        self
    }

    /// Adds a check of the settings in force to `festival check --deploy`. Each problem begins with a code: "P002:
    /// ...".
    pub fn deploy_check(&mut self, check: fn(&Settings) -> Vec<String>) -> &mut Self {
        self.current().deploy_checks.push(check);
        self
    }

    /// Puts the entities that follow into a group of the back office's menu; the groups are sorted by `place`, which
    /// follows the order of the season. Without this call they are in a group with the module's name, after those with
    /// a place.
    pub fn menu(&mut self, group: &'static str, place: u8) -> &mut Self {
        self.current().back_office.menu_places.push((group, place));
        self
    }

    /// Adds settings that organisers may change in the browser, with their screens.
    pub fn settings_group(&mut self, group: &'static Group) -> &mut Self {
        self.current().back_office.settings_group(group);
        self
    }

    /// Adds a mail that the module sends, with the screens on which organisers see and change its text.
    pub fn mail(&mut self, template: &'static Template) -> &mut Self {
        self.current().back_office.mail(template, None);
        self
    }

    /// Adds a mail as [`Registry::mail`] does. Its preview uses the latest real case, which `find` returns; while there
    /// is none, the examples of its variables.
    pub fn mail_with_preview(
        &mut self,
        template: &'static Template,
        find: impl AsyncFunction<PreviewContext, Result<Option<PreviewCase>>>,
    ) -> &mut Self {
        self.current().back_office.mail(template, Some(LatestCase::new(find)));
        self
    }

    /// Adds settings whose form is a screen of the module, at the group's path; core adds only their history, from
    /// which versions can be restored.
    pub fn settings_group_without_form(&mut self, group: &'static Group) -> &mut Self {
        self.current().back_office.settings_group_without_form(group);
        self
    }

    /// Adds pending tasks to the dashboard, for accounts with this permission.
    pub fn pending_task(
        &mut self,
        permission: Permission,
        count: impl AsyncFunction<DashboardContext, Result<Vec<PendingTask>>>,
    ) -> &mut Self {
        self.current().back_office.pending_tasks.push(Arc::new(Widget::new(permission, count)));
        self
    }

    /// Adds daily figures to the dashboard, for accounts with this permission.
    pub fn metric(
        &mut self,
        permission: Permission,
        count: impl AsyncFunction<DashboardContext, Result<Vec<Metric>>>,
    ) -> &mut Self {
        self.current().back_office.metrics.push(Arc::new(Widget::new(permission, count)));
        self
    }

    /// Adds a source to the search of the back office, for accounts with this permission.
    pub fn search(
        &mut self,
        permission: Permission,
        find: impl AsyncFunction<SearchContext, Result<Vec<SearchGroup>>>,
    ) -> &mut Self {
        self.current().back_office.searches.push(Arc::new(Widget::new(permission, find)));
        self
    }

    /// Adds panels to the pages of rows, such as submissions, for accounts with this permission. `find` returns none for
    /// the tables that it does not know.
    pub fn panels(
        &mut self,
        permission: Permission,
        find: impl AsyncFunction<RowContext, Result<Vec<Panel>>>,
    ) -> &mut Self {
        self.current().back_office.panels.push(Arc::new(Widget::new(permission, find)));
        self
    }

    /// Makes the submissions of a table known to other modules.
    pub fn submissions(&mut self, submissions: impl Submissions<Site>) -> &mut Self {
        self.current().site.submissions.push(Arc::new(submissions));
        self
    }

    /// Adds a paragraph to the receipts of submissions.
    pub fn receipt_part(&mut self, part: impl ReceiptPart<Site>) -> &mut Self {
        self.current().site.receipt_parts.push(Arc::new(part));
        self
    }

    /// Adds a role that accounts can have.
    pub fn role(&mut self, role: &'static Role) -> &mut Self {
        self.current().back_office.roles.push(role);
        self
    }

    /// Adds a criterion by which accounts can be limited to some of the submissions.
    pub fn scope(&mut self, limit: Limit) -> &mut Self {
        self.current().back_office.limits.push(Arc::new(limit));
        self
    }

    /// Adds a source of personal data, for exports, erasures and retention.
    pub fn personal_data(&mut self, source: impl PersonalData) -> &mut Self {
        self.current().back_office.personal.push(Arc::new(source));
        self
    }

    /// Declares rows that refer to files of the private store.
    pub fn private_files(&mut self, files: &'static PrivateFiles) -> &mut Self {
        self.current().private_files.push(files);
        self
    }

    /// Declares a column with secrets, which is encrypted with the site's key.
    pub fn secret_column(&mut self, column: &'static SecretColumn) -> &mut Self {
        self.current().back_office.secrets.push(column);
        self
    }

    /// Adds templates of the back office, made by [`templates!`](crate::templates). They can use core's partials.
    pub fn templates(&mut self, templates: impl IntoIterator<Item = (&'static str, &'static str)>) -> &mut Self {
        let contribution = self.current();
        let module = contribution.module;
        let templates = templates.into_iter().map(|(name, text)| ModuleTemplate { module, name, text });
        contribution.back_office.templates.extend(templates);
        self
    }

    /// Adds a screen of the back office.
    pub fn screen(&mut self, screen: Screen) -> &mut Self {
        self.current().back_office.screen(screen);
        self
    }

    /// Adds a page of the site.
    pub fn page(&mut self, page: Page) -> &mut Self {
        self.current().site.pages.push(Arc::new(page));
        self
    }

    /// Adds data dependencies to the page at `path`, which another module may have registered.
    pub fn page_depends_on(
        &mut self,
        path: &'static str,
        endpoints: impl IntoIterator<Item = &'static str>,
    ) -> &mut Self {
        let dependencies = endpoints.into_iter().map(|endpoint| (path, DataDependency::one(endpoint)));
        self.current().site.dependencies.extend(dependencies);
        self
    }

    /// Adds JSON-LD to the page at `path`, which another module may have registered.
    pub fn page_json_ld(
        &mut self,
        path: &'static str,
        describe: impl AsyncFunction<RequestContext, Result<About>>,
    ) -> &mut Self {
        self.current().site.json_ld.push((path, AsyncFn::new(describe)));
        self
    }

    /// Adds a document of the website that is not a page, for example a feed or a calendar.
    pub fn document(&mut self, document: Document) -> &mut Self {
        self.current().site.documents.push(Arc::new(document));
        self
    }

    /// Adds an entity, which organisers edit, with its screens in the back office. Optional fields that refer to rows
    /// of a module that is switched off are left out.
    pub fn entity(&mut self, entity: &'static Entity) -> &mut Self {
        self.entity_of(&admin::role::CONTENT, entity)
    }

    /// Adds an entity as [`Registry::entity`] does, whose screens are those of a resource of the module.
    pub fn entity_of(&mut self, resource: &'static Resource, entity: &'static Entity) -> &mut Self {
        let entity = without_references(entity, &self.disabled_tables);
        let contribution = self.current();
        contribution.entities.push(entity);
        let group = contribution.back_office.menu_places.last().map_or(contribution.module, |(group, _)| *group);
        for screen in admin::entity_screens(entity, resource, group) {
            contribution.back_office.screen(screen);
        }
        self
    }

    /// Declares that the module stores rows in `table`, with these columns, which entities of other modules may refer to
    /// although the rows are none of [`Registry::entity`].
    pub fn referable(&mut self, table: &'static str, columns: impl IntoIterator<Item = &'static str>) -> &mut Self {
        self.current().referable.push((table, columns.into_iter().collect()));
        self
    }

    /// Declares that the next edition starts with copies of the rows of these entities.
    pub fn carried_over(&mut self, entities: impl IntoIterator<Item = &'static Entity>) -> &mut Self {
        self.current().carried_over.extend(entities.into_iter().map(|entity| entity.table));
        self
    }

    /// Sets the reader of imported tables for `entity`, in place of the default one.
    pub fn import_reader(&mut self, entity: &'static Entity, reader: impl Reader + 'static) -> &mut Self {
        self.current().back_office.readers.push((entity.table, Arc::new(reader)));
        self
    }

    /// Sets the URL at which visitors see a row of `entity`. Its parameters are fields of the row, its "id", or the id
    /// of a row that it refers to ("/films/{category_id}?film={id}").
    pub fn public_url(&mut self, entity: &'static Entity, url: &'static str) -> &mut Self {
        self.current().site.public_urls.insert(entity.table, PublicUrl::Address(url));
        self
    }

    /// Declares that visitors see the rows of `entity` on the page that depends on this endpoint ("/pages/{slug}/").
    pub fn public_url_by_endpoint(&mut self, entity: &'static Entity, endpoint: &'static str) -> &mut Self {
        self.current().site.public_urls.insert(entity.table, PublicUrl::OnPageShowing(endpoint));
        self
    }

    /// Adds what a crate of core contributes to site and back office.
    pub(crate) fn contents(&mut self, site: SiteContents, back_office: BackOfficeContents) -> &mut Self {
        self.current().site.extend(site);
        self.current().back_office.extend(back_office);
        self
    }

    /// Adds a command, `festival <module> <name>`.
    pub fn command(&mut self, command: impl Command) -> &mut Self {
        self.current().commands.push(Arc::new(command));
        self
    }
}

/// An entity without the optional fields that refer to rows of these tables.
fn without_references(entity: &'static Entity, tables: &BTreeSet<&str>) -> &'static Entity {
    let refers = |field: &Field| match field.kind {
        Kind::Reference(target) => !field.required && tables.contains(target.table),
        _ => false,
    };
    if !entity.fields.iter().any(refers) {
        return entity;
    }
    // Descriptions live as long as the program, and a program has one registry.
    let fields: Vec<Field> = entity.fields.iter().filter(|field| !refers(field)).cloned().collect();
    Box::leak(Box::new(Entity { fields: Vec::leak(fields), ..entity.clone() }))
}
