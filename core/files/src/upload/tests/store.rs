//! Tests of the private store: committing, sweeping, locking, and an unavailable store.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, SystemTime};

use jiff::{SignedDuration, Timestamp};
use sha2::{Digest as _, Sha256};

use super::*;
use crate::media::{SweepLimit, Swept, TRASH_DAYS};

fn form() -> Vec<u8> {
    Form::default().file("poster", "a.png", picture(16, 16, ImageFormat::Png)).end()
}

#[tokio::test]
async fn committed_file_can_be_read_and_deleted() -> Result<()> {
    let store = Store::new();
    let mut received = store.receive(form()).await?;
    let staged = received.files.get_mut("poster").expect("a poster");
    let key = store.media.commit_private("film", staged).await?;
    assert!(store.media.commit_private("film", staged).await.is_err(), "a file is committed only once");
    let (size, sha256) = (staged.size, staged.sha256.clone());
    drop(received);
    let random = key.strip_prefix("film/").and_then(|key| key.strip_suffix(".png")).expect("a key");
    assert!(random.len() == 32 && random.bytes().all(|b| b.is_ascii_hexdigit()), "{key}");
    let file = store.media.open_private(&key).await?;
    let length = file.length();
    let bytes = file.read().await?;
    assert_eq!((length, bytes.len() as u64), (size, size));
    assert_eq!(data_encoding::HEXLOWER.encode(&Sha256::digest(&bytes)), sha256);
    for wrong in ["../private", "film", "film/../film", "film/x.png", "", ".x"] {
        let error = store.media.open_private(wrong).await.expect_err(wrong);
        assert_eq!(error.status().code, 404, "{wrong}");
    }
    assert_eq!(store.media.open_public(&key).await.expect_err("private").status().code, 404);
    store.media.delete_private(&key).await?;
    store.media.delete_private(&key).await?;
    assert!(store.files("").is_empty());
    Ok(())
}

#[cfg(unix)]
#[tokio::test]
async fn private_files_are_readable_by_their_owner_only() -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let store = Store::new();
    let mut received = store.receive(form()).await?;
    let key = store.media.commit_private("film", received.files.get_mut("poster").expect("a poster")).await?;
    let mode = |path: &str| fs::metadata(store.folder.path().join(path)).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(&format!("private/{key}")), 0o600);
    for folder in ["staging", "private", "private/film"] {
        assert_eq!(mode(folder), 0o700, "{folder}");
    }
    Ok(())
}

#[tokio::test]
async fn unavailable_store_is_a_503_and_recovers_without_restart() {
    let store = Store::new();
    let root = store.folder.path();
    let mut received = store.receive(form()).await.expect("a form");
    // A file in place of the folder: nothing can be created there, even by root.
    fs::write(root.join("private"), "").expect("written");
    let staged = received.files.get_mut("poster").expect("a poster");
    let error = store.media.commit_private("film", staged).await.expect_err("no folder");
    assert_eq!(error.status().code, 503);
    drop(received);
    assert!(store.files("staging").is_empty());
    fs::remove_dir_all(root.join("staging")).expect("removed");
    fs::write(root.join("staging"), "").expect("written");
    assert_eq!(status(&store.receive(form()).await), 503);
    fs::remove_file(root.join("staging")).expect("removed");
    fs::remove_file(root.join("private")).expect("removed");
    let mut received = store.receive(form()).await.expect("back without a restart");
    store.media.commit_private("film", received.files.get_mut("poster").expect("a poster")).await.expect("stored");
}

#[tokio::test]
async fn free_space_is_kept_on_the_disk() {
    let mut store = Store::new();
    store.settings.keep_free_mib = u64::MAX;
    let result = store.receive(form()).await;
    assert_eq!(status(&result), 507);
    assert!(result.err().and_then(|error| error.retry_after()).is_some());
    store.settings.keep_free_mib = 0;
    assert_eq!(status(&store.receive(form()).await), 200);
}

