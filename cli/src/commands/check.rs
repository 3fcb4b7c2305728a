//! `festival check`: of a site, and of a running server for the health check of a container.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

use clap::{ArgMatches, Command};
use jiff::{SignedDuration, Timestamp};
use rocket::figment::Figment;

use crate::{Setup, embedded};
use festival_core::admin::account::{self, Account};
use festival_core::command::{Outcome, flag};
use festival_core::settings::{SEEDED, Scanner, Settings};
use festival_core::{
    App, Result, backup, blocking, db, downloads, identity, mail, println, scanner, secrets, seed, stored_files,
    time_text,
};

/// Age from which a backup is too old.
const MAX_BACKUP_AGE: SignedDuration = SignedDuration::from_hours(48);

pub(super) fn clap() -> Command {
    Command::new("check")
        .about("Check settings, modules and database for mistakes")
        .arg(flag("deploy", "Also check what must be set before the site goes public"))
        .arg(
            flag("ready", "Instead, ask the running server whether it can work (exit code 0)").conflicts_with("deploy"),
        )
        .after_help("Example: festival check --deploy")
}

pub(super) async fn run(setup: Setup, arguments: &ArgMatches) -> Result<Outcome> {
    if arguments.get_flag("ready") {
        return check_server(&setup.figment).await;
    }
    let is_deploy = arguments.get_flag("deploy");
    let mistakes = setup.registry.check(setup.frontend);
    let mut problems: Vec<String> =
        mistakes.iter().map(|problem| format!("{}: {}", problem.code, problem.message)).collect();
    // Opening a site would create its folder.
    let data_dir = &setup.settings.data_dir;
    if !data_dir.is_dir() {
        let folder = data_dir.display();
        problems
            .push(format!("D009: data_dir {folder} does not exist; \"festival init\" or the first start creates it"));
    }
    let can_open = problems.is_empty();
    if is_deploy {
        problems.extend(deploy(&setup));
        problems.extend(virus_scanner(&setup.settings.uploads.scanner).await);
        let mail = mail::probe::problems(&setup.settings).await;
        problems.extend(mail.iter().map(|problem| format!("P019: mails cannot be sent safely: {problem}")));
    }
    let mut warnings = Vec::new();
    if can_open {
        let app = setup.open().await?;
        let pending = db::pending(&app.db, &app.registry.all_migrations()).await?;
        problems.extend(pending.first().map(|m| {
            format!("D001: the database is not up to date, {}_{} is pending; run festival migrate", m.version, m.name)
        }));
        let usable = app.media.probe().await;
        problems.extend(
            usable.as_ref().err().map(|cause| format!("D008: {} cannot be used: {cause}", app.media.location())),
        );
        if pending.is_empty() {
            if usable.is_ok() {
                let verified = identity::verify(&app.db, &app.media).await;
                problems.extend(verified.err().map(|error| format!("D002: {error}")));
            }
            let columns = secrets::inspect(&app, &app.secrets).await?;
            problems.extend(
                secrets::undecryptable(&app.secrets, &columns).iter().map(|message| format!("D003: {message}")),
            );
            problems.extend(unencrypted(&columns));
            if usable.is_ok() {
                problems.extend(stored_files::compare(&app).await?);
            }
        }
        if is_deploy && pending.is_empty() {
            let in_force = app.in_force().await?;
            problems.extend(app.registry.deploy_problems(&in_force));
            problems.extend(
                in_force
                    .contact
                    .email
                    .is_empty()
                    .then(|| "P003: contact.email is empty; visitors cannot reach the organisers".to_owned()),
            );
            problems.extend(owner(&app).await?);
            problems.extend(demonstration(&app).await?);
            problems.extend(disk(&app).await?);
            warnings = downloads::warnings(&app).await?;
            warnings.extend(backups(&app).await?);
            warnings.extend(second_factors(&app).await?);
            warnings.extend(app.settings.s3.is_plain_http().then(|| {
                "s3.endpoint is http://: whoever is between this machine and the store can read what people sent"
                    .to_owned()
            }));
        }
        app.db.close().await;
    }
    for line in problems.iter().chain(&warnings) {
        println!("{line}");
    }
    if problems.is_empty() {
        eprintln!("No problems found.");
        return Ok(Outcome::Done);
    }
    Ok(Outcome::Failed)
}

/// Reports secrets that are not encrypted yet; the next start, or `festival migrate`, encrypts them.
fn unencrypted(columns: &[secrets::Column]) -> Vec<String> {
    let plain = columns.iter().filter(|(_, found)| found.plaintext > 0);
    let sentence = |(column, found): &secrets::Column| {
        format!("D004: {} {} are not encrypted; run festival migrate", found.plaintext, column.what)
    };
    plain.map(sentence).collect()
}

/// Checks the settings of the file for a public site.
fn deploy(setup: &Setup) -> Vec<String> {
    let settings = &setup.settings;
    let conditions = [
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
    ];
    let wrong = conditions.into_iter().filter(|(is_wrong, _)| *is_wrong);
    let mut problems: Vec<String> = wrong.map(|(_, message)| message.to_owned()).collect();
    problems.extend(readable(&settings.data_dir));
    let written = if settings.data_dir.is_dir() { writable(&settings.data_dir) } else { Ok(()) };
    problems.extend(
        written.err().map(|error| {
            format!("P009: nothing can be written into data_dir {}: {error}", settings.data_dir.display())
        }),
    );
    problems
}

/// Checks that the virus scanner responds, if one is configured.
async fn virus_scanner(settings: &Scanner) -> Option<String> {
    if settings.address.is_empty() {
        return None;
    }
    let error = scanner::ping(settings).await.err()?;
    Some(format!("P017: the virus scanner at {} does not answer: {error}", settings.address))
}

