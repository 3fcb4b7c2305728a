//! What the modules contribute, collected once at start. Core asks the registry and knows no module by name.

mod check;

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use crate::command::Command;
use crate::module::Module;
use crate::own;
use crate::stored_files::PrivateFiles;
use crate::task::Task;
use festival_admin::browser_settings::{Group, Item};
use festival_admin::dashboard::{DashboardContext, Metric, PendingTask, Widget};
use festival_admin::privacy::PersonalData;
use festival_admin::{self as admin, BackOfficeContents, Limit, Permission, Screen};
use festival_base::db::Migration;
use festival_base::error::Result;
use festival_base::secrets::SecretColumn;
use festival_base::settings::{InForce, Section, SectionInfo, Sections, Settings};
use festival_records::entity::Entity;
use festival_records::importing::Reader;
use festival_web::compute::Compute;
use festival_web::document::Document;
use festival_web::endpoint::{Endpoint, RequestContext};
use festival_web::json_ld::About;
use festival_web::page::{DataDependency, Page};
use festival_web::post::Post;
use festival_web::public_url::PublicUrl;
use festival_web::site::SiteContents;

pub use check::Problem;

/// Everything that one module contributes.
#[derive(Default)]
pub struct Contribution {
    /// The module.
    pub module: &'static str,
    /// Whether it is switched on.
    pub enabled: bool,
    /// Its schema.
    pub migrations: Vec<Migration>,
    /// What it adds to the site.
    pub site: SiteContents,
    /// What it adds to the back office.
    pub back_office: BackOfficeContents,
    /// What organisers edit.
    pub entities: Vec<&'static Entity>,
    /// Its commands, under its name.
    pub commands: Vec<Arc<dyn Command>>,
    /// What it does by itself while the server runs.
    pub tasks: Vec<Arc<dyn Task>>,
    /// TypeScript files beside those of its answers: name, text.
    pub types: Vec<(&'static str, fn() -> String)>,
    /// Its own settings, if it has some.
    pub section: Option<SectionInfo>,
    /// Where its rows name files of the private store.
    pub private_files: Vec<&'static PrivateFiles>,
}

/// The collection of all contributions.
pub struct Registry {
    settings: Settings,
    contributions: Vec<Contribution>,
}

impl Registry {
    /// Asks every module what it contributes. Core's own things come first, as contribution "core".
    pub fn collect(settings: &Settings, modules: &[Box<dyn Module>]) -> Self {
        let mut registry = Self { settings: settings.clone(), contributions: Vec::new() };
        registry.begin("core", true);
        own::register(&mut registry);
        for module in modules {
            registry.begin(module.name(), settings.module_enabled(module.name()));
            module.register(&mut registry);
        }
        registry
    }

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

    /// Steps of the schema, made by [`festival_base::migration!`].
    pub fn migrations(&mut self, migrations: impl IntoIterator<Item = Migration>) -> &mut Self {
        self.current().migrations.extend(migrations);
        self
    }

    /// An address of the API that answers GET.
    pub fn endpoint(&mut self, endpoint: Endpoint) -> &mut Self {
        self.current().site.endpoints.push(Arc::new(endpoint));
        self
    }

    /// An address of the API that takes what people send.
    pub fn post(&mut self, post: Post) -> &mut Self {
        self.current().site.posts.push(Arc::new(post));
        self
    }

    /// A TypeScript file for the frontend, beside the types of the answers. Its first line is a note that is
    /// replaced by the common one.
    pub fn types(&mut self, name: &'static str, print: fn() -> String) -> &mut Self {
        self.current().types.push((name, print));
        self
    }

    /// Something that is done while the server runs.
    pub fn task(&mut self, task: impl Task) -> &mut Self {
        self.current().tasks.push(Arc::new(task));
        self
    }

    /// The module's own settings, from `[modules.<name>]`.
    ///
    /// Where they cannot be used the defaults are answered, and [`Registry::check`] keeps the site from starting.
    pub fn section<T: Section>(&mut self) -> T {
        self.current().section = Some(SectionInfo::of::<T>());
        let module = self.current().module;
        self.settings.section(module)
    }

