//! Backup and restore, with the real program.

use std::path::{Path, PathBuf};

use festival_core::{backup, identity};

use crate::forms::requests::{FormRequest, assert_received, lift_limits};
use crate::support::{CommandOutput, Database, TestApp, TestDatabase, festival};

on_both!(
    restored_backup_is_complete_and_holds_its_mails,
    restore_requires_an_empty_target,
    damaged_backup_is_rejected,
    interrupted_restore_can_be_resumed,
);

/// A site with a registration, its backup, and the folder that contains both.
async fn backed_up(database: Database) -> (TestApp, tempfile::TempDir, PathBuf) {
    let site = TestApp::with(database, lift_limits).await;
    assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    // Mails that are not due, in addition to those that may be sent meanwhile.
    for _ in 0..2 {
        site.write(
            "INSERT INTO outbox (kind, to_name, to_address, subject, body_text, created_at, not_before, attempts) VALUES \
             ('film-receipt', 'Ravi', 'ravi@example.org', 'Hello', 'Hello', '2025-10-26T06:00:00.000Z', \
             '2099-01-01T00:00:00.000Z', 0)",
        )
        .await;
    }
    identity::verify(&site.app.db, &site.app.media).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("local.toml");
    std::fs::write(&settings, "time_zone = \"Asia/Kolkata\"\n").unwrap();
    let backup = backup::create(&site.app, &folder.path().join("backups"), &[settings]).await.unwrap();
    (site, folder, backup)
}

/// An empty target for a restore: a folder and a database.
struct Place {
    folder: tempfile::TempDir,
    database: TestDatabase,
}

