//! A database and a media folder belong to one site: tested with the real program.

use crate::support::{CommandOutput, Server, festival};

const OTHER: (&str, &str) = ("ROCKET_DATABASES", "{festival={url=\"sqlite://data/other.db\"}}");

fn seeded_folder() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let seeded = festival(directory.path(), &["seed", "--demo"], &[]);
    assert_eq!(seeded.code, 0, "{}", seeded.transcript());
    directory
}

fn assert_refused(program: &CommandOutput, words: &str) {
    assert!(program.code == 1 && program.err.contains(words), "{words}: {}", program.transcript());
}

#[test]
fn database_of_another_site_is_rejected() {
    let directory = seeded_folder();
    let run = |arguments: &[&str], environment: &[(&str, &str)]| festival(directory.path(), arguments, environment);
    // A new database, by mistake.
    assert_refused(&run(&["serve"], &[OTHER]), "the database is new");
    assert_refused(&run(&["seed", "--demo"], &[OTHER]), "the database is new");
    let checked = run(&["check"], &[OTHER]);
    assert!(checked.code == 1 && checked.out.contains("D002: the database is new"), "{}", checked.transcript());
    // The database of another site.
    let media = directory.path().join("data/media");
    std::fs::rename(&media, directory.path().join("data/ours")).unwrap();
    assert_refused(&run(&["serve"], &[]), "put the files back");
    assert_eq!(run(&["seed", "--demo"], &[OTHER]).code, 0);
    assert_refused(&run(&["serve"], &[]), "the files in data/media are of another");
    // The files are back.
    std::fs::remove_dir_all(&media).unwrap();
    std::fs::rename(directory.path().join("data/ours"), &media).unwrap();
    assert_eq!(run(&["check"], &[]).code, 0);
}

#[test]
fn server_without_its_files_is_not_ready() {
    let directory = seeded_folder();
    let server = Server::start(directory.path(), &[]);
    assert_eq!(server.get("/readyz").status, 200);
    std::fs::rename(directory.path().join("data/media"), directory.path().join("data/away")).unwrap();
    // Readiness is cached for a second.
    let began = std::time::Instant::now();
    while server.get("/readyz").status != 503 {
        assert!(began.elapsed() < std::time::Duration::from_secs(60), "it still says that it is ready");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn second_server_on_a_sqlite_folder_is_refused() {
    let directory = seeded_folder();
    let mut server = Server::start(directory.path(), &[]);
    assert_refused(&festival(directory.path(), &["serve"], &[("ROCKET_PORT", "0")]), "another server uses data");
    server.terminate();
    assert_eq!(server.wait_for_exit(std::time::Duration::from_secs(20)), Some(0));
    drop(Server::start(directory.path(), &[]));
}

#[cfg(unix)]
#[test]
fn data_files_are_accessible_to_their_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = seeded_folder();
    let mode = |path: &str| std::fs::metadata(directory.path().join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("data"), mode("data/festival.db"), mode("data/media/public")), (0o700, 0o600, 0o700));
    let deploy = || festival(directory.path(), &["check", "--deploy"], &[]).out;
    assert!(!deploy().contains("P016"));
    std::fs::set_permissions(directory.path().join("data"), std::fs::Permissions::from_mode(0o755)).unwrap();
    assert!(deploy().contains("P016: other users of this machine can read data_dir data; run: chmod 700 data"));
}