    /// Settings that organisers change in the browser, and their screens.
    pub fn settings_group(&mut self, group: &'static Group) -> &mut Self {
        self.current().back_office.settings_group(group);
        self
    }

    /// What needs doing, on the first page of the back office, for those who may.
    pub fn pending_task<F, Fut>(&mut self, permission: Permission, count: F) -> &mut Self
    where
        F: Fn(DashboardContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Vec<PendingTask>>> + Send + 'static,
    {
        self.current().back_office.pending_tasks.push(Arc::new(Widget::new(permission, count)));
        self
    }

    /// Numbers by day, on the first page of the back office, for those who may.
    pub fn metric<F, Fut>(&mut self, permission: Permission, count: F) -> &mut Self
    where
        F: Fn(DashboardContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Vec<Metric>>> + Send + 'static,
    {
        self.current().back_office.metrics.push(Arc::new(Widget::new(permission, count)));
        self
    }

    /// Something by which accounts can be limited to a part of what people sent.
    pub fn scope(&mut self, limit: Limit) -> &mut Self {
        self.current().back_office.limits.push(Arc::new(limit));
        self
    }

    /// Somebody who keeps what is about people.
    pub fn personal_data(&mut self, keeper: impl PersonalData) -> &mut Self {
        self.current().back_office.personal.push(Arc::new(keeper));
        self
    }

    /// Where rows name files of the private store.
    pub fn private_files_of(&mut self, files: &'static PrivateFiles) -> &mut Self {
        self.current().private_files.push(files);
        self
    }

    /// A column of secrets, encrypted with the site's key.
    pub fn secret_column(&mut self, column: &'static SecretColumn) -> &mut Self {
        self.current().back_office.secrets.push(column);
        self
    }

    /// A screen of the back office.
    pub fn screen(&mut self, screen: Screen) -> &mut Self {
        self.current().back_office.screen(screen);
        self
    }

    /// A page of the site.
    pub fn page(&mut self, page: Page) -> &mut Self {
        self.current().site.pages.push(Arc::new(page));
        self
    }

    /// An API answer that the page at `path`, somebody else's, needs for a part of ours.
    pub fn page_depends_on(
        &mut self,
        path: &'static str,
        answers: impl IntoIterator<Item = &'static str>,
    ) -> &mut Self {
        self.current().site.dependencies.extend(answers.into_iter().map(|answer| (path, DataDependency::one(answer))));
        self
    }

    /// What the page at `path`, somebody else's, says to programs about a part of ours.
    pub fn page_about<F, Fut>(&mut self, path: &'static str, about: F) -> &mut Self
    where
        F: Fn(RequestContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<About>> + Send + 'static,
    {
        self.current().site.abouts.push((path, Compute::new(about)));
        self
    }

    /// A document of the website that is no page: a feed, a calendar.
    pub fn document(&mut self, document: Document) -> &mut Self {
        self.current().site.documents.push(Arc::new(document));
        self
    }

    /// A kind of thing that organisers edit, and its screens in the back office.
    pub fn entity(&mut self, entity: &'static Entity) -> &mut Self {
        let contribution = self.current();
        contribution.entities.push(entity);
        let group = if contribution.module == "core" { "site" } else { contribution.module };
        for screen in admin::entity_screens(entity, group) {
            contribution.back_office.screen(screen);
        }
        self
    }

    /// Reads the tables that people bring in for `entity`, instead of core's own reader.
    pub fn reads(&mut self, entity: &'static Entity, reader: impl Reader + 'static) -> &mut Self {
        self.current().back_office.readers.push((entity.table, Arc::new(reader)));
        self
    }

    /// Where visitors see the rows of `entity`: an address of the site whose holes are fields of the row, its "id", or
    /// the id of a row that it refers to ("/films/{category_id}?film={id}").
    pub fn seen_at(&mut self, entity: &'static Entity, address: &'static str) -> &mut Self {
        self.current().site.public_urls.insert(entity.table, PublicUrl::Address(address));
        self
    }

    /// Visitors see the rows of `entity` on the page that shows this API answer ("/pages/{slug}/").
    pub fn seen_with(&mut self, entity: &'static Entity, answer: &'static str) -> &mut Self {
        self.current().site.public_urls.insert(entity.table, PublicUrl::OnPageShowing(answer));
        self
    }

    /// What a crate of core adds to site and back office.
    pub(crate) fn contents(&mut self, site: SiteContents, back_office: BackOfficeContents) -> &mut Self {
        self.current().site.extend(site);
        self.current().back_office.extend(back_office);
        self
    }

    /// A command `festival <module> <name>`.
    pub fn command(&mut self, command: impl Command) -> &mut Self {
        self.current().commands.push(Arc::new(command));
        self
    }

    /// Everything, switched off or not.
    pub fn contributions(&self) -> &[Contribution] {
        &self.contributions
    }

    /// What is switched on.
    pub fn enabled(&self) -> impl Iterator<Item = &Contribution> {
        self.contributions.iter().filter(|contribution| contribution.enabled)
    }

    /// The schema of all modules, switched off or not: their data stays.
    pub fn all_migrations(&self) -> Vec<Migration> {
        self.contributions.iter().flat_map(|c| c.migrations.iter().copied()).collect()
    }

    /// What runs beside the server, of what is switched on.
    pub fn tasks(&self) -> impl Iterator<Item = &Arc<dyn Task>> {
        self.enabled().flat_map(|c| c.tasks.iter())
    }

    /// Where rows name files of the private store: also of what is switched off, because its data stays.
    pub(crate) fn private_files(&self) -> impl Iterator<Item = &'static PrivateFiles> {
        self.contributions.iter().flat_map(|contribution| contribution.private_files.iter().copied())
    }

    /// What the site serves: what is switched on.
    pub(crate) fn site_contents(&self) -> SiteContents {
        let mut contents = SiteContents::default();
        self.enabled().for_each(|contribution| contents.extend(contribution.site.clone()));
        contents
    }

    /// What the back office is made of: what is switched on.
    pub(crate) fn back_office_contents(&self) -> BackOfficeContents {
        let mut contents = BackOfficeContents::default();
        self.enabled().for_each(|contribution| contents.extend(contribution.back_office.clone()));
        contents.personal = self.keepers();
        // Also of what is switched off: its data stays.
        contents.secrets = self.contributions.iter().flat_map(|c| c.back_office.secrets.iter().copied()).collect();
        contents
    }

    /// Who keeps what is about people, switched off or not: their data stays. Core's own keepers are the last: mails and
    /// the audit log are searched for what the others know of the person.
    fn keepers(&self) -> Vec<Arc<dyn PersonalData>> {
        let of_modules = self.contributions.iter().flat_map(|c| c.back_office.personal.iter().cloned());
        of_modules.chain(admin::privacy::own()).collect()
    }

    /// What organisers edit, each with whether its module is switched on.
    pub(crate) fn described(&self) -> Arc<[(&'static Entity, bool)]> {
        self.contributions.iter().flat_map(|c| c.entities.iter().map(|entity| (*entity, c.enabled))).collect()
    }

    /// The modules, without core, each with what is known of its own settings.
    pub fn sections(&self) -> Sections {
        self.contributions.iter().filter(|c| c.module != "core").map(|c| (c.module, c.section)).collect()
    }

    /// The settings with what may be changed of them in the browser; a module that is switched off keeps its own.
    pub(crate) fn in_force(&self) -> InForce {
        let groups = self.contributions.iter().flat_map(|contribution| contribution.back_office.settings.iter());
        let paths = groups.flat_map(|group| group.items).map(Item::path).collect();
        InForce::new(self.settings.clone(), paths, self.sections())
    }

    /// The modules by name with whether they are on, without core.
    pub fn modules(&self) -> BTreeMap<&'static str, bool> {
        self.contributions.iter().filter(|c| c.module != "core").map(|c| (c.module, c.enabled)).collect()
    }
}
