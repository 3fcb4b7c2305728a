//! The private store, and what happens when it is not there.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, SystemTime};

use jiff::{SignedDuration, Timestamp};
use sha2::{Digest as _, Sha256};
use tokio::io::AsyncReadExt as _;

use super::*;
use crate::media::{Swept, TRASH_DAYS, Take};

fn form() -> Vec<u8> {
    Form::default().file("poster", "a.png", picture(16, 16, ImageFormat::Png)).end()
}

#[tokio::test]
async fn what_is_kept_can_be_read_and_deleted() -> Result<()> {
    let store = Store::new();
    let mut received = store.receive(form()).await?;
    let staged = received.files.get_mut("poster").expect("a poster");
    let key = store.media.commit_private("film", staged).await?;
    assert!(store.media.commit_private("film", staged).await.is_err(), "kept once");
    let (size, sha256) = (staged.size, staged.sha256.clone());
    drop(received);
    let random = key.strip_prefix("film/").and_then(|key| key.strip_suffix(".png")).expect("a key");
    assert!(random.len() == 32 && random.bytes().all(|b| b.is_ascii_hexdigit()), "{key}");
    let (mut file, length) = store.media.open_private(&key).await?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).await?;
    assert_eq!((length, bytes.len() as u64), (size, size));
    assert_eq!(crate::upload::hex(&Sha256::digest(&bytes)), sha256);
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
async fn nobody_else_may_read_it() -> Result<()> {
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
async fn a_store_that_went_away_answers_503_and_comes_back() {
    let store = Store::new();
    let root = store.folder.path();
    let mut received = store.receive(form()).await.expect("a form");
    // A file where a folder should be: nothing can be made there, whoever we are.
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
    store.media.commit_private("film", received.files.get_mut("poster").expect("a poster")).await.expect("kept");
}

#[tokio::test]
async fn room_is_left_on_the_disk() {
    let mut store = Store::new();
    store.settings.keep_free_mib = u64::MAX;
    let result = store.receive(form()).await;
    assert_eq!(status(&result), 507);
    assert!(result.err().and_then(|error| error.retry_after()).is_some());
    store.settings.keep_free_mib = 0;
    assert_eq!(status(&store.receive(form()).await), 200);
}

/// Keeps `count` files and answers their keys.
async fn keep(store: &Store, count: usize) -> Result<Vec<String>> {
    let mut keys = Vec::new();
    for _ in 0..count {
        let mut received = store.receive(form()).await?;
        keys.push(store.media.commit_private("film", received.files.get_mut("poster").expect("a poster")).await?);
    }
    Ok(keys)
}

const NOW: Timestamp = Timestamp::constant(1_761_460_200, 0);

async fn sweep(store: &Store, known: &[String], before: SystemTime) -> Result<Swept> {
    store
        .media
        .sweep(&["film".into()], &known.iter().cloned().collect(), before, NOW, Take::Few { last_row: None })
        .await
}

#[tokio::test]
async fn what_no_row_names_goes_to_the_trash_and_comes_back_when_one_does() -> Result<()> {
    let store = Store::new();
    let keys = keep(&store, 3).await?;
    fs::write(store.folder.path().join("staging/left-over"), "x")?;
    fs::create_dir(store.folder.path().join("private/imports"))?;
    fs::write(store.folder.path().join("private/imports/table"), "x")?;
    let young = sweep(&store, &keys[..1], SystemTime::now() - Duration::from_secs(60)).await?;
    assert_eq!(young, Swept::default(), "a row may be on its way");
    let swept = sweep(&store, &keys[..1], SystemTime::now()).await?;
    assert_eq!(swept, Swept { staged: 1, trashed: 2, ..Swept::default() });
    assert!(store.media.open_private(&keys[0]).await.is_ok() && store.media.open_private(&keys[1]).await.is_err());
    assert!(store.folder.path().join("private/imports/table").exists(), "other folders are others' business");
    let trash = store.media.trash().await?;
    assert_eq!((trash.len(), trash[0].since), (2, NOW));
    let copy = store.media.copy_from_trash(&keys[1], &store.folder.path().join("out")).await?;
    assert_eq!(fs::read(copy)?.len() as u64, trash.iter().find(|file| file.key == keys[1]).expect("there").size);
    assert!(store.media.copy_from_trash(&keys[0], store.folder.path()).await.is_err());

    // The right database is back.
    let swept = sweep(&store, &keys, SystemTime::now()).await?;
    assert_eq!(swept, Swept { restored: 2, ..Swept::default() });
    assert!(store.media.open_private(&keys[1]).await.is_ok() && store.media.trash().await?.is_empty());
    store.media.delete_private(&keys[2]).await?;
    assert_eq!(sweep(&store, &keys, SystemTime::now()).await?.missing, 1);
    Ok(())
}

#[tokio::test]
async fn a_sweep_that_would_take_many_files_takes_none() -> Result<()> {
    let store = Store::new();
    let keys = keep(&store, 22).await?;
    let swept = sweep(&store, &keys[..1], SystemTime::now()).await?;
    assert_eq!(swept, Swept { refused: 21, ..Swept::default() });
    assert_eq!(store.media.last_sweep().refused, 21);
    assert!(store.media.open_private(&keys[21]).await.is_ok());
    let all = store.media.sweep(&["film".into()], &BTreeSet::new(), SystemTime::now(), NOW, Take::All).await?;
    assert_eq!(all.trashed, 22, "somebody asked for it");
    let later = NOW.checked_add(SignedDuration::from_hours(24 * TRASH_DAYS + 1)).expect("a time");
    store.media.sweep(&[], &BTreeSet::new(), SystemTime::now(), later, Take::All).await?;
    assert!(store.media.trash().await?.is_empty(), "a month is over");
    Ok(())
}

#[tokio::test]
async fn what_a_crash_under_load_left_is_swept_and_what_an_older_database_does_not_know_is_not() -> Result<()> {
    let store = Store::new();
    keep(&store, 30).await?;
    let minutes = |count: u64| Duration::from_secs(60 * count);
    let with = async |last_row| {
        let take = Take::Few { last_row: Some(last_row) };
        store.media.sweep(&["film".into()], &BTreeSet::new(), SystemTime::now(), NOW, take).await
    };
    let now = SystemTime::now();
    for last_row in [now - minutes(3), now + minutes(30)] {
        assert_eq!(with(last_row).await?, Swept { refused: 30, ..Swept::default() });
    }
    assert_eq!(with(now).await?, Swept { trashed: 30, ..Swept::default() });
    Ok(())
}

#[tokio::test]
async fn one_server_alone_has_the_files() -> Result<()> {
    let store = Store::new();
    assert!(store.media.lock(false).await? && store.media.started_alone());
    let other = Media::open(store.folder.path())?;
    assert!(!other.lock(false).await? && !other.started_alone());
    drop(store.media);
    assert!(other.lock(false).await?, "the first one has ended");
    Ok(())
}

#[tokio::test]
async fn servers_that_share_the_files_see_each_other() -> Result<()> {
    let store = Store::new();
    assert!(store.media.lock(true).await? && store.media.started_alone());
    let second = Media::open(store.folder.path())?;
    assert!(!second.lock(true).await? && !second.started_alone());
    drop(store.media);
    let again = Media::open(store.folder.path())?;
    assert!(!again.lock(true).await?, "the second one is still at work");
    Ok(())
}

#[tokio::test]
async fn a_site_whose_files_are_gone_keeps_none() -> Result<()> {
    let store = Store::new();
    let (here, away) = (store.folder.path().join("media"), store.folder.path().join("away"));
    let media = Media::open(&here)?;
    media.set_site_id("site").await?;
    media.check_writable().await?;
    fs::rename(&here, &away)?;
    assert!(media.check_writable().await.is_err() && media.stage().await.is_err());
    assert!(
        media.put_public("posters", picture(4, 4, ImageFormat::Png)).await.is_err() && !here.exists(),
        "nothing is made in their place"
    );
    fs::rename(&away, &here)?;
    media.stage().await?;
    Ok(())
}

#[tokio::test]
async fn sweeps_at_once_move_each_file_once() -> Result<()> {
    let store = Store::new();
    keep(&store, 20).await?;
    let sweeps = futures::future::join_all((0..8).map(|_| sweep(&store, &[], SystemTime::now()))).await;
    let swept = sweeps.into_iter().map(|swept| Ok(swept?.trashed)).sum::<Result<u64>>()?;
    assert_eq!((swept, store.media.trash().await?.len()), (20, 20));
    Ok(())
}

/// `FESTIVAL_TEST_SMALL_DISK` names a folder on a disk of a few megabytes.
#[tokio::test]
async fn a_full_disk_answers_507_and_leaves_nothing() {
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
    // Room for what is sent, none for what is to be kept.
    let noise = image::RgbImage::from_raw(300, 200, Dice(3).bytes(180_000)).expect("pixels");
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::from(noise).write_to(&mut bytes, ImageFormat::Png).expect("a picture");
    assert_eq!(status(&store.receive(Form::default().file("poster", "a.png", bytes.into_inner()).end()).await), 507);
    assert!(store.files("staging").is_empty());
    fs::remove_file(fill).expect("removed");
    assert_eq!(status(&store.receive(large).await), 200, "room again, without a restart");
}