/// Commits `count` files and returns their keys.
async fn commit(store: &Store, count: usize) -> Result<Vec<String>> {
    let mut keys = Vec::new();
    for _ in 0..count {
        let mut received = store.receive(form()).await?;
        keys.push(store.media.commit_private("film", received.files.get_mut("poster").expect("a poster")).await?);
    }
    Ok(keys)
}

const NOW: Timestamp = Timestamp::constant(1_761_460_200, 0);

async fn sweep(store: &Store, referenced: &[String], before: SystemTime) -> Result<Swept> {
    store
        .media
        .sweep(&["film".into()], &referenced.iter().cloned().collect(), before, NOW, SweepLimit::Few { last_row: None })
        .await
}

#[tokio::test]
async fn unreferenced_files_go_to_the_trash_and_are_restored() -> Result<()> {
    let store = Store::new();
    let keys = commit(&store, 3).await?;
    fs::write(store.folder.path().join("staging/left-over"), "x")?;
    fs::create_dir(store.folder.path().join("private/imports"))?;
    fs::write(store.folder.path().join("private/imports/table"), "x")?;
    let young = sweep(&store, &keys[..1], SystemTime::now() - Duration::from_secs(60)).await?;
    assert_eq!(young, Swept::default(), "its row may not be committed yet");
    let swept = sweep(&store, &keys[..1], SystemTime::now()).await?;
    assert_eq!(swept, Swept { staged: 1, trashed: 2, ..Swept::default() });
    assert!(store.media.open_private(&keys[0]).await.is_ok() && store.media.open_private(&keys[1]).await.is_err());
    assert!(store.folder.path().join("private/imports/table").exists(), "other folders are not swept");
    let trash = store.media.trash().await?;
    assert_eq!((trash.len(), trash[0].since), (2, NOW));
    let copy = store.media.copy_from_trash(&keys[1], &store.folder.path().join("out")).await?;
    assert_eq!(fs::read(copy)?.len() as u64, trash.iter().find(|file| file.key == keys[1]).expect("there").size);
    assert!(store.media.copy_from_trash(&keys[0], store.folder.path()).await.is_err());

    // The right database is back: files are restored.
    let swept = sweep(&store, &keys, SystemTime::now()).await?;
    assert_eq!(swept, Swept { restored: 2, ..Swept::default() });
    assert!(store.media.open_private(&keys[1]).await.is_ok() && store.media.trash().await?.is_empty());
    store.media.delete_private(&keys[2]).await?;
    assert_eq!(sweep(&store, &keys, SystemTime::now()).await?.missing, 1);
    Ok(())
}

#[tokio::test]
async fn sweep_of_too_many_files_moves_none() -> Result<()> {
    let store = Store::new();
    let keys = commit(&store, 22).await?;
    let swept = sweep(&store, &keys[..1], SystemTime::now()).await?;
    assert_eq!(swept, Swept { refused: 21, ..Swept::default() });
    assert_eq!(store.media.last_sweep().refused, 21);
    assert!(store.media.open_private(&keys[21]).await.is_ok());
    let all =
        store.media.sweep(&["film".into()], &BTreeSet::new(), SystemTime::now(), NOW, SweepLimit::Unlimited).await?;
    assert_eq!(all.trashed, 22, "without a limit all files are moved");
    let later = NOW.checked_add(SignedDuration::from_hours(24 * TRASH_DAYS + 1)).expect("a time");
    store.media.sweep(&[], &BTreeSet::new(), SystemTime::now(), later, SweepLimit::Unlimited).await?;
    assert!(store.media.trash().await?.is_empty(), "the trash is emptied after its term");
    Ok(())
}

#[tokio::test]
async fn files_left_by_a_crash_are_swept_and_files_newer_than_an_old_database_are_not() -> Result<()> {
    let store = Store::new();
    commit(&store, 30).await?;
    let minutes = |count: u64| Duration::from_secs(60 * count);
    let sweep_with = async |last_row| {
        let limit = SweepLimit::Few { last_row: Some(last_row) };
        store.media.sweep(&["film".into()], &BTreeSet::new(), SystemTime::now(), NOW, limit).await
    };
    let now = SystemTime::now();
    for last_row in [now - minutes(3), now + minutes(30)] {
        assert_eq!(sweep_with(last_row).await?, Swept { refused: 30, ..Swept::default() });
    }
    assert_eq!(sweep_with(now).await?, Swept { trashed: 30, ..Swept::default() });
    Ok(())
}