/// Lists what is left of the demonstration edition.
async fn demonstration(app: &App) -> Result<Vec<String>> {
    let Some(seed) = embedded::edition(embedded::DEMONSTRATION) else { return Ok(Vec::new()) };
    let left = seed::find_remains(&app.records, &*app.in_force().await?, &seed).await?;
    let mut problems = Vec::new();
    if !left.settings.is_empty() {
        problems.push(format!(
            "P013: settings of the demonstration: {}; set your own, or remove {SEEDED} from the data directory",
            left.settings.join(", ")
        ));
    }
    problems.extend(
        left.rows
            .iter()
            .map(|(kind, names)| format!("P014: {kind} of the demonstration: \"{}\"", names.join("\", \""))),
    );
    problems.extend(
        left.mentions
            .iter()
            .map(|(kind, names)| format!("P015: {kind} that name the demonstration: \"{}\"", names.join("\", \""))),
    );
    Ok(problems)
}

/// Checks that the back office has an owner, who can manage accounts and settings.
async fn owner(app: &App) -> Result<Option<String>> {
    if !app.settings.admin.enabled {
        return Ok(None);
    }
    let accounts = account::list(&mut *app.db.read().await?, &app.admin.contents.roles).await?;
    let is_owner = |account: &Account| account.is_enabled() && account.is_owner();
    let message = "P010: the back office has no owner; run festival admin create";
    Ok((!accounts.iter().any(is_owner)).then(|| message.to_owned()))
}

/// Checks that there is room for uploads.
async fn disk(app: &App) -> Result<Option<String>> {
    let (free, keep_free) = (app.media.free_bytes().await? >> 20, app.settings.uploads.keep_free_mib);
    let message = || {
        format!(
            "P018: {free} MiB are free on the disk of data_dir, less than uploads.keep_free_mib ({keep_free}); forms with \
             files are refused"
        )
    };
    Ok((free < keep_free).then(message))
}

/// Warns if there is no backup of the last two days.
async fn backups(app: &App) -> Result<Option<String>> {
    let last = backup::last(&mut *app.db.read().await?).await?;
    let now = app.clock.now();
    let is_recent = |at: &String| at.parse::<Timestamp>().is_ok_and(|at| now.duration_since(at) <= MAX_BACKUP_AGE);
    if last.as_ref().is_some_and(is_recent) {
        return Ok(None);
    }
    let when = last.map_or_else(
        || "there is no backup yet".to_owned(),
        |at| format!("the last backup was on {}", time_text::with_offset(&at, &app.time_zone)),
    );
    Ok(Some(format!("W003: {when}; run festival backup every night, into a folder on another disk")))
}

/// Warns of owners who sign in with a password alone.
async fn second_factors(app: &App) -> Result<Option<String>> {
    if !app.settings.admin.enabled {
        return Ok(None);
    }
    let accounts = account::list(&mut *app.db.read().await?, &app.admin.contents.roles).await?;
    let is_weak = |account: &&Account| account.is_enabled() && account.is_owner() && !account.has_second_factor();
    let owners: Vec<&str> = accounts.iter().filter(is_weak).map(|account| account.email.as_str()).collect();
    let message = || {
        format!(
            "W004: owners without a second factor: {}; they set it up at /admin/account/second-factor",
            owners.join(", ")
        )
    };
    Ok((!owners.is_empty()).then(message))
}

/// Whether browsers may show the analytics page in a frame.
fn is_framed(settings: &Settings) -> bool {
    let frame = &settings.analytics.frame;
    let after_host = |host: &String| frame.strip_prefix(host.as_str());
    settings.frontend.frame_hosts.iter().filter_map(after_host).any(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Checks that other accounts of this machine cannot read `folder`: it holds password hashes, payment proofs and
/// addresses.
fn readable(folder: &Path) -> Option<String> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::metadata(folder).ok()?.permissions().mode();
    let folder = folder.display();
    (mode & 0o077 != 0)
        .then(|| format!("P016: other users of this machine can read data_dir {folder}; run: chmod 700 {folder}"))
}

/// Checks that files can be created in `folder`.
fn writable(folder: &Path) -> std::io::Result<()> {
    let probe = folder.join(".check");
    std::fs::write(&probe, "")?;
    std::fs::remove_file(probe)
}

/// Timeout of the request. The server's own check of its database takes up to three seconds.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Requests `/readyz` from the server at the address and port of `figment`, on this machine.
async fn check_server(figment: &Figment) -> Result<Outcome> {
    let address = figment.extract_inner("address").unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let port = figment.extract_inner("port").unwrap_or(8000);
    let address = match address {
        IpAddr::V4(any) if any.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(any) if any.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        specific => specific,
    };
    let result = blocking(move || Ok(is_ready(SocketAddr::new(address, port)))).await?;
    Ok(match result {
        Ok(true) => Outcome::Done,
        Ok(false) => {
            eprintln!("The server at {address}:{port} is not ready; its log says why.");
            Outcome::Failed
        }
        Err(error) => {
            eprintln!("The server at {address}:{port} does not answer: {error}");
            Outcome::Failed
        }
    })
}

fn is_ready(address: SocketAddr) -> std::io::Result<bool> {
    let mut server = TcpStream::connect_timeout(&address, TIMEOUT)?;
    server.set_read_timeout(Some(TIMEOUT))?;
    server.write_all(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut response = Vec::new();
    server.take(1024).read_to_end(&mut response)?;
    Ok(response.starts_with(b"HTTP/1.1 200 "))
}
