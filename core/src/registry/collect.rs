//! Collection of what core and the modules contribute.

use std::collections::BTreeSet;

use super::Registry;
use crate::module::Module;
use crate::own;
use festival_base::settings::Settings;

impl Registry {
    /// Collects the contributions of all modules, after those of core itself, which are called "core".
    pub fn collect(settings: &Settings, modules: &[Box<dyn Module>]) -> Self {
        let empty = || Self { settings: settings.clone(), contributions: Vec::new(), disabled_tables: BTreeSet::new() };
        let mut disabled = empty();
        for module in modules.iter().filter(|module| !settings.module_enabled(module.name())) {
            disabled.begin(module.name(), false);
            module.register(&mut disabled);
        }
        let tables = disabled.contributions.iter().flat_map(|contribution| {
            let entities = contribution.entities.iter().map(|entity| entity.table);
            entities.chain(contribution.referable.iter().map(|(table, _)| *table))
        });
        let mut registry = Self { disabled_tables: tables.collect(), ..empty() };
        registry.begin("core", true);
        own::register(&mut registry);
        for module in modules {
            registry.begin(module.name(), settings.module_enabled(module.name()));
            module.register(&mut registry);
        }
        registry
    }
}
