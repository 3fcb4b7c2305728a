//! The command line. Data goes to standard output, messages to standard error. Exit codes: 0 done, 1 failed, 2 wrong
//! usage.

mod admin;
mod arguments;
mod backup;
mod check;
mod config;
mod editions;
mod freeze;
mod imports;
mod init;
mod mail;
mod media;
mod migrate;
mod modules;
mod privacy;
mod records;
mod restore;
mod secrets;
mod seed;
mod serve;
mod shell;
mod trash;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgMatches, Command};
use festival_core::command::Outcome;
use festival_core::settings::Settings;
use festival_core::{Error, Module, Program, Result};
use rocket::figment::Figment;

use self::arguments::group;
use crate::Setup;

/// Runs the program as if started in `directory` with these arguments, the first of which is the program's name.
pub async fn run_in(
    directory: &Path,
    modules: &[Box<dyn Module>],
    arguments: impl IntoIterator<Item = OsString>,
) -> ExitCode {
    let (setup, problem) = match Setup::load(directory, modules) {
        Ok(setup) => (setup, None),
        // Help needs no settings, and is wanted most where they are broken.
        Err(error) => (Setup::new(Settings::default(), Figment::new(), modules), Some(error)),
    };
    let matches = match program(&setup).try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) if problem.is_none() || !error.use_stderr() => {
            let _ = error.print(); // Help goes to standard output, errors to standard error.
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
        // A command that is unknown may be one of a module that the settings switch on.
        Err(_) => return problem.map_or(ExitCode::from(2), |problem| fail(&problem.to_string())),
    };
    if let Some(problem) = problem {
        return fail(&problem.to_string());
    }
    let outcome = match matches.subcommand() {
        Some(("init", arguments)) => init::run(directory, modules, arguments).await,
        _ => run(setup, directory, &matches).await,
    };
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::FAILURE,
        Ok(Outcome::Refused) => ExitCode::from(2),
        Err(error) => fail(&error.for_terminal()),
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::FAILURE
}

/// Returns the whole command line: the program's own commands, and a group for each module that has commands.
fn program(setup: &Setup) -> Command {
    let mut program = Command::new("festival")
        .about("The website and back office of a film festival: server and tools in one program")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([
            init::clap(),
            serve::clap(),
            migrate::clap(),
            seed::clap(),
            editions::clap(),
            check::clap(),
            modules::clap(),
            config::clap(),
        ])
        .subcommands([
            admin::clap(&setup.registry.roles()),
            mail::clap(),
            backup::clap(),
            restore::clap(),
            trash::clap(),
        ])
        .subcommands([media::clap(), privacy::clap(), secrets::clap(), records::clap(), imports::clap()])
        .subcommands([shell::completions(), shell::man()]);
    for contribution in setup.registry.enabled() {
        let about = format!("Commands of the module {}", contribution.module);
        let (groups, commands): (Vec<_>, Vec<_>) = contribution.commands.iter().partition(|command| command.is_group());
        if !commands.is_empty() {
            let commands = commands.into_iter().map(|command| command.clap());
            program = program.subcommand(group(contribution.module, about, commands));
        }
        program = program.subcommands(groups.into_iter().map(|command| command.clap()));
    }
    program
}

async fn run(setup: Setup, directory: &Path, matches: &ArgMatches) -> Result<Outcome> {
    match matches.subcommand() {
        Some(("serve", _)) => serve::run(setup).await,
        Some(("migrate", arguments)) => migrate::run(setup, arguments).await,
        Some(("seed", arguments)) => seed::run(setup, arguments).await,
        Some(("check", arguments)) => check::run(setup, arguments).await,
        Some(("modules", arguments)) => modules::run(&setup, arguments),
        Some(("config", arguments)) => config::run(setup, directory, arguments).await,
        Some(("backup", arguments)) => backup::run(setup, directory, arguments).await,
        Some(("restore", arguments)) => restore::run(setup, arguments).await,
        Some(("media", arguments)) => media::run(setup, arguments).await,
        Some(("completions", arguments)) => shell::print_completions(program(&setup), arguments),
        Some(("man", arguments)) => shell::write_manual(program(&setup), directory, arguments),
        Some((name, arguments)) => {
            let app = setup.open_migrated().await?;
            let outcome = run_on_site(&app, name, arguments).await;
            app.db.close().await;
            outcome
        }
        None => Err(Error::BadRequest("no command".into())),
    }
}

/// Runs a command of an open site.
async fn run_on_site(app: &Arc<Program>, name: &str, arguments: &ArgMatches) -> Result<Outcome> {
    match name {
        "editions" => editions::run(app, arguments).await,
        "admin" => admin::run(app, arguments).await,
        "mail" => mail::run(app, arguments).await,
        "privacy" => privacy::run(app, arguments).await,
        "secrets" => secrets::run(app, arguments).await,
        "records" => records::run(app, arguments).await,
        "imports" => imports::run(app, arguments).await,
        "trash" => trash::run(app, arguments).await,
        module => run_module_command(app, module, arguments).await,
    }
}

async fn run_module_command(app: &Arc<Program>, module: &str, arguments: &ArgMatches) -> Result<Outcome> {
    let mut commands = app.registry.enabled().flat_map(|contribution| contribution.commands.iter());
    if let Some(command) = commands.find(|command| command.is_group() && command.clap().get_name() == module) {
        return command.run(app.app.clone(), arguments).await;
    }
    let Some((name, arguments)) = arguments.subcommand() else {
        return Err(Error::BadRequest("no command".into()));
    };
    let command = modules::command(app, module, name);
    let command = command.ok_or_else(|| Error::NotFound(format!("there is no command {module} {name}")))?;
    command.run(app.app.clone(), arguments).await
}