#[tokio::test]
async fn lock_is_exclusive() -> Result<()> {
    let store = Store::new();
    assert!(store.media.lock(false).await? && store.media.started_alone());
    let other = Media::open(store.folder.path())?;
    assert!(!other.lock(false).await? && !other.started_alone());
    drop(store.media);
    assert!(other.lock(false).await?, "the first process has ended");
    Ok(())
}

#[tokio::test]
async fn shared_lock_shows_other_servers() -> Result<()> {
    let store = Store::new();
    assert!(store.media.lock(true).await? && store.media.started_alone());
    let second = Media::open(store.folder.path())?;
    assert!(!second.lock(true).await? && !second.started_alone());
    drop(store.media);
    let again = Media::open(store.folder.path())?;
    assert!(!again.lock(true).await?, "the second process still holds the lock");
    Ok(())
}

#[tokio::test]
async fn nothing_is_written_while_the_media_folder_is_unmounted() -> Result<()> {
    let store = Store::new();
    let (mounted, unmounted) = (store.folder.path().join("media"), store.folder.path().join("away"));
    let media = Media::open(&mounted)?;
    media.set_site_id("site").await?;
    media.check_writable().await?;
    fs::rename(&mounted, &unmounted)?;
    assert!(media.check_writable().await.is_err() && media.stage().await.is_err());
    assert!(
        media.put_public("posters", picture(4, 4, ImageFormat::Png)).await.is_err() && !mounted.exists(),
        "no folder is created in their place"
    );
    fs::rename(&unmounted, &mounted)?;
    media.stage().await?;
    Ok(())
}

#[tokio::test]
async fn concurrent_sweeps_move_each_file_once() -> Result<()> {
    let store = Store::new();
    commit(&store, 20).await?;
    let sweeps = futures::future::join_all((0..8).map(|_| sweep(&store, &[], SystemTime::now()))).await;
    let swept = sweeps.into_iter().map(|swept| Ok(swept?.trashed)).sum::<Result<u64>>()?;
    assert_eq!((swept, store.media.trash().await?.len()), (20, 20));
    Ok(())
}

/// `FESTIVAL_TEST_SMALL_DISK` names a folder on a disk of a few megabytes.
#[tokio::test]
async fn full_disk_is_a_507_and_leaves_no_file() {
    let Some(disk) = std::env::var_os("FESTIVAL_TEST_SMALL_DISK") else {
        println!("skipped: no small disk");
        return;
    };
    let folder = tempfile::tempdir_in(disk).expect("a folder");
    let media = Media::open(folder.path()).expect("a store");
    let store = Store { folder, media, settings: Uploads { at_once: 4, keep_free_mib: 0, ..Uploads::default() } };
    let fill = store.folder.path().join("fill");
    let free = store.media.free_bytes().await.expect("known");
    fs::write(&fill, vec![0; free as usize - 300_000]).expect("filled");
    let mut padded = picture(40, 30, ImageFormat::Jpeg);
    padded.resize(1 << 20, 0);
    let large = Form::default().file("poster", "a.jpg", &padded).end();
    assert_eq!(status(&store.receive(large.clone()).await), 507);
    assert!(store.files("staging").is_empty());
    // Space for the received file, but not for the cleaned one.
    let noise = image::RgbImage::from_raw(300, 200, Random(3).bytes(180_000)).expect("pixels");
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::from(noise).write_to(&mut bytes, ImageFormat::Png).expect("a picture");
    assert_eq!(status(&store.receive(Form::default().file("poster", "a.png", bytes.into_inner()).end()).await), 507);
    assert!(store.files("staging").is_empty());
    fs::remove_file(fill).expect("removed");
    assert_eq!(status(&store.receive(large).await), 200, "space again, without a restart");
}
