//! Checks of the registry at start: duplicate names and paths, unknown pages, wrong keys and settings.

use std::collections::{BTreeMap, BTreeSet};

use rocket::http::Method;
use serde_json::Map;

use super::{Contribution, Registry};
use festival_admin::{ModuleTemplate, Screen, core_templates};
use festival_base::settings::{Settings, did_you_mean};
use festival_records::entity::{Entity, Field, Kind};
use festival_records::importing::ID;
use festival_web::pattern::Pattern;
use festival_web::site::{AddedFacts, FrontendFiles, fact_names};

/// A mistake in what modules register; the server does not start with one.
#[derive(Debug, PartialEq, Eq)]
pub struct Problem {
    /// Stable code, "R001".
    pub code: &'static str,
    /// What is wrong and what to do.
    pub message: String,
}

impl Registry {
    /// All mistakes in what is registered and in the settings of modules. `frontend` has the templates of core.
    pub fn check(&self, frontend: FrontendFiles) -> Vec<Problem> {
        let mut problems = Vec::new();
        self.check_names(&mut problems);
        self.check_owners(&mut problems);
        self.check_paths(&mut problems);
        self.check_migrations(&mut problems);
        self.check_entities(&mut problems);
        self.check_references(&mut problems);
        self.check_settings(&mut problems);
        self.check_mails(&mut problems);
        self.check_roles(&mut problems);
        self.check_templates(frontend, &mut problems);
        problems
    }

    fn check_names(&self, problems: &mut Vec<Problem>) {
        let names = self.contributions.iter().map(|contribution| (contribution.module, ""));
        let seen = unique(problems, "R001", names, |name, _, _| {
            format!("two modules are called \"{name}\": give one another name")
        });
        let seen: BTreeSet<&str> = seen.into_keys().collect();
        for name in self.settings.modules.keys().filter(|name| !seen.contains(name.as_str()) || *name == "core") {
            let near = did_you_mean(name, seen.iter().copied().filter(|seen| *seen != "core"));
            let hint = near.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
            problems.push(Problem { code: "R002", message: format!("modules.{name}: there is no such module{hint}") });
        }
        for section in self.sections() {
            let own = section.module().and_then(|module| self.settings.modules.get(module)).map(|module| &module.own);
            let errors = own.and_then(|own| (section.values)(own).err()).unwrap_or_default();
            problems.extend(
                errors.into_iter().map(|error| Problem { code: "R003", message: format!("{}.{error}", section.path) }),
            );
        }
    }

    /// Checks that every section of the settings file, and every fact of the site, belongs to one module or to core.
    fn check_owners(&self, problems: &mut Vec<Problem>) {
        const SECTION: &str = "section of settings";
        const FACT: &str = "fact of the site";
        let core = serde_json::to_value(Settings::default()).unwrap_or_default();
        let sections = core.as_object().into_iter().flat_map(Map::keys).map(|name| (SECTION, name.clone()));
        let facts = fact_names().into_iter().map(|name| (FACT, name));
        let of_core = sections.chain(facts).map(|owned| (owned, "core"));
        let of_modules = self.contributions.iter().flat_map(|contribution| {
            let sections = contribution.sections.iter().filter(|section| section.module().is_none());
            let sections = sections.map(|section| (SECTION, section.path.clone()));
            let facts = contribution.site.facts.iter().flat_map(AddedFacts::names).map(|name| (FACT, name));
            sections.chain(facts).map(move |owned| (owned, contribution.module))
        });
        unique(problems, "R014", of_core.chain(of_modules), |(kind, name), first, second| {
            format!("{first} and {second} both have the {kind} {name}")
        });
    }

    fn check_paths(&self, problems: &mut Vec<Problem>) {
        let paths = self.contributions.iter().flat_map(|c| {
            let endpoints = c.site.endpoints.iter().map(|it| ("API", &it.path));
            let posts = c.site.posts.iter().map(|it| ("POST", &it.path));
            let pages = c.site.pages.iter().map(|it| ("page", &it.path));
            let documents = c.site.documents.iter().map(|it| ("page", &it.path));
            let kind = |screen: &Screen| if screen.method == Method::Get { "screen" } else { "screen POST" };
            let screens = c.back_office.screens.iter().map(move |it| (kind(it), &it.path));
            let all = endpoints.chain(posts).chain(pages).chain(documents).chain(screens);
            all.map(move |(kind, path)| ((kind, path.for_openapi()), c.module))
        });
        unique(problems, "R004", paths, |(kind, path), first, second| {
            format!("{first} and {second} both register the {kind} path {path}")
        });
        for contribution in &self.contributions {
            let dependencies = contribution.site.dependencies.iter().map(|(path, _)| path);
            for path in dependencies.chain(contribution.site.json_ld.iter().map(|(path, _)| path)) {
                let is_known =
                    self.contributions.iter().flat_map(|c| &c.site.pages).any(|page| page.path == Pattern::new(path));
                if !is_known {
                    problems.push(Problem {
                        code: "R005",
                        message: format!("{} adds to the page {path}, which nobody registers", contribution.module),
                    });
                }
            }
        }
    }

    fn check_migrations(&self, problems: &mut Vec<Problem>) {
        let migrations = self.all_migrations();
        let versions = migrations.iter().map(|migration| (migration.version, migration.module));
        unique(problems, "R006", versions, |version, first, second| {
            format!("{first} and {second} both have a migration {version}")
        });
    }

