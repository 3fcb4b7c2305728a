//! `festival editions freeze`: an edition as files for any web server.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Command, value_parser};
use festival_core::command::{Outcome, flag, positional};
use festival_core::export::PendingFile;
use festival_core::site::Archive;
use festival_core::{App, Error, Result, edition, freeze, println};

/// The rules that a web server needs in addition to the files: an include file for nginx, with comments for other
/// servers.
const RULES: &str = include_str!("../../../config/deploy/frozen.conf");

pub(super) fn clap() -> Command {
    Command::new("freeze")
        .about("Write an edition as files, with the addresses that it has on the site, for any web server")
        .arg(
            positional(
                "year",
                "YEAR",
                "The year of the current edition, which is written as the whole site, or of one in the archive",
            )
            .value_parser(value_parser!(i64).range(1900..=2200)),
        )
        .arg(
            positional("folder", "FOLDER", "A new or empty folder; beside it, FOLDER.conf gets the rules for nginx")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(flag("force", "Write into a folder that has files already, and replace those of the same names"))
        .after_help(
            "The files belong to the address in public_url. Forms are closed in them.\n\n\
             Example: festival editions freeze 2025 /srv/festival-2025",
        )
}

pub(super) async fn run(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let year = arguments.get_one::<i64>("year").copied().unwrap_or_default();
    let Some(folder) = arguments.get_one::<PathBuf>("folder") else { return Ok(Outcome::Refused) };
    let force = arguments.get_flag("force");
    let Some(root_url) = app.hosts.public_url().cloned() else {
        return Err(Error::BadRequest(
            "set public_url first, the address at which the files will be: pages, feeds and pictures name it".into(),
        ));
    };
    let archive = archive(app, year).await?;
    if !force && fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some()) {
        return Err(Error::Conflict(format!("{} has files already; use --force to write into it", folder.display())));
    }
    let mut write = |path: &str, content: &[u8]| write_file(&folder.join(path), content, force);
    let files = freeze::freeze(&app.site, archive, &root_url, &mut write).await?;
    let rules = PathBuf::from(format!("{}.conf", folder.display().to_string().trim_end_matches('/')));
    write_file(&rules, RULES.as_bytes(), force)?;
    println!("{files} files in {}", folder.display());
    eprintln!("They belong to {root_url}. The rules for the web server are in {}.", rules.display());
    Ok(Outcome::Done)
}

/// Where the edition of `year` is on the site: the current one at its root, past ones in the archive.
async fn archive(app: &App, year: i64) -> Result<Archive> {
    let mut connection = app.db.read().await?;
    if edition::current(&mut connection).await?.year == year {
        return Ok(Archive { year, path: String::new() });
    }
    match edition::find_archived(&mut connection, year).await? {
        Some(_) => Ok(Archive::of(year)),
        None => Err(Error::NotFound(format!(
            "{year} is not on the site; festival editions list shows all, festival editions archive {year} puts a past one there"
        ))),
    }
}

/// Writes a file that a web server of another user can read, in folders that it can read.
fn write_file(path: &Path, content: &[u8], force: bool) -> Result<()> {
    make_folder(path.parent().unwrap_or(Path::new("")))?;
    let mut file = PendingFile::create(path, force)?;
    std::io::Write::write_all(&mut file, content)?;
    file.commit()?;
    make_readable(path, 0o644)
}

/// Creates a folder and its parents; existing ones stay as they are.
fn make_folder(folder: &Path) -> Result<()> {
    if folder.as_os_str().is_empty() || folder.is_dir() {
        return Ok(());
    }
    make_folder(folder.parent().unwrap_or(Path::new("")))?;
    fs::create_dir(folder)?;
    make_readable(folder, 0o755)
}

fn make_readable(path: &Path, mode: u32) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(mode))?)
}
