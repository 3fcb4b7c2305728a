//! What the modules contribute, collected once at start. Core asks the registry and knows no module by name.

mod check;

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use serde_json::Value;

use crate::admin::dashboard::{Curve, Glance, Part, Todo};
use crate::admin::{self, Limit, Permission, Screen};
use crate::browser_settings::{Group, Item};
use crate::command::Command;
use crate::compute::Compute;
use crate::db::Migration;
use crate::document::Document;
use crate::endpoint::{Ask, Endpoint};
use crate::entity::Entity;
use crate::error::Result;
use crate::importing::Reader;
use crate::json_ld::About;
use crate::module::Module;
use crate::page::{Need, Page};
use crate::pattern::Pattern;
use crate::place::Place;
use crate::post::Post;
use crate::settings::{InForce, Section, SectionInfo, Sections, Settings};
use crate::task::Task;

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
    /// What it answers under the API's mount.
    pub endpoints: Vec<Arc<Endpoint>>,
    /// What it takes from people under the API's mount.
    pub posts: Vec<Arc<Post>>,
    /// Its screens in the back office.
    pub screens: Vec<Arc<Screen>>,
    /// Its pages.
    pub pages: Vec<Arc<Page>>,
    /// What organisers edit.
    pub entities: Vec<&'static Entity>,
    /// Who reads tables of its entities, by table, where core's own reader is not enough.
    pub readers: Vec<(&'static str, Box<dyn Reader>)>,
    /// Where visitors see them, by the name of the entity's table.
    pub places: BTreeMap<&'static str, Place>,
    /// API answers that it adds to pages of others: path of the page, what it needs.
    pub needs: Vec<(&'static str, Need)>,
    /// What it says to programs on pages of others: path of the page, what it says.
    pub abouts: Vec<(&'static str, Compute<About>)>,
    /// Its documents: feeds, calendars.
    pub documents: Vec<Arc<Document>>,
    /// Its commands, under its name.
    pub commands: Vec<Arc<dyn Command>>,
    /// What it does by itself while the server runs.
    pub tasks: Vec<Arc<dyn Task>>,
    /// TypeScript files beside those of its answers: name, text.
    pub types: Vec<(&'static str, fn() -> String)>,
    /// Its own settings, if it has some.
    pub section: Option<SectionInfo>,
    /// The settings that organisers change in the browser.
    pub settings: Vec<&'static Group>,
    /// What it says needs doing.
    pub todos: Vec<Part<Todo>>,
    /// What it counts by day.
    pub curves: Vec<Part<Curve>>,
    /// By what accounts can be limited.
    pub limits: Vec<Limit>,
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
        crate::site::register(&mut registry);
        crate::admin::register(&mut registry);
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

    /// Steps of the schema, made by [`crate::migration!`].
    pub fn migrations(&mut self, migrations: impl IntoIterator<Item = Migration>) -> &mut Self {
        self.current().migrations.extend(migrations);
        self
    }

    /// An address of the API that answers GET.
    pub fn endpoint(&mut self, endpoint: Endpoint) -> &mut Self {
        self.current().endpoints.push(Arc::new(endpoint));
        self
    }

    /// An address of the API that takes what people send.
    pub fn post(&mut self, post: Post) -> &mut Self {
        self.current().posts.push(Arc::new(post));
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
        let contribution = self.current();
        contribution.settings.push(group);
        contribution.screens.extend(admin::settings_screens(group).into_iter().map(Arc::new));
        self
    }

    /// What needs doing, on the first page of the back office, for those who may.
    pub fn todo<F, Fut>(&mut self, permission: Permission, count: F) -> &mut Self
    where
        F: Fn(Glance) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Vec<Todo>>> + Send + 'static,
    {
        self.current().todos.push(Part::new(permission, count));
        self
    }

    /// Numbers by day, on the first page of the back office, for those who may.
    pub fn by_day<F, Fut>(&mut self, permission: Permission, count: F) -> &mut Self
    where
        F: Fn(Glance) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Vec<Curve>>> + Send + 'static,
    {
        self.current().curves.push(Part::new(permission, count));
        self
    }

    /// Something by which accounts can be limited to a part of what people sent.
    pub fn scope(&mut self, limit: Limit) -> &mut Self {
        self.current().limits.push(limit);
        self
    }

    /// A screen of the back office.
    pub fn screen(&mut self, screen: Screen) -> &mut Self {
        self.current().screens.push(Arc::new(screen));
        self
    }

    /// A page of the site.
    pub fn page(&mut self, page: Page) -> &mut Self {
        self.current().pages.push(Arc::new(page));
        self
    }

    /// An API answer that the page at `path`, somebody else's, needs for a part of ours.
    pub fn page_needs(&mut self, path: &'static str, needs: impl IntoIterator<Item = &'static str>) -> &mut Self {
        self.current().needs.extend(needs.into_iter().map(|need| (path, Need::one(need))));
        self
    }

    /// What the page at `path`, somebody else's, says to programs about a part of ours.
    pub fn page_about<F, Fut>(&mut self, path: &'static str, about: F) -> &mut Self
    where
        F: Fn(Ask) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<About>> + Send + 'static,
    {
        self.current().abouts.push((path, Compute::new(about)));
        self
    }

    /// A document of the website that is no page: a feed, a calendar.
    pub fn document(&mut self, document: Document) -> &mut Self {
        self.current().documents.push(Arc::new(document));
        self
    }

    /// A kind of thing that organisers edit, and its screens in the back office.
    pub fn entity(&mut self, entity: &'static Entity) -> &mut Self {
        let contribution = self.current();
        contribution.entities.push(entity);
        let group = if contribution.module == "core" { "site" } else { contribution.module };
        contribution.screens.extend(admin::entity_screens(entity, group).into_iter().map(Arc::new));
        self
    }

    /// Reads the tables that people bring in for `entity`, instead of core's own reader.
    pub fn reads(&mut self, entity: &'static Entity, reader: impl Reader + 'static) -> &mut Self {
        self.current().readers.push((entity.table, Box::new(reader)));
        self
    }

    /// Whoever reads the tables of `entity`, if a module has somebody for them.
    pub fn reader_of(&self, entity: &Entity) -> Option<&dyn Reader> {
        let mut readers = self.contributions.iter().flat_map(|contribution| &contribution.readers);
        readers.find(|(table, _)| *table == entity.table).map(|(_, reader)| reader.as_ref())
    }

    /// Where visitors see the rows of `entity`: an address of the site whose holes are fields of the row, its "id", or
    /// the id of a row that it refers to ("/films/{category_id}?film={id}").
    pub fn seen_at(&mut self, entity: &'static Entity, address: &'static str) -> &mut Self {
        self.current().places.insert(entity.table, Place::At(address));
        self
    }

    /// Visitors see the rows of `entity` on the page that shows this API answer ("/pages/{slug}/").
    pub fn seen_with(&mut self, entity: &'static Entity, answer: &'static str) -> &mut Self {
        self.current().places.insert(entity.table, Place::With(answer));
        self
    }

    /// Where visitors see the rows of an entity.
    pub fn place_of(&self, entity: &Entity) -> Option<Place> {
        self.contributions.iter().find_map(|contribution| contribution.places.get(entity.table).copied())
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

    /// The endpoints of what is switched on.
    pub fn endpoints(&self) -> impl Iterator<Item = &Arc<Endpoint>> {
        self.enabled().flat_map(|c| c.endpoints.iter())
    }

    /// What is taken from people, of what is switched on.
    pub fn posts(&self) -> impl Iterator<Item = &Arc<Post>> {
        self.enabled().flat_map(|c| c.posts.iter())
    }

    /// The screens of the back office, of what is switched on.
    pub fn screens(&self) -> impl Iterator<Item = &Arc<Screen>> {
        self.enabled().flat_map(|c| c.screens.iter())
    }

    /// By what accounts can be limited, of what is switched on.
    pub fn limits(&self) -> impl Iterator<Item = &Limit> {
        self.enabled().flat_map(|c| c.limits.iter())
    }

    /// What runs beside the server, of what is switched on.
    pub fn tasks(&self) -> impl Iterator<Item = &Arc<dyn Task>> {
        self.enabled().flat_map(|c| c.tasks.iter())
    }

    /// The pages of what is switched on.
    pub fn pages(&self) -> impl Iterator<Item = &Arc<Page>> {
        self.enabled().flat_map(|c| c.pages.iter())
    }

    /// The documents of what is switched on.
    pub fn documents(&self) -> impl Iterator<Item = &Arc<Document>> {
        self.enabled().flat_map(|c| c.documents.iter())
    }

    /// What the page says to programs: its own words and those that others added.
    pub fn abouts_of<'a>(&'a self, page: &'a Page) -> impl Iterator<Item = &'a Compute<About>> {
        let added = self.enabled().flat_map(|c| c.abouts.iter());
        page.about.iter().chain(added.filter(|(at, _)| Pattern::new(at) == page.path).map(|(_, about)| about))
    }

    /// What the page at `path` needs: its own needs and those that others added.
    pub fn needs_of<'a>(&'a self, page: &'a Page) -> impl Iterator<Item = &'a Need> {
        let path = page.path.for_openapi();
        page.needs.iter().chain(
            self.enabled()
                .flat_map(|c| c.needs.iter())
                .filter(move |(at, _)| Pattern::new(at).for_openapi() == path)
                .map(|(_, need)| need),
        )
    }

    /// The settings that organisers change in the browser, of what is switched on.
    pub fn settings_groups(&self) -> impl Iterator<Item = &'static Group> {
        self.enabled().flat_map(|c| c.settings.iter().copied())
    }

    /// The setting at `path`, if it can be changed in the browser.
    pub fn settings_item(&self, path: &str) -> Option<&'static Item> {
        self.settings_groups().find_map(|group| group.item(path))
    }

    /// The value at a path below `modules.<name>`, that of the default included.
    pub(crate) fn section_value(&self, settings: &Settings, path: &str) -> Option<Value> {
        let (module, rest) = path.strip_prefix("modules.")?.split_once('.')?;
        let section = self.contributions.iter().find(|c| c.module == module)?.section?;
        let own = settings.modules.get(module).map(|module| module.own.clone()).unwrap_or_default();
        let values = Value::Object((section.values)(&own).ok()?);
        rest.split('.').try_fold(&values, |value, name| value.get(name)).cloned()
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
        let groups = self.contributions.iter().flat_map(|contribution| contribution.settings.iter());
        let paths = groups.flat_map(|group| group.items).map(Item::path).collect();
        InForce::new(self.settings.clone(), paths, self.sections())
    }

    /// The modules by name with whether they are on, without core.
    pub fn modules(&self) -> BTreeMap<&'static str, bool> {
        self.contributions.iter().filter(|c| c.module != "core").map(|c| (c.module, c.enabled)).collect()
    }
}
