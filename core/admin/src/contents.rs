//! What core and the modules contribute to the back office.

use std::sync::Arc;

use super::dashboard::{DashboardContext, Metric, PendingTask};
use super::privacy::PersonalData;
use super::role::Role;
use super::scope::Limit;
use super::screen::Screen;
use super::search::{SearchContext, SearchGroup};
use super::widget::Widget;
use crate::browser_settings::Group;
use crate::mail_text::{DeclaredMail, LatestCase};
use crate::screens::{mail_texts, settings};
use festival_base::secrets::SecretColumn;
use festival_mail::Template;
use festival_records::entity::Entity;
use festival_records::importing::Reader;

/// The contributions of one module, or of core and all enabled modules together.
#[derive(Clone, Default)]
pub struct BackOfficeContents {
    /// The screens.
    pub screens: Vec<Arc<Screen>>,
    /// The roles that accounts can have, from the most to the fewest permissions.
    pub roles: Vec<&'static Role>,
    /// The modules' templates: names and texts. Those of core are in the built frontend.
    pub templates: Vec<(&'static str, &'static str)>,
    /// Groups of the menu with their places: the order of the season.
    pub menu_places: Vec<(&'static str, u8)>,
    /// Groups of settings that organisers edit in the browser.
    pub settings: Vec<&'static Group>,
    /// The mails that are sent, with their texts.
    pub mails: Vec<Arc<DeclaredMail>>,
    /// Widgets of the dashboard's task list.
    pub pending_tasks: Vec<Arc<Widget<DashboardContext, PendingTask>>>,
    /// Widgets of the dashboard's charts.
    pub metrics: Vec<Arc<Widget<DashboardContext, Metric>>>,
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
    /// Appends the contributions of `other`.
    pub fn extend(&mut self, other: Self) {
        let Self {
            screens,
            roles,
            templates,
            menu_places,
            settings,
            mails,
            pending_tasks,
            metrics,
            searches,
            limits,
            readers,
            personal,
            secrets,
        } = other;
        self.screens.extend(screens);
        self.roles.extend(roles);
        self.templates.extend(templates);
        self.menu_places.extend(menu_places);
        self.settings.extend(settings);
        self.mails.extend(mails);
        self.pending_tasks.extend(pending_tasks);
        self.metrics.extend(metrics);
        self.searches.extend(searches);
        self.limits.extend(limits);
        self.readers.extend(readers);
        self.personal.extend(personal);
        self.secrets.extend(secrets);
    }

    /// Adds a screen.
    pub fn screen(&mut self, screen: Screen) -> &mut Self {
        self.screens.push(Arc::new(screen));
        self
    }

    /// Adds a group of settings and its screens.
    pub fn settings_group(&mut self, group: &'static Group) -> &mut Self {
        self.settings.push(group);
        self.screens.extend(settings::screens(group).into_iter().map(Arc::new));
        self
    }

    /// Adds a mail and the screens of its text. `latest` finds what it is previewed with; otherwise its examples are.
    pub fn mail(&mut self, template: &'static Template, latest: Option<LatestCase>) -> &mut Self {
        let mail = Arc::new(DeclaredMail::new(template, latest));
        self.screens.extend(mail_texts::screens(&mail).into_iter().map(Arc::new));
        self.mails.push(mail);
        self
    }

    /// All settings that organisers change in the browser, texts of mails included.
    pub fn all_settings(&self) -> impl Iterator<Item = &'static Group> {
        self.settings.iter().copied().chain(self.mails.iter().map(|mail| mail.group))
    }

    /// Adds a group of settings that a screen of the caller, at the group's path, edits together with other things: core adds
    /// their history and the way back.
    pub fn settings_group_without_form(&mut self, group: &'static Group) -> &mut Self {
        self.settings.push(group);
        self.screens.extend(settings::history_screens(group).into_iter().map(Arc::new));
        self
    }

    /// Returns the custom reader of imported tables for `entity`, if there is one.
    pub fn reader_of(&self, entity: &Entity) -> Option<&dyn Reader> {
        self.readers.iter().find(|(table, _)| *table == entity.table).map(|(_, reader)| reader.as_ref())
    }
}
