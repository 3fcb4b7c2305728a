//! Collecting what core and the modules contribute to the back office.

use std::collections::HashSet;
use std::sync::Arc;

use rocket::http::Method;

use super::back_office::{BackOfficeContents, Screen};
use super::browser_settings::Group;
use super::identity::account::Account;
use super::mail_text::{DeclaredMail, LatestCase};
use super::screens::{mail_texts, settings};
use festival_base::extend_fields;
use festival_mail::Template;

impl BackOfficeContents {
    /// Appends the contributions of `other`.
    pub fn extend(&mut self, other: Self) {
        extend_fields! { self, other,
            screens, roles, templates, menu_places, settings, mails, pending_tasks, metrics, panels, searches,
            limits, readers, personal, secrets
        }
    }

    /// Adds a screen.
    pub fn screen(&mut self, screen: Screen) -> &mut Self {
        self.screens.push(Arc::new(screen));
        self
    }

    /// The paths of the menu's screens that an account may open.
    pub(crate) fn open_to(&self, account: &Account) -> HashSet<String> {
        let screens = self.screens.iter().filter(|screen| screen.method == Method::Get && screen.menu.is_some());
        let open = screens.filter(|screen| screen.permission.allows(Some(account)));
        open.map(|screen| screen.path.for_openapi()).collect()
    }

    /// Adds a group of settings and its screens.
    pub fn settings_group(&mut self, group: &'static Group) -> &mut Self {
        self.settings.push(group);
        self.screens.extend(settings::screens(group).into_iter().map(Arc::new));
        self
    }

    /// Adds a mail and the screens of its text. `latest` finds the case for its preview; without one, the preview uses
    /// the examples of its variables.
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

    /// Adds a group of settings that the caller's own screen at the group's path edits together with other things: core
    /// adds only their history, from which versions can be restored.
    pub fn settings_group_without_form(&mut self, group: &'static Group) -> &mut Self {
        self.settings.push(group);
        self.screens.extend(settings::history_screens(group).into_iter().map(Arc::new));
        self
    }
}
