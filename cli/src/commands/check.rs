//! `festival check`

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};
use festival_core::admin::Role;
use festival_core::admin::account::{self, Account};
use festival_core::command::Outcome;
use festival_core::settings::{SEEDED, Scanner, Settings};
use festival_core::{App, Result, db, downloads, identity, scanner, secrets, seed, stored_files};

use super::ready;
use crate::{Setup, embedded};

/// The pages that should link to the rules of their award.
const FILM_FORMS: &[&str] = &["/form-asian", "/form-indian", "/form-malayalam"];

pub(super) fn clap() -> Command {
    Command::new("check")
        .about("Look for mistakes in settings, modules and database")
        .arg(
            Arg::new("deploy")
                .long("deploy")
                .action(ArgAction::SetTrue)
                .help("Also what must be set before the site is shown to the public"),
        )
        .arg(
            Arg::new("ready")
                .long("ready")
                .action(ArgAction::SetTrue)
                .conflicts_with("deploy")
                .help("Instead, ask the running server whether it can work (exit code 0)"),
        )
}

pub(super) async fn run(setup: Setup, arguments: &ArgMatches) -> Result<Outcome> {
    if arguments.get_flag("ready") {
        return ready::run(&setup.figment).await;
    }
    let is_deploy = arguments.get_flag("deploy");
    let mut found: Vec<String> =
        setup.registry.check().iter().map(|problem| format!("{}: {}", problem.code, problem.message)).collect();
    let is_sound = found.is_empty();
    if is_deploy {
        found.extend(deploy(&setup));
        found.extend(virus_scanner(&setup.settings.uploads.scanner).await);
    }
    let mut wishes = Vec::new();
    if is_sound {
        let app = setup.open().await?;
        let open = db::pending(&app.db, &app.registry.all_migrations()).await?;
        found.extend(open.first().map(|m| {
            format!("D001: the database is not up to date, {}_{} is pending; run festival migrate", m.version, m.name)
        }));
        if open.is_empty() {
            let verified = identity::verify(&app.db, &app.media).await;
            found.extend(verified.err().map(|error| format!("D002: {error}")));
            let columns = secrets::inspect(&app, &app.secrets).await?;
            found.extend(secrets::undecryptable(&app.secrets, &columns).iter().map(|words| format!("D003: {words}")));
            found.extend(unencrypted(&columns));
            found.extend(stored_files::compare(&app).await?);
        }
        if is_deploy && open.is_empty() {
            found.extend(public(&*app.in_force().await?));
            found.extend(owner(&app).await?);
            found.extend(demonstration(&app).await?);
            wishes = downloads::wishes(&app, FILM_FORMS).await?;
        }
        app.db.close().await;
    }
    for line in &found {
        println!("{line}");
    }
    for line in &wishes {
        eprintln!("{line}");
    }
    if found.is_empty() {
        eprintln!("Nothing to mend.");
        return Ok(Outcome::Done);
    }
    Ok(Outcome::Failed)
}

