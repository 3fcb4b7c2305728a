//! `festival modules`

use std::sync::Arc;

use clap::{ArgMatches, Command};
use festival_core::admin::Permission;
use festival_core::command::{self, Outcome, flag};
use festival_core::page::{DataDependency, QueryParameter};
use festival_core::println;
use festival_core::registry::Contribution;
use festival_core::{Program, Result};

use crate::Setup;

pub(super) fn clap() -> Command {
    Command::new("modules")
        .about("List the modules and whether they are on")
        .arg(flag("verbose", "Also list everything that each contributes").short('v'))
        .after_help("Example: festival modules --verbose")
}

pub(super) fn run(setup: &Setup, arguments: &ArgMatches) -> Result<Outcome> {
    let verbose = arguments.get_flag("verbose");
    for contribution in setup.registry.contributions() {
        if contribution.module == "core" && !verbose {
            continue;
        }
        println!("{:<12} {}", contribution.module, if contribution.enabled { "on" } else { "off" });
        if verbose {
            print_contents(contribution);
        }
    }
    Ok(Outcome::Done)
}

/// Finds a command of a module that is switched on.
pub(super) fn command<'a>(app: &'a Program, module: &str, name: &str) -> Option<&'a dyn command::Command> {
    let contributions = app.registry.enabled().filter(|contribution| contribution.module == module);
    let mut commands = contributions.flat_map(|contribution| contribution.commands.iter().map(Arc::as_ref));
    commands.find(|command| command.clap().get_name() == name)
}

fn print_contents(contribution: &Contribution) {
    for migration in &contribution.migrations {
        println!("  migration  {}_{}", migration.version, migration.name);
    }
    for entity in &contribution.entities {
        println!("  entity     {}, at /admin/{}", entity.table, entity.slug());
    }
    for endpoint in &contribution.site.endpoints {
        let query: Vec<&str> = endpoint.query.iter().map(|(name, ..)| *name).collect();
        let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
        println!("  GET        {}{query}", endpoint.path.for_openapi());
    }
    for post in &contribution.site.posts {
        println!("  POST       {}", post.path.for_openapi());
    }
    // The screens of an entity are the same for all of them.
    let is_of_entity = |path: &str| {
        contribution.entities.iter().any(|entity| {
            let home = format!("/admin/{}", entity.slug());
            path == home || path.strip_prefix(&home).is_some_and(|rest| rest.starts_with('/'))
        })
    };
    for screen in contribution.back_office.screens.iter().filter(|screen| !is_of_entity(&screen.path.for_openapi())) {
        let permission = match screen.permission {
            Permission::Public => "everybody".to_owned(),
            Permission::SignedIn => "signed in".to_owned(),
            Permission::To(resource, action) => format!("{}: {action:?}", resource.key).to_lowercase(),
        };
        println!("  screen     {:<4} {} ({permission})", screen.method, screen.path.for_openapi());
    }
    for mail in &contribution.back_office.mails {
        println!("  mail       {}: {}", mail.template.key, mail.template.name);
    }
    for (name, _) in &contribution.tasks {
        println!("  task       {name}");
    }
    for page in &contribution.site.pages {
        println!("  page       {}", page.path.for_openapi());
        page.dependencies.iter().for_each(|dependency| println!("    shows    {}", describe(dependency)));
        for QueryParameter { name, path, .. } in &page.reads {
            println!("    shows    {} of ?{name}=", path.for_openapi());
        }
    }
    for document in &contribution.site.documents {
        println!("  document   {}", document.path.for_openapi());
    }
    for (path, _) in &contribution.site.json_ld {
        println!("  on page {path} adds structured data");
    }
    for (path, dependency) in &contribution.site.dependencies {
        println!("  on page {path} shows {}", describe(dependency));
    }
    for command in &contribution.commands {
        let clap = command.clap();
        if command.is_group() {
            for below in clap.get_subcommands() {
                println!("  command    festival {} {}", clap.get_name(), below.get_name());
            }
        } else {
            println!("  command    festival {} {}", contribution.module, clap.get_name());
        }
    }
}

/// Describes which API response a page shows.
fn describe(dependency: &DataDependency) -> String {
    match dependency {
        DataDependency::One(path) => path.for_openapi(),
        DataDependency::Each { item, first, .. } => format!("{} (each, the first {first})", item.for_openapi()),
    }
}
