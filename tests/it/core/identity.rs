//! Database and files of one site, and nobody else's: the real program.

use crate::support::{Program, Server, festival};

const OTHER: (&str, &str) = ("ROCKET_DATABASES", "{festival={url=\"sqlite://data/other.db\"}}");

fn begun() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let seeded = festival(directory.path(), &["seed", "--demo"], &[]);
    assert_eq!(seeded.code, 0, "{}", seeded.whole());
    directory
}

fn refused(program: &Program, words: &str) {
    assert!(program.code == 1 && program.err.contains(words), "{words}: {}", program.whole());
}

#[test]
fn a_database_that_is_not_the_files_own_is_refused() {
    let directory = begun();
    let run = |arguments: &[&str], environment: &[(&str, &str)]| festival(directory.path(), arguments, environment);
    // A new one, by mistake.
    refused(&run(&["serve"], &[OTHER]), "the database is new");
    refused(&run(&["seed", "--demo"], &[OTHER]), "the database is new");
    let checked = run(&["check"], &[OTHER]);
    assert!(checked.code == 1 && checked.out.contains("D002: the database is new"), "{}", checked.whole());
    // Another site's.
    let media = directory.path().join("data/media");
    std::fs::rename(&media, directory.path().join("data/ours")).unwrap();
    refused(&run(&["serve"], &[]), "put the files back");
    assert_eq!(run(&["seed", "--demo"], &[OTHER]).code, 0);
    refused(&run(&["serve"], &[]), "the files in data/media are of another");
    // The files are back.
    std::fs::remove_dir_all(&media).unwrap();
    std::fs::rename(directory.path().join("data/ours"), &media).unwrap();
    assert_eq!(run(&["check"], &[]).code, 0);
}

#[test]
fn a_server_whose_files_are_gone_is_not_ready() {
    let directory = begun();
    let server = Server::start(directory.path(), &[]);
    assert_eq!(server.get("/readyz").status, 200);
    std::fs::rename(directory.path().join("data/media"), directory.path().join("data/away")).unwrap();
    // What it said is true for a second.
    std::thread::sleep(std::time::Duration::from_millis(1200));
    assert_eq!(server.get("/readyz").status, 503);
}

#[test]
fn two_servers_do_not_share_a_folder_on_sqlite() {
    let directory = begun();
    let mut server = Server::start(directory.path(), &[]);
    refused(&festival(directory.path(), &["serve"], &[("ROCKET_PORT", "0")]), "another server uses data");
    server.terminate();
    assert_eq!(server.ended(std::time::Duration::from_secs(20)), Some(0));
    drop(Server::start(directory.path(), &[]));
}

#[cfg(unix)]
#[test]
fn what_the_program_writes_is_for_its_own_account() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = begun();
    let mode = |path: &str| std::fs::metadata(directory.path().join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("data"), mode("data/festival.db"), mode("data/media/public")), (0o700, 0o600, 0o700));
    let deploy = || festival(directory.path(), &["check", "--deploy"], &[]).out;
    assert!(!deploy().contains("P016"));
    std::fs::set_permissions(directory.path().join("data"), std::fs::Permissions::from_mode(0o755)).unwrap();
    assert!(deploy().contains("P016: other users of this machine can read data_dir data; run: chmod 700 data"));
}
