//! What the back office is made of, beside its frame.

use std::sync::Arc;

use super::dashboard::{Metric, PendingTask, Widget};
use super::privacy::PersonalData;
use super::scope::Limit;
use super::screen::Screen;
use super::settings;
use crate::browser_settings::Group;
use festival_base::secrets::SecretColumn;
use festival_records::entity::Entity;
use festival_records::importing::Reader;

/// What one module contributes to the back office, or what all of them do that are switched on.
#[derive(Clone, Default)]
pub struct BackOfficeContents {
    /// The screens.
    pub screens: Vec<Arc<Screen>>,
    /// The settings that organisers change in the browser.
    pub settings: Vec<&'static Group>,
    /// What is said to need doing.
    pub pending_tasks: Vec<Arc<Widget<PendingTask>>>,
    /// What is counted by day.
    pub metrics: Vec<Arc<Widget<Metric>>>,
    /// By what accounts can be limited.
    pub limits: Vec<Arc<Limit>>,
    /// Who reads tables of an entity, by the entity's table, where the common reader is not enough.
    pub readers: Vec<(&'static str, Arc<dyn Reader>)>,
    /// Who keeps what is about people: also what is switched off, because its data stays.
    pub personal: Vec<Arc<dyn PersonalData>>,
    /// The columns with secrets: also of what is switched off.
    pub secrets: Vec<&'static SecretColumn>,
}

impl BackOfficeContents {
    /// Adds what somebody else contributes.
    pub fn extend(&mut self, other: Self) {
        let Self { screens, settings, pending_tasks, metrics, limits, readers, personal, secrets } = other;
        self.screens.extend(screens);
        self.settings.extend(settings);
        self.pending_tasks.extend(pending_tasks);
        self.metrics.extend(metrics);
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

    /// Adds settings that organisers change in the browser, and their screens.
    pub fn settings_group(&mut self, group: &'static Group) -> &mut Self {
        self.settings.push(group);
        self.screens.extend(settings::screens(group).into_iter().map(Arc::new));
        self
    }

    /// Whoever reads the tables of `entity`, if somebody was named for them.
    pub(crate) fn reader_of(&self, entity: &Entity) -> Option<&dyn Reader> {
        self.readers.iter().find(|(table, _)| *table == entity.table).map(|(_, reader)| reader.as_ref())
    }
}
