//! The combined contributions of the modules.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Contribution, PrivateFiles, Registry};
use crate::app::App;
use festival_admin::browser_settings::Item;
use festival_admin::privacy::PersonalData;
use festival_admin::{self as admin, BackOfficeContents, EDITOR, OWNER, READER, Role};
use festival_base::AsyncFn;
use festival_base::db::Migration;
use festival_base::settings::{InForce, SectionInfo, Sections, Settings};
use festival_records::Described;
use festival_records::entity::Entity;
use festival_web::site::SiteContents;

impl Registry {
    /// All contributions, also those of modules that are switched off.
    pub fn contributions(&self) -> &[Contribution] {
        &self.contributions
    }

    /// The contributions of core and of the modules that are switched on.
    pub fn enabled(&self) -> impl Iterator<Item = &Contribution> {
        self.contributions.iter().filter(|contribution| contribution.enabled)
    }

    /// The migrations of all modules, also of those that are switched off, because their data stays.
    pub fn all_migrations(&self) -> Vec<Migration> {
        self.contributions.iter().flat_map(|c| c.migrations.iter().copied()).collect()
    }

    /// The background tasks of core and of the modules that are switched on.
    pub fn tasks(&self) -> impl Iterator<Item = &AsyncFn<Arc<App>, ()>> {
        self.enabled().flat_map(|c| c.tasks.iter().map(|(_, task)| task))
    }

    /// All rows that refer to files of the private store, also of modules that are switched off, because their data
    /// stays.
    pub(crate) fn all_private_files(&self) -> impl Iterator<Item = &'static PrivateFiles> {
        self.contributions.iter().flat_map(|contribution| contribution.private_files.iter().copied())
    }

    /// The contents of the site, from core and the modules that are switched on.
    pub(crate) fn site_contents(&self) -> SiteContents {
        let mut contents = SiteContents::default();
        self.enabled().for_each(|contribution| contents.extend(contribution.site.clone()));
        contents
    }

    /// The contents of the back office, from core and the modules that are switched on.
    pub(crate) fn back_office_contents(&self) -> BackOfficeContents {
        let mut contents = BackOfficeContents::default();
        self.enabled().for_each(|contribution| contents.extend(contribution.back_office.clone()));
        contents.roles = self.roles();
        // The settings of features come before those of core, whose contribution is the first.
        let own = self.enabled().next().map_or(0, |core| core.back_office.settings.len());
        contents.settings.rotate_left(own);
        contents.personal = self.personal_data_sources();
        // Also those of modules that are switched off, because their data stays.
        contents.secrets = self.contributions.iter().flat_map(|c| c.back_office.secrets.iter().copied()).collect();
        contents
    }

    /// The roles that accounts can have, from the most to the fewest permissions.
    pub fn roles(&self) -> Vec<&'static Role> {
        let of_modules = self.enabled().flat_map(|contribution| contribution.back_office.roles.iter().copied());
        [&OWNER, &EDITOR].into_iter().chain(of_modules).chain([&READER]).collect()
    }

    /// All sources of personal data, also of modules that are switched off, because their data stays. Core's own
    /// sources come last: mails and the audit log are searched for the data that the others have found about the
    /// person.
    fn personal_data_sources(&self) -> Vec<Arc<dyn PersonalData>> {
        let of_modules = self.contributions.iter().flat_map(|c| c.back_office.personal.iter().cloned());
        of_modules.chain(admin::privacy::own()).collect()
    }

    /// All entities, in the order of their registration.
    pub(crate) fn described(&self) -> Arc<[Described]> {
        let described = |contribution: &Contribution, entity: &'static Entity| Described {
            entity,
            is_enabled: contribution.enabled,
            is_carried_over: contribution.carried_over.contains(&entity.table),
        };
        self.contributions.iter().flat_map(|c| c.entities.iter().map(|entity| described(c, entity))).collect()
    }

    /// The sections of the settings file that belong to modules, also to those that are switched off;
    /// `[modules.<name>]` of each.
    pub fn sections(&self) -> Sections {
        let own = |contribution: &Contribution| {
            let mut sections = contribution.sections.clone();
            if contribution.module != "core" && !sections.iter().any(|section| section.module().is_some()) {
                sections.push(SectionInfo::empty(contribution.module));
            }
            sections
        };
        self.contributions.iter().flat_map(own).collect()
    }

    /// The sections that the modules add to the settings of a new site, whose first edition has this number.
    pub fn new_site_settings(&self, number: i64) -> Vec<String> {
        self.enabled().flat_map(|contribution| &contribution.first_settings).filter_map(|text| text(number)).collect()
    }

    /// The problems that the checks of the enabled modules find in `settings` before the site goes public.
    pub fn deploy_problems(&self, settings: &Settings) -> Vec<String> {
        self.enabled().flat_map(|contribution| &contribution.deploy_checks).flat_map(|check| check(settings)).collect()
    }

    /// The settings and the paths of those that may be changed in the browser, also for modules that are switched off.
    pub(crate) fn in_force(&self) -> InForce {
        let groups = self.contributions.iter().flat_map(|contribution| contribution.back_office.all_settings());
        let paths = groups.flat_map(|group| group.items).map(Item::path).collect();
        InForce::new(self.settings.clone(), paths, self.sections())
    }

    /// The modules by name with whether they are on, without core.
    pub fn modules(&self) -> BTreeMap<&'static str, bool> {
        self.contributions.iter().filter(|c| c.module != "core").map(|c| (c.module, c.enabled)).collect()
    }
}