    fn check_entities(&self, problems: &mut Vec<Problem>) {
        let entities =
            || self.contributions.iter().flat_map(|c| c.entities.iter().map(move |entity| (entity, c.module)));
        let tables = entities().map(|(entity, module)| (entity.table, module));
        unique(problems, "R007", tables, |table, first, second| {
            format!("{first} and {second} both register the entity {table}")
        });
        for (entity, _) in entities() {
            for key in entity.key.iter().filter(|key| entity.field(key).is_none()) {
                let message = format!("the key of {} names \"{key}\", which is no field of it", entity.table);
                problems.push(Problem { code: "R008", message });
            }
        }
    }

    /// Checks that the entities and fields that modules refer to exist. A module describes the rows of another one
    /// itself, with the fields that it reads ([`Kind::Reference`]).
    fn check_references(&self, problems: &mut Vec<Problem>) {
        for contribution in self.enabled() {
            let mut seen = BTreeSet::new();
            let mut targets: Vec<&Entity> = contribution.entities.iter().flat_map(|it| references(it)).collect();
            while let Some(target) = targets.pop() {
                if !seen.insert(target.table) {
                    continue;
                }
                targets.extend(references(target));
                problems.extend(self.reference_problem(contribution.module, target));
            }
        }
    }

    fn reference_problem(&self, module: &str, target: &Entity) -> Option<Problem> {
        let owner = self.contributions.iter().find_map(|it| Some((it, it.columns_of(target.table)?)));
        let message = match owner {
            None => format!("{module} refers to {}, which no module registers", target.plural),
            Some((owner, _)) if !owner.enabled => format!(
                "modules.{module}: it refers to {}, and the module {other} is switched off; switch {other} on, or \
                 {module} off too: [modules.{module}] enabled = false",
                target.plural,
                other = owner.module
            ),
            Some((_, columns)) => {
                let is_missing = |field: &&Field| field.name != ID && !columns.contains(&field.name);
                let missing = target.fields.iter().find(is_missing)?;
                format!("{module} reads \"{}\" of {}, which have no such field", missing.name, target.plural)
            }
        };
        Some(Problem { code: "R010", message })
    }

    fn check_settings(&self, problems: &mut Vec<Problem>) {
        let groups = self.contributions.iter().flat_map(|contribution| contribution.back_office.all_settings());
        let paths = groups.flat_map(|group| group.items).map(|item| (item.path(), ""));
        unique(problems, "R009", paths, |path, _, _| format!("two groups of settings both have {path}"));
    }

    /// Checks the original texts of mails by the rules for those that organisers write.
    fn check_mails(&self, problems: &mut Vec<Problem>) {
        for template in self.contributions.iter().flat_map(|c| &c.back_office.mails).map(|mail| mail.template) {
            for wrong in template.check(&template.original()) {
                let message = format!("the {} of the mail {}: {}", wrong.field, template.key, wrong.message);
                problems.push(Problem { code: "R011", message });
            }
        }
    }

    /// Checks that no two roles have the same key.
    fn check_roles(&self, problems: &mut Vec<Problem>) {
        let keys = self.roles().into_iter().map(|role| (role.key, ""));
        unique(problems, "R013", keys, |key, _, _| {
            format!("two roles of accounts have the key \"{key}\": give one another key")
        });
    }

    fn check_templates(&self, frontend: FrontendFiles, problems: &mut Vec<Problem>) {
        let of_core = core_templates(frontend).into_iter().map(|name| (name, "core"));
        let of_modules = self.contributions.iter().flat_map(|contribution| &contribution.back_office.templates);
        let of_modules = of_modules.map(|ModuleTemplate { module, name, .. }| ((*name).to_owned(), *module));
        unique(problems, "R012", of_core.chain(of_modules), |name, first, second| {
            format!(
                "{first} and {second} both have a template of the back office called \"{name}\": give one another name"
            )
        });
    }
}

impl Contribution {
    /// The names of the fields of `table` if rows of this module are in it.
    fn columns_of(&self, table: &str) -> Option<Vec<&'static str>> {
        let entity = self.entities.iter().find(|entity| entity.table == table);
        let fields = entity.map(|entity| entity.fields.iter().map(|field| field.name).collect());
        fields.or_else(|| Some(self.referable.iter().find(|(name, _)| *name == table)?.1.clone()))
    }
}

/// Adds a problem for each thing that was there before, with a message about it, the module that has it first and the
/// other one. Returns the modules of all things.
fn unique<T: Clone + Ord>(
    problems: &mut Vec<Problem>,
    code: &'static str,
    things: impl Iterator<Item = (T, &'static str)>,
    message: impl Fn(&T, &str, &str) -> String,
) -> BTreeMap<T, &'static str> {
    let mut seen = BTreeMap::new();
    for (thing, module) in things {
        if let Some(first) = seen.insert(thing.clone(), module) {
            problems.push(Problem { code, message: message(&thing, first, module) });
        }
    }
    seen
}

/// The entities that the rows of `entity` refer to.
fn references(entity: &Entity) -> impl Iterator<Item = &'static Entity> {
    entity.fields.iter().filter_map(|field| match field.kind {
        Kind::Reference(target) => Some(target),
        _ => None,
    })
}
