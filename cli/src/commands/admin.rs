//! `festival admin`: manages the accounts of the back office from the server.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, IsTerminal as _};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use festival_core::admin::account::{self, Account, NewAccount};
use festival_core::admin::audit::{self, COMMAND_LINE, Entry};
use festival_core::admin::scope::{self, Scope};
use festival_core::admin::{Role, session, weakness};
use festival_core::command::{Outcome, flag, option, positional};
use festival_core::db::Write;
use festival_core::println;
use festival_core::{App, Error, Result, time_text};
use serde_json::json;

use super::arguments::{group, json_option, text};

/// `roles` are the roles that accounts can have.
pub(super) fn clap(roles: &[&'static Role]) -> Command {
    let keys: Vec<&str> = roles.iter().map(|role| role.key).collect();
    let limit_arg = |name| Arg::new(name).value_name("LIMIT").action(ArgAction::Append);
    let email = || positional("email", "EMAIL", "The address that the person signs in with");
    let from_stdin =
        || flag("password-stdin", "Read the password from the first line of standard input instead of asking for it");
    let create = Command::new("create")
        .about("Make an account")
        .arg(email())
        .arg(option("name", "NAME", "The person's name; else the address"))
        .arg(
            option("role", "ROLE", "What the person may do")
                .required(true)
                .value_parser(PossibleValuesParser::new(keys)),
        )
        .arg(limit_arg("limit").long("limit").help(
            "Show only this part of what people sent; can be given several times: edition=2025 section=asian,indian",
        ))
        .arg(from_stdin())
        .after_help("Example: festival admin create asha@example.org --name \"Asha Menon\" --role owner");
    let limit = Command::new("limit")
        .about("Limit an account to a part of what people sent; the person is signed out everywhere")
        .arg(email())
        .arg(
            limit_arg("limit")
                .num_args(0..)
                .help("The part, like edition=2025,2026 or section=asian; without any, everything"),
        )
        .after_help("Example: festival admin limit ravi@example.org section=malayalam edition=2025");
    let password = Command::new("password")
        .about("Set a new password; the person is signed out everywhere")
        .arg(email())
        .arg(from_stdin())
        .arg(flag("without-second-factor", "Also remove the second factor, for a person whose telephone is lost"))
        .after_help("Example: festival admin password asha@example.org");
    let list = Command::new("list")
        .about("List the accounts")
        .arg(json_option())
        .after_help("Example: festival admin list --json");
    let disable = Command::new("disable")
        .about("Disable an account; the person is signed out everywhere")
        .arg(email())
        .after_help("Example: festival admin disable ravi@example.org");
    let enable = Command::new("enable")
        .about("Enable an account again")
        .arg(email())
        .after_help("Example: festival admin enable ravi@example.org");
    group("admin", "The accounts of the back office", [create, password, limit, list, disable, enable])
}

pub(super) async fn run(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    match arguments.subcommand() {
        Some(("create", arguments)) => create(app, arguments).await,
        Some(("password", arguments)) => password(app, arguments).await,
        Some(("limit", arguments)) => limit(app, arguments).await,
        Some(("disable", arguments)) => set_disabled(app, arguments, true).await,
        Some(("enable", arguments)) => set_disabled(app, arguments, false).await,
        Some((_, arguments)) => list(app, arguments.get_flag("json")).await,
        None => Ok(Outcome::Refused),
    }
}

async fn create(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let email = text(arguments, "email");
    let name = Some(text(arguments, "name")).filter(|name| !name.is_empty()).unwrap_or(email);
    let new = NewAccount::parse(email, name, text(arguments, "role"), &app.admin.contents.roles)?;
    if account::find_by_email(&mut *app.db.read().await?, &new.email, &app.admin.contents.roles).await?.is_some() {
        return Err(Error::Conflict(format!("{} has an account; festival admin list shows all", new.email)));
    }
    let hash = ask_password(app, arguments, (&new.email, &new.name)).await?;
    let mut write = app.db.write_private().await?;
    let id = account::insert(&mut write, &new, Some(&hash), app.clock.now()).await?;
    let limits = parse_limits(arguments)?;
    let scope = scope::apply(&app.admin.contents.limits, &mut write, &Scope::default(), &limits).await?;
    account::set_scope(&mut write, id, &scope, app.clock.now()).await?;
    let after = json!({ "email": new.email, "name": new.name, "role": new.role.key, "scope": scope.text() });
    record(app, &mut write, Entry::new("add", "account").id(id).after(after)).await?;
    write.commit().await?;
    let limits = if scope.is_limited() { format!(", and sees {}", visible(&scope)) } else { String::new() };
    eprintln!("{} is {}{limits}. Sign in at /admin/.", new.email, new.role.noun);
    Ok(Outcome::Done)
}

async fn password(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let account = find_account(app, arguments).await?;
    let hash = ask_password(app, arguments, (&account.email, &account.name)).await?;
    let mut write = app.db.write_private().await?;
    account::set_password(&mut write, account.id, Some(&hash), app.clock.now()).await?;
    session::end_all(&mut write, account.id).await?;
    record(app, &mut write, Entry::new("change password", "account").id(account.id)).await?;
    if arguments.get_flag("without-second-factor") {
        account::remove_second_factor(&mut write, account.id, app.clock.now()).await?;
        record(app, &mut write, Entry::new("remove second factor", "account").id(account.id)).await?;
    }
    write.commit().await?;
    eprintln!("The password of {} is set, and every browser of the account is signed out.", account.email);
    Ok(Outcome::Done)
}

/// Parses arguments like "section=asian,indian" to values by key.
fn parse_limits(arguments: &ArgMatches) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let mut limits: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for argument in arguments.get_many::<String>("limit").into_iter().flatten() {
        let values =
            argument.split_once('=').map(|(key, values)| (key, values.split(',').filter(|value| !value.is_empty())));
        let Some((key, values)) = values else {
            return Err(Error::BadRequest(format!("{argument} is not a limit; write it like section=asian,indian")));
        };
        limits.entry(key.to_owned()).or_default().extend(values.map(str::to_owned));
    }
    match limits.iter().find(|(_, values)| values.is_empty()) {
        Some((key, _)) => {
            Err(Error::BadRequest(format!("{key}= has no value; leave it out if it should not limit anything")))
        }
        None => Ok(limits),
    }
}