fn sentences(checks: impl IntoIterator<Item = (bool, &'static str)>) -> Vec<String> {
    checks.into_iter().filter(|(wrong, _)| *wrong).map(|(_, words)| words.to_owned()).collect()
}

/// What the next start, or "festival migrate", encrypts.
fn unencrypted(columns: &[secrets::Column]) -> Vec<String> {
    let plain = columns.iter().filter(|(_, found)| found.plain > 0);
    let sentence = |(column, found): &secrets::Column| {
        format!("D004: {} {} are not encrypted; run festival migrate", found.plain, column.what)
    };
    plain.map(sentence).collect()
}

/// What a public site must not leave at its default, in the file.
fn deploy(setup: &Setup) -> Vec<String> {
    let settings = &setup.settings;
    let mut found = sentences([
        (!settings.is_https(), "P001: public_url must be the site's https:// address"),
        (settings.mail.host.is_empty(), "P004: mail.host is empty; mails are written to a folder and reach nobody"),
        (
            settings.public_url.is_empty() && settings.allowed_hosts.is_empty(),
            "P005: neither public_url nor allowed_hosts names a host; only this machine is answered",
        ),
        (
            settings.trusted_proxies.is_empty(),
            "P006: trusted_proxies is empty; all visitors behind the proxy with TLS count as one, and http is not sent to https",
        ),
        (cfg!(debug_assertions), "P007: this is a development build; make one for a server with \"make build\""),
        (
            !settings.analytics.frame.is_empty() && !is_framed(settings),
            "P008: the host of analytics.frame is not in frontend.frame_hosts; browsers will not show it",
        ),
    ]);
    found.extend(readable(&settings.data_dir));
    found.extend(
        writable(&settings.data_dir).err().map(|error| {
            format!("P009: nothing can be written into data_dir {}: {error}", settings.data_dir.display())
        }),
    );
    found
}

/// The virus scanner must answer, where there is one.
async fn virus_scanner(settings: &Scanner) -> Option<String> {
    if settings.address.is_empty() {
        return None;
    }
    let error = scanner::ping(settings).await.err()?;
    Some(format!("P017: the virus scanner at {} does not answer: {error}", settings.address))
}

/// What a public site must not leave at its default, in the file or in the browser.
fn public(settings: &Settings) -> Vec<String> {
    let (bank, upi) = (&settings.payment.bank, &settings.payment.upi);
    let is_example = |text: &str| text.to_lowercase().contains("example");
    let payment = [
        ("bank.account_name", is_example(&bank.account_name)),
        ("bank.account_number", !bank.account_number.is_empty() && bank.account_number.chars().all(|c| c == '0')),
        ("bank.bank", is_example(&bank.bank)),
        ("bank.branch", is_example(&bank.branch)),
        ("bank.ifsc", bank.ifsc.starts_with("EXMP")),
        ("upi.id", is_example(&upi.id)),
        ("upi.payee", is_example(&upi.payee)),
    ];
    let payment: Vec<&str> = payment.into_iter().filter_map(|(name, wrong)| wrong.then_some(name)).collect();
    let mut found = sentences([
        (
            settings.module_enabled("forms") && (bank.account_number.is_empty() || upi.id.is_empty()),
            "P002: the forms ask for fees, but payment.bank or payment.upi is empty",
        ),
        (settings.contact.email.is_empty(), "P003: contact.email is empty; visitors cannot reach the organisers"),
        (
            settings.contact.email.ends_with(".example"),
            "P012: contact.email is that of the demonstration; set your own at /admin/settings/contact",
        ),
    ]);
    if !payment.is_empty() {
        let names = payment.join(", ");
        found.push(format!(
            "P011: payment details of a demonstration: {names}; set your own at /admin/settings/payment"
        ));
    }
    found
}

/// What is left of the demonstration, each by its name.
async fn demonstration(app: &App) -> Result<Vec<String>> {
    let Some(seed) = embedded::demonstration() else { return Ok(Vec::new()) };
    let left = seed::find_remains(&app.records, &*app.in_force().await?, &seed).await?;
    let mut found = Vec::new();
    if !left.settings.is_empty() {
        found.push(format!(
            "P013: settings of the demonstration: {}; set your own, or remove {SEEDED} from the data directory",
            left.settings.join(", ")
        ));
    }
    found.extend(
        left.rows
            .iter()
            .map(|(kind, names)| format!("P014: {kind} of the demonstration: \"{}\"", names.join("\", \""))),
    );
    found.extend(
        left.mentions
            .iter()
            .map(|(kind, names)| format!("P015: {kind} that name the demonstration: \"{}\"", names.join("\", \""))),
    );
    Ok(found)
}

/// Somebody must be able to manage accounts and settings.
async fn owner(app: &App) -> Result<Option<String>> {
    if !app.settings.admin.enabled {
        return Ok(None);
    }
    let accounts = account::list(&mut *app.db.read().await?).await?;
    let is_owner = |account: &Account| account.is_enabled() && account.role() == Role::Owner;
    let words = "P010: the back office has no owner; run festival admin create";
    Ok((!accounts.iter().any(is_owner)).then(|| words.to_owned()))
}

fn is_framed(settings: &Settings) -> bool {
    let frame = &settings.analytics.frame;
    let after_host = |host: &String| frame.strip_prefix(host.as_str());
    settings.frontend.frame_hosts.iter().filter_map(after_host).any(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether other accounts of this machine can read what is in `folder`: passwords' hashes, payment proofs, addresses.
#[cfg(unix)]
fn readable(folder: &Path) -> Option<String> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::metadata(folder).ok()?.permissions().mode();
    let folder = folder.display();
    (mode & 0o077 != 0)
        .then(|| format!("P016: other users of this machine can read data_dir {folder}; run: chmod 700 {folder}"))
}

#[cfg(not(unix))]
fn readable(_: &Path) -> Option<String> {
    None
}

/// Whether files can be made in `folder`, which is made where it is missing, as the server does.
fn writable(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let probe = folder.join(".check");
    std::fs::write(&probe, "")?;
    std::fs::remove_file(probe)
}
