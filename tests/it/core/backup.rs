//! Backups and the way back, by the real program.

use std::path::{Path, PathBuf};

use festival_core::{backup, identity};

use crate::forms::sent::{Sent, patient, received};
use crate::support::{Copy, Database, Program, TestApp, festival};

on_both!(
    a_backup_comes_back_whole_and_sends_no_mail,
    a_restore_takes_an_empty_place_only,
    a_damaged_backup_restores_nothing,
    a_restore_that_was_killed_goes_on,
);

/// A site with a delegate, its backup, and the folder that this is in.
async fn backed_up(database: Database) -> (TestApp, tempfile::TempDir, PathBuf) {
    let site = TestApp::with(database, patient).await;
    received(&Sent::delegate().to(&site, "/api/delegate-form/").await);
    // Beside those that go out meanwhile.
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
    let kept = backup::create(&site.app, &folder.path().join("backups"), &[settings]).await.unwrap();
    (site, folder, kept)
}

/// An empty place for a site: a folder and a database.
struct Place {
    folder: tempfile::TempDir,
    database: Copy,
}

impl Place {
    async fn new(database: Database) -> Self {
        Self { folder: tempfile::tempdir().unwrap(), database: database.empty().await }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn run(&self, arguments: &[&str]) -> Program {
        let databases = format!("{{festival={{url=\"{}\"}}}}", self.database.url(&self.data()));
        festival(self.folder.path(), arguments, &[("ROCKET_DATABASES", &databases)])
    }

    fn restore(&self, backup: &Path) -> Program {
        self.run(&["restore", backup.to_str().unwrap()])
    }
}

async fn a_backup_comes_back_whole_and_sends_no_mail(database: Database) {
    let (site, folder, kept) = backed_up(database).await;
    let there: Vec<_> = std::fs::read_dir(folder.path().join("backups")).unwrap().flatten().collect();
    assert_eq!(there.len(), 2, "the backup and its lock; nothing half done stays: {there:?}");
    assert!(kept.join("settings/local.toml").exists());
    let place = Place::new(database).await;
    if database == Database::Sqlite {
        // What a database that died here left must not be played into the new one.
        std::fs::create_dir(place.data()).unwrap();
        std::fs::copy(site.app.data_dir("festival.db-wal"), place.data().join("festival.db-wal")).unwrap();
        std::fs::write(place.data().join("festival.db-shm"), "old").unwrap();
    }
    let restored = place.restore(&kept);
    assert_eq!(restored.code, 0, "{}", restored.whole());
    let held = restored.out.lines().find_map(|line| line.split_once(" mails are held back")?.0.parse::<usize>().ok());
    let held = held.unwrap_or_else(|| panic!("{}", restored.whole()));
    for key in site.texts("SELECT key FROM submission_files").await {
        let file = |media: PathBuf| std::fs::read(media.join("private").join(&key)).unwrap();
        assert_eq!(file(place.data().join("media")), file(site.app.data_dir("media")), "{key}");
    }
    let mails = place.run(&["mail", "list"]);
    assert_eq!(mails.out.matches("  held  ").count(), held, "{}", mails.whole());
    assert_eq!(place.run(&["check"]).code, 0);
    assert!(place.run(&["mail", "release"]).err.contains(&format!("{held} mails go out")));
    let checked = place.run(&["backup", "--check", kept.to_str().unwrap()]);
    assert_eq!(checked.code, 0, "{}", checked.whole());
    // Only the latest stay.
    let backups = folder.path().join("more");
    for _ in 0..3 {
        let made = place.run(&["backup", "--keep", "2", backups.to_str().unwrap()]);
        assert_eq!(made.code, 0, "{}", made.whole());
    }
    let there = std::fs::read_dir(&backups).unwrap().flatten().filter(|entry| entry.path().is_dir()).count();
    assert_eq!(there, 2);
}

async fn a_restore_takes_an_empty_place_only(database: Database) {
    let (_site, _folder, kept) = backed_up(database).await;
    let place = Place::new(database).await;
    assert_eq!(place.restore(&kept).code, 0);
    let again = place.restore(&kept);
    assert_eq!(again.code, 1, "{}", again.whole());
    assert!(again.err.contains("a backup can only be restored into an empty place"), "{}", again.whole());
    assert_eq!(place.run(&["check"]).code, 0, "what was there is as it was");
    // Files are gone, the database is there.
    std::fs::remove_dir_all(place.data().join("media")).unwrap();
    let again = place.restore(&kept);
    assert_eq!(again.code, 1, "{}", again.whole());
}

async fn a_damaged_backup_restores_nothing(database: Database) {
    let (site, _folder, kept) = backed_up(database).await;
    let key = site.texts("SELECT max(key) FROM submission_files").await.remove(0);
    let path = kept.join("media/private").join(&key);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[20] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let place = Place::new(database).await;
    let checked = place.run(&["backup", "--check", kept.to_str().unwrap()]);
    assert!(checked.code == 1 && checked.out.contains(&key), "{}", checked.whole());
    let restored = place.restore(&kept);
    assert!(
        restored.code == 1 && restored.err.contains("damaged") && restored.err.contains(&key),
        "{}",
        restored.whole()
    );
    assert!(!place.data().join("media/private").exists() && !place.data().join("festival.db").exists());
    std::fs::remove_file(path).unwrap();
    assert!(place.restore(&kept).err.contains("is missing"));
}

async fn a_restore_that_was_killed_goes_on(database: Database) {
    let (site, _folder, kept) = backed_up(database).await;
    let id = site.app.media.site_id().await.unwrap().unwrap();
    let key = site.texts("SELECT max(key) FROM submission_files").await.remove(0);
    let place = Place::new(database).await;
    // It had begun with the files.
    let media = place.data().join("media");
    let half = media.join("private").join(&key);
    std::fs::create_dir_all(half.parent().unwrap()).unwrap();
    std::fs::write(&half, "hal").unwrap();
    std::fs::write(media.join("restoring"), id).unwrap();
    assert_eq!(place.run(&["migrate"]).code, 0);
    let seeded = place.run(&["seed", "--demo"]);
    assert!(seeded.code == 1 && seeded.err.contains("a restore into"), "{}", seeded.whole());
    if database == Database::Postgres {
        // There the database comes in at once: one that is there is whole.
        return;
    }
    let restored = place.restore(&kept);
    assert_eq!(restored.code, 0, "{}", restored.whole());
    assert_eq!(std::fs::read(half).unwrap(), std::fs::read(kept.join("media/private").join(&key)).unwrap());
    assert_eq!(place.run(&["check"]).code, 0);
}
