//! `festival init`: a new site in an empty folder: settings, first edition, first account.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{IsTerminal as _, Write as _};
use std::path::Path;

use clap::{ArgMatches, Command};
use festival_core::admin::OWNER;
use festival_core::admin::account::{self, NewAccount};
use festival_core::admin::audit::{self, COMMAND_LINE, Entry};
use festival_core::command::{Outcome, flag, option};
use festival_core::editing::Editor;
use festival_core::edition::{self, EDITION};
use festival_core::settings::{self, Settings};
use festival_core::{App, Error, Module, Registry, Result, next_edition};
use serde_json::json;

use super::admin;
use crate::Setup;

/// Where the settings of this site go.
const SETTINGS: &str = "config/local.toml";

/// A question that `init` asks.
struct Question {
    /// Name of the option that answers it.
    name: &'static str,
    /// The question on a terminal, and the help of the option.
    text: &'static str,
    example: &'static str,
    /// Whether it may stay unanswered.
    is_optional: bool,
}

const fn question(name: &'static str, text: &'static str, example: &'static str) -> Question {
    Question { name, text, example, is_optional: false }
}

const QUESTIONS: [Question; 10] = [
    question("name", "The festival's name in full", "Festival of Waters"),
    Question {
        is_optional: true,
        ..question("address", "The site's address, as visitors type it", "https://festival.example")
    },
    Question {
        is_optional: true,
        ..question("proxy", "The address of the proxy before it, as this machine sees it", "127.0.0.1")
    },
    question("office", "The office's e-mail address", "office@festival.example"),
    question("year", "The year of the first edition", "2026"),
    question("number", "Its number: 1 for the first", "20"),
    question("first-day", "Its first day", "2026-10-23"),
    question("last-day", "Its last day", "2026-10-30"),
    question("owner", "Your name", "Asha Menon"),
    question("email", "Your e-mail address, to sign in with", "asha@festival.example"),
];

type Answers = BTreeMap<&'static str, String>;

pub(super) fn clap() -> Command {
    let answer =
        |question: &Question| option(question.name, "TEXT", format!("{}, like {}", question.text, question.example));
    Command::new("init")
        .about("Make a new site in this folder: settings, first edition, first account")
        .args(QUESTIONS.iter().map(answer))
        .arg(flag("password-stdin", "Read the password from the first line of standard input instead of asking for it"))
        .after_help(
            "On a terminal, it asks for what is not given.\n\n\
             Example: festival init --name \"Festival of Waters\" --address https://festival.example",
        )
}

pub(super) async fn run(directory: &Path, modules: &[Box<dyn Module>], arguments: &ArgMatches) -> Result<Outcome> {
    let path = directory.join(SETTINGS);
    if path.exists() {
        return Err(Error::Conflict(format!(
            "there is a site here already: {SETTINGS} exists. Nothing was changed. If \"festival init\" was interrupted, delete \
             that file and try again."
        )));
    }
    let answers = answers(arguments)?;
    let owner = NewAccount::parse(&answers["email"], &answers["owner"], OWNER.key, &[&OWNER]).map_err(of_option)?;
    let registry = Registry::collect(&Settings::default(), modules);
    let text = settings_text(&answers, &registry);
    settings::defaults_with(&text, &registry.sections()).map_err(|error| Error::BadRequest(error.to_string()))?;
    let password = admin::read_password(arguments, &[&owner.email, &owner.name, &answers["name"]])?;

    fs::create_dir_all(path.parent().unwrap_or(directory))?;
    fs::write(&path, text)?;
    let made = fill(directory, modules, &answers, &owner, &password).await;
    if made.is_err() {
        // The next try begins where this one did.
        fs::remove_file(&path)?;
    }
    made?;
    eprintln!(
        "{} is ready: {SETTINGS} has its settings, and every other setting is explained by: festival config show\n\
         Next: festival serve, and sign in at /admin/ as {}. Before the site is public: festival check --deploy",
        answers["name"], owner.email
    );
    Ok(Outcome::Done)
}

/// Returns the answers from the options; the others are asked for on the terminal.
fn answers(arguments: &ArgMatches) -> Result<Answers> {
    let is_terminal = std::io::stdin().is_terminal();
    let mut answers = Answers::new();
    let mut missing = Vec::new();
    for question in &QUESTIONS {
        let given = arguments.get_one::<String>(question.name).map(|text| text.trim().to_owned());
        let answer = match given {
            Some(answer) => answer,
            None if is_terminal => ask(question)?,
            None => String::new(),
        };
        if answer.is_empty() && !question.is_optional {
            missing.push(format!("--{} (like \"{}\")", question.name, question.example));
        }
        answers.insert(question.name, answer);
    }
    if missing.is_empty() {
        return Ok(answers);
    }
    Err(Error::BadRequest(format!("these are needed too, or a terminal to ask for them: {}", missing.join(", "))))
}