impl Place {
    async fn new(database: Database) -> Self {
        Self { folder: tempfile::tempdir().unwrap(), database: database.empty().await }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn run(&self, arguments: &[&str]) -> CommandOutput {
        let databases = format!("{{festival={{url=\"{}\"}}}}", self.database.url(&self.data()));
        festival(self.folder.path(), arguments, &[("ROCKET_DATABASES", &databases)])
    }

    fn restore(&self, backup: &Path) -> CommandOutput {
        self.run(&["restore", backup.to_str().unwrap()])
    }
}

async fn restored_backup_is_complete_and_holds_its_mails(database: Database) {
    let (site, folder, backup) = backed_up(database).await;
    let entries: Vec<_> = std::fs::read_dir(folder.path().join("backups")).unwrap().flatten().collect();
    assert_eq!(entries.len(), 2, "only the backup and its lock: {entries:?}");
    assert!(backup.join("settings/local.toml").exists());
    let target = Place::new(database).await;
    if database == Database::Sqlite {
        // The write-ahead log of a crashed database must not be replayed into the restored one.
        std::fs::create_dir(target.data()).unwrap();
        std::fs::copy(site.app.data_dir("festival.db-wal"), target.data().join("festival.db-wal")).unwrap();
        std::fs::write(target.data().join("festival.db-shm"), "old").unwrap();
    }
    let restored = target.restore(&backup);
    assert_eq!(restored.code, 0, "{}", restored.transcript());
    let held = restored.out.lines().find_map(|line| line.split_once(" mails are held back")?.0.parse::<usize>().ok());
    let held = held.unwrap_or_else(|| panic!("{}", restored.transcript()));
    for key in site.texts("SELECT key FROM submission_files").await {
        let file = |media: PathBuf| std::fs::read(media.join("private").join(&key)).unwrap();
        assert_eq!(file(target.data().join("media")), file(site.app.data_dir("media")), "{key}");
    }
    let mails = target.run(&["mail", "list"]);
    assert_eq!(mails.out.matches("  held  ").count(), held, "{}", mails.transcript());
    assert_eq!(target.run(&["check"]).code, 0);
    assert!(target.run(&["mail", "release"]).err.contains(&format!("{held} mails go out")));
    let checked = target.run(&["backup", "--check", backup.to_str().unwrap()]);
    assert_eq!(checked.code, 0, "{}", checked.transcript());
    // Only the latest backups are kept.
    let backups = folder.path().join("more");
    for _ in 0..3 {
        let made = target.run(&["backup", "--keep", "2", backups.to_str().unwrap()]);
        assert_eq!(made.code, 0, "{}", made.transcript());
    }
    let entries = std::fs::read_dir(&backups).unwrap().flatten().filter(|entry| entry.path().is_dir()).count();
    assert_eq!(entries, 2);
}

async fn restore_requires_an_empty_target(database: Database) {
    let (_site, _folder, backup) = backed_up(database).await;
    let target = Place::new(database).await;
    // Naming the folder of all backups by mistake, or checking the empty target first, does not prevent a restore.
    let named = target.restore(backup.parent().unwrap());
    let sentence = format!("it holds backups, the newest is {}", backup.display());
    assert!(named.code == 1 && named.err.contains(&sentence), "{}", named.transcript());
    assert_eq!(target.run(&["check"]).code, 1);
    assert_eq!(target.restore(&backup).code, 0);
    let again = target.restore(&backup);
    assert_eq!(again.code, 1, "{}", again.transcript());
    assert!(again.err.contains("a backup can only be restored into an empty place"), "{}", again.transcript());
    assert_eq!(target.run(&["check"]).code, 0, "the existing site is unchanged");
    // Without files but with a database the target is not empty.
    std::fs::remove_dir_all(target.data().join("media")).unwrap();
    let again = target.restore(&backup);
    assert_eq!(again.code, 1, "{}", again.transcript());
}

#[tokio::test]
async fn postgres_backup_of_another_schema_is_rejected_before_anything_is_written() {
    let (_site, _folder, backup) = backed_up(Database::Postgres).await;
    let target = Place::new(Database::Postgres).await;
    let url = target.database.url(&target.data());
    let name = url.rsplit('/').next().unwrap().split('?').next().unwrap();
    let sql = format!("CREATE SCHEMA elsewhere; ALTER DATABASE \"{name}\" SET search_path = elsewhere");
    let psql = std::process::Command::new("psql").args([&url, "--quiet", "--command", &sql]).output().unwrap();
    assert!(psql.status.success(), "{}", String::from_utf8_lossy(&psql.stderr));
    let refused = target.restore(&backup);
    let sentence =
        "this backup is of the schema \"public\", and databases.festival.url leads to the schema \"elsewhere\"";
    assert!(refused.code == 1 && refused.err.contains(sentence), "{}", refused.transcript());
    assert!(!target.data().join("media/private").exists(), "no file is copied");
}

async fn damaged_backup_is_rejected(database: Database) {
    let (site, _folder, backup) = backed_up(database).await;
    let key = site.texts("SELECT max(key) FROM submission_files").await.remove(0);
    let path = backup.join("media/private").join(&key);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[20] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let target = Place::new(database).await;
    let checked = target.run(&["backup", "--check", backup.to_str().unwrap()]);
    assert!(checked.code == 1 && checked.out.contains(&key), "{}", checked.transcript());
    let restored = target.restore(&backup);
    assert!(
        restored.code == 1 && restored.err.contains("damaged") && restored.err.contains(&key),
        "{}",
        restored.transcript()
    );
    assert!(!target.data().join("media/private").exists() && !target.data().join("festival.db").exists());
    std::fs::remove_file(path).unwrap();
    assert!(target.restore(&backup).err.contains("is missing"));
}

async fn interrupted_restore_can_be_resumed(database: Database) {
    let (site, _folder, backup) = backed_up(database).await;
    let id = site.app.media.site_id().await.unwrap().unwrap();
    let key = site.texts("SELECT max(key) FROM submission_files").await.remove(0);
    let target = Place::new(database).await;
    // The restore was interrupted while copying files.
    let media = target.data().join("media");
    let half = media.join("private").join(&key);
    std::fs::create_dir_all(half.parent().unwrap()).unwrap();
    std::fs::write(&half, "hal").unwrap();
    std::fs::write(media.join("restoring"), id).unwrap();
    assert_eq!(target.run(&["migrate"]).code, 0);
    let seeded = target.run(&["seed", "--demo"]);
    assert!(seeded.code == 1 && seeded.err.contains("a restore into"), "{}", seeded.transcript());
    if database == Database::Postgres {
        // On Postgres the database is restored in one transaction: if it exists, it is complete.
        return;
    }
    let restored = target.restore(&backup);
    assert_eq!(restored.code, 0, "{}", restored.transcript());
    assert_eq!(std::fs::read(half).unwrap(), std::fs::read(backup.join("media/private").join(&key)).unwrap());
    assert_eq!(target.run(&["check"]).code, 0);
}