async fn limit(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let account = find_account(app, arguments).await?;
    let before = account.scope();
    let mut write = app.db.write_private().await?;
    let limits = parse_limits(arguments)?;
    let scope = scope::apply(&app.admin.contents.limits, &mut write, &Scope::default(), &limits).await?;
    account::set_scope(&mut write, account.id, &scope, app.clock.now()).await?;
    session::end_all(&mut write, account.id).await?;
    let to_json = |scope: &Scope| json!({ "scope": scope.text() });
    let entry = Entry::new("change", "account").id(account.id).before(to_json(&before)).after(to_json(&scope));
    record(app, &mut write, entry).await?;
    write.commit().await?;
    eprintln!("{} sees {}.", account.email, visible(&scope));
    Ok(Outcome::Done)
}

/// Describes what an account with this scope sees.
fn visible(scope: &Scope) -> String {
    if scope.is_limited() { format!("only {}", scope.text()) } else { "everything that the role allows".to_owned() }
}

async fn set_disabled(app: &App, arguments: &ArgMatches, disabled: bool) -> Result<Outcome> {
    let account = find_account(app, arguments).await?;
    if account.is_enabled() != disabled {
        eprintln!("{} is {} already.", account.email, if disabled { "disabled" } else { "enabled" });
        return Ok(Outcome::Done);
    }
    let mut write = app.db.write_private().await?;
    account::set_disabled(&mut write, account.id, disabled, app.clock.now()).await?;
    if disabled {
        session::end_all(&mut write, account.id).await?;
    }
    let action = if disabled { "disable" } else { "enable" };
    record(app, &mut write, Entry::new(action, "account").id(account.id)).await?;
    write.commit().await?;
    eprintln!("{} is {}.", account.email, if disabled { "disabled and signed out everywhere" } else { "enabled" });
    Ok(Outcome::Done)
}