fn ask(question: &Question) -> Result<String> {
    let optional = if question.is_optional { "; empty: later" } else { "" };
    loop {
        eprint!("{} (like {}{optional}): ", question.text, question.example);
        std::io::stderr().flush()?;
        let mut line = String::new();
        let is_end = std::io::stdin().read_line(&mut line)? == 0;
        let answer = line.trim();
        if is_end || question.is_optional || !answer.is_empty() {
            return Ok(answer.to_owned());
        }
    }
}

fn settings_text(answers: &Answers, registry: &Registry) -> String {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let mut text =
        "# The settings of this site. \"festival config show\" prints all that there are, with their meaning.\n\n"
            .to_owned();
    if !answers["address"].is_empty() {
        let _ = writeln!(text, "public_url = {}\n", quoted(&answers["address"]));
    }
    let proxies: Vec<String> = answers["proxy"].split([',', ' ']).filter(|text| !text.is_empty()).map(quoted).collect();
    if !proxies.is_empty() {
        let _ = writeln!(text, "trusted_proxies = [{}]\n", proxies.join(", "));
    }
    let name = quoted(&answers["name"]);
    let _ = writeln!(text, "[product]\nname = {name}\nfull_name = {name}\n");
    let _ = writeln!(text, "[contact]\nemail = {}", quoted(&answers["office"]));
    for section in answers["number"].parse().map(|number| registry.new_site_settings(number)).unwrap_or_default() {
        let _ = write!(text, "\n{section}");
    }
    text
}

/// Creates the database with the first edition and the first account.
async fn fill(
    directory: &Path,
    modules: &[Box<dyn Module>],
    answers: &Answers,
    owner: &NewAccount,
    password: &str,
) -> Result<()> {
    let setup = Setup::load(directory, modules).map_err(|error| Error::BadRequest(error.to_string()))?;
    let app = setup.open_and_migrate().await?;
    let filled = insert(&app, answers, owner, password).await;
    app.db.close().await;
    filled
}

async fn insert(app: &App, answers: &Answers, owner: &NewAccount, password: &str) -> Result<()> {
    let hash = app.admin.passwords.hash(password).await?;
    let mut write = app.db.write().await?;
    if account::count(&mut write).await? > 0 || edition::find_current(&mut write).await?.is_some() {
        let folder = app.settings.data_dir.display();
        return Err(Error::Conflict(format!("the database of {folder} is filled already. Nothing was changed.")));
    }
    let values = [
        ("year", answers["year"].clone()),
        ("ordinal", answers["number"].clone()),
        ("name", format!("{} {}", answers["name"], answers["year"])),
        ("starts_on", answers["first-day"].clone()),
        ("ends_on", answers["last-day"].clone()),
    ];
    let values = values.map(|(name, value)| (name.to_owned(), value)).into();
    let editor = Editor::new(None, COMMAND_LINE);
    let first = next_edition::start(&app.records, &mut write, &values, None, &editor).await.map_err(of_option)?;
    edition::activate(&mut write, first.id).await?;
    let entry = Entry::new("start", EDITION.table).id(first.id).after(json!(values));
    audit::record(&mut write, None, COMMAND_LINE, entry, app.clock.now()).await?;
    let id = account::insert(&mut write, owner, Some(&hash), app.clock.now()).await?;
    let after = json!({ "email": owner.email, "name": owner.name, "role": owner.role.key });
    let entry = Entry::new("add", "account").id(id).after(after);
    audit::record(&mut write, None, COMMAND_LINE, entry, app.clock.now()).await?;
    write.commit().await
}

/// Names the options in place of the fields that they fill.
fn of_option(error: Error) -> Error {
    let Error::Invalid(errors) = error else { return error };
    let option = |field: &str| match field {
        "ordinal" => "number",
        "starts_on" => "first-day",
        "ends_on" => "last-day",
        "name" => "owner",
        "email" => "email",
        _ => "year",
    };
    let lines = errors.iter().map(|error| format!("--{}: {}", option(&error.field), error.message));
    Error::BadRequest(lines.collect::<Vec<_>>().join("\n"))
}