async fn record(app: &App, write: &mut Write, entry: Entry) -> Result<()> {
    audit::record(write, None, COMMAND_LINE, entry, app.clock.now()).await
}

/// Finds the account that the argument `email` names.
///
/// # Errors
/// [`Error::NotFound`] if there is none.
async fn find_account(app: &App, arguments: &ArgMatches) -> Result<Account> {
    let email = text(arguments, "email");
    let account = account::find_by_email(&mut *app.db.read().await?, email, &app.admin.contents.roles).await?;
    account.ok_or_else(|| Error::NotFound(format!("there is no account {email}; festival admin list shows all")))
}

/// Reads a new password and returns its hash.
///
/// # Errors
/// As [`read_password`].
async fn ask_password(app: &App, arguments: &ArgMatches, (email, name): (&str, &str)) -> Result<String> {
    let product = &app.settings.product;
    let password = read_password(arguments, &[email, name, &product.name, &product.full_name])?;
    app.admin.passwords.hash(&password).await
}

/// Reads a new password, once from standard input, or twice on a terminal, which asks again until it can be taken.
/// `guessable` are words that anybody would try.
///
/// # Errors
/// [`Error::BadRequest`] if the password from standard input is too weak, or there is no terminal.
pub(super) fn read_password(arguments: &ArgMatches, guessable: &[&str]) -> Result<String> {
    if arguments.get_flag("password-stdin") {
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line)?;
        let password = line.trim_end_matches(['\r', '\n']).to_owned();
        return weakness(&password, guessable).map_or(Ok(password), |problem| Err(Error::BadRequest(problem)));
    }
    if !std::io::stdin().is_terminal() {
        return Err(Error::BadRequest(
            "there is no terminal to ask for a password; give it with --password-stdin".into(),
        ));
    }
    loop {
        let password = rpassword::prompt_password("Password: ")?;
        if let Some(problem) = weakness(&password, guessable) {
            eprintln!("{problem}");
        } else if password == rpassword::prompt_password("Repeat the password: ")? {
            return Ok(password);
        } else {
            eprintln!("The two passwords are not the same.");
        }
    }
}

async fn list(app: &App, as_json: bool) -> Result<Outcome> {
    let accounts = account::list(&mut *app.db.read().await?, &app.admin.contents.roles).await?;
    if as_json {
        let row = |account: &Account| {
            json!({
                "email": account.email,
                "name": account.name,
                "role": account.role().key,
                "state": account.state(),
                "second_factor": account.has_second_factor(),
                "limits": account.scope().text(),
                "signed_in_at": account.signed_in_at,
            })
        };
        println!("{}", serde_json::Value::from(accounts.iter().map(row).collect::<Vec<_>>()));
        return Ok(Outcome::Done);
    }
    if accounts.is_empty() {
        eprintln!(
            "There is no account. Make one: festival admin create you@example.org --name \"Your Name\" --role owner"
        );
        return Ok(Outcome::Done);
    }
    print_line("email", "name", "role", "state", "second factor", "limits", "last signed in");
    for account in accounts {
        let signed_in = account.signed_in_at.as_deref().map(|at| time_text::with_offset(at, &app.time_zone));
        print_line(
            &account.email,
            &account.name,
            account.role().key,
            account.state(),
            if account.has_second_factor() { "on" } else { "off" },
            &Some(account.scope().text()).filter(|text| !text.is_empty()).unwrap_or_else(|| "none".to_owned()),
            signed_in.as_deref().unwrap_or("never"),
        );
    }
    Ok(Outcome::Done)
}

fn print_line(email: &str, name: &str, role: &str, state: &str, second_factor: &str, limits: &str, signed_in: &str) {
    println!("{email:<32}  {name:<24}  {role:<9}  {state:<8}  {second_factor:<13}  {limits:<20}  {signed_in}");
}
