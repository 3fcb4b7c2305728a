//! Files in a bucket instead of a folder, on a real S3 server and on a failing one.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, SystemTime};

use festival::modules;
use festival_core::admin::OWNER;
use festival_core::media::{Media, SweepLimit};
use festival_core::settings::Settings;
use festival_core::{backup, identity};
use festival_forms::DESK;
use jiff::SignedDuration;

use crate::admin::browser::{Browser, create_account};
use crate::admin::imports::{submit_import, upload_list};
use crate::forms::requests::{FormRequest, assert_received, count_stored_files, lift_limits, picture};
use crate::support::{Bucket, CommandOutput, Database, S3Server, TestApp, festival, fixture};

on_both!(submission_in_a_bucket_is_reviewed_exported_backed_up_and_restored,);

/// A site with its files in this bucket.
pub(super) async fn site(database: Database, bucket: &Bucket) -> TestApp {
    let site = TestApp::with(database, |settings| configure(settings, bucket)).await;
    identity::verify(&site.app.db, &site.app.media).await.unwrap();
    site
}

fn configure(settings: &mut Settings, bucket: &Bucket) {
    lift_limits(settings);
    bucket.configure(settings);
}

/// Runs the program on the site's data, with its files in this bucket.
fn run(site: &TestApp, bucket: &Bucket, folder: &Path, arguments: &[&str]) -> CommandOutput {
    let url = site.database.url(site.directory.path());
    run_at(&url, site.directory.path(), &bucket.environment(), folder, arguments)
}

/// Tries to start a second server on the site's database and this bucket, which must be refused.
fn serve(site: &TestApp, bucket: &Bucket, folder: &Path) -> CommandOutput {
    let url = site.database.url(site.directory.path());
    run_at(&url, &folder.join("data of the second"), &bucket.environment(), folder, &["serve"])
}

fn run_at(
    url: &str,
    data: &Path,
    environment: &[(&'static str, String)],
    folder: &Path,
    arguments: &[&str],
) -> CommandOutput {
    let mut environment = environment.to_vec();
    environment.push(("FESTIVAL_DATA_DIR", data.to_str().unwrap().to_owned()));
    environment.push(("ROCKET_DATABASES", format!("{{festival={{url=\"{url}\"}}}}")));
    let borrowed: Vec<(&str, &str)> = environment.iter().map(|(name, value)| (*name, &**value)).collect();
    festival(folder, arguments, &borrowed)
}

async fn submission_in_a_bucket_is_reviewed_exported_backed_up_and_restored(database: Database) {
    let server = S3Server::start();
    let bucket = server.bucket();
    let site = site(database, &bucket).await;
    assert_received(&FormRequest::film().post(&site, "/api/changed/").await);
    let keys = site.texts("SELECT key FROM submission_files ORDER BY key").await;
    let stored: Vec<String> = bucket.objects().into_iter().filter(|path| path.starts_with("private/")).collect();
    assert_eq!(stored, keys.iter().map(|key| format!("private/{key}")).collect::<Vec<_>>());
    assert_eq!((keys.len(), count_stored_files(&site)), (6, 0), "nothing stays on this machine");
    for path in [format!("/media/{}", keys[0]), format!("/media/private/{}", keys[0])] {
        assert_eq!(site.get(&path).await.status, 404, "{path}");
    }

    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let id = site.id("film_submissions", "1 = 1").await;
    let path = format!("/admin/film-submissions/{id}/files/film_poster");
    let shown = desk.get(&path).await;
    let key = site.texts("SELECT key FROM submission_files WHERE field = 'film_poster'").await.remove(0);
    assert_eq!((shown.status, shown.header("Content-Length")), (200, shown.body.len().to_string()));
    assert_eq!(shown.body, std::fs::read(bucket.folder.join("private").join(&key)).unwrap());
    assert_eq!(shown.header("Cache-Control"), "no-store");
    assert_ne!(Browser::new(&site).get(&path).await.status, 200, "only for those who may see it");

    let folder = tempfile::tempdir().unwrap();
    let exported = run(&site, &bucket, folder.path(), &["forms", "export", "film", "-o", "f.csv", "--files", "f.zip"]);
    assert_eq!(exported.code, 0, "{}", exported.transcript());
    let mut zip = zip::ZipArchive::new(std::fs::File::open(folder.path().join("f.zip")).unwrap()).unwrap();
    assert_eq!(zip.len(), 6);
    let name = zip.file_names().map(Result::unwrap).find(|name| name.contains("film_poster")).unwrap().into_owned();
    let mut poster = Vec::new();
    std::io::Read::read_to_end(&mut zip.by_name(&name).unwrap(), &mut poster).unwrap();
    assert_eq!(poster, shown.body);

    site.app.media.put_public("posters", picture()).await.unwrap();
    let made = backup::create(&site.app, &folder.path().join("backups"), &[]).await.unwrap();
    for path in bucket.objects().iter().filter(|path| !path.starts_with("site-id")) {
        assert_eq!(
            std::fs::read(made.join("media").join(path)).unwrap(),
            std::fs::read(bucket.folder.join(path)).unwrap(),
            "{path}"
        );
    }
    let checked = run(&site, &bucket, folder.path(), &["backup", "--check", made.to_str().unwrap()]);
    assert_eq!(checked.code, 0, "{}", checked.transcript());

    // Into another bucket, and into a folder.
    let other = server.bucket();
    for environment in [other.environment(), Vec::new()] {
        let (place, copy) = (tempfile::tempdir().unwrap(), database.empty().await);
        let data = place.path().join("data");
        let target = |arguments: &[&str]| run_at(&copy.url(&data), &data, &environment, place.path(), arguments);
        let restored = target(&["restore", made.to_str().unwrap()]);
        assert_eq!(restored.code, 0, "{}", restored.transcript());
        let media = if environment.is_empty() { data.join("media") } else { other.folder.clone() };
        for key in &keys {
            let path = Path::new("private").join(key);
            assert_eq!(
                std::fs::read(media.join(&path)).unwrap(),
                std::fs::read(bucket.folder.join(&path)).unwrap(),
                "{key}"
            );
        }
        assert!(!media.join("restoring").exists());
        let checked = target(&["check"]);
        for code in ["D002", "D005", "D006", "D008"] {
            assert!(!checked.out.contains(code), "{}", checked.transcript());
        }
        let again = target(&["restore", made.to_str().unwrap()]);
        assert_eq!(again.code, 1);
        assert!(again.err.contains("only be restored into an empty place"), "{}", again.transcript());
    }
}

#[tokio::test]
async fn public_files_of_a_bucket_are_served_by_the_site() {
    let server = S3Server::start();
    let bucket = server.bucket();
    let site = site(Database::Sqlite, &bucket).await;
    let bytes = std::fs::read(fixture("pictures/issue.pdf")).unwrap();
    let key = site.app.media.put_public("magazines", bytes.clone()).await.unwrap();
    assert_eq!(site.app.media.put_public("magazines", bytes.clone()).await.unwrap(), key, "stored once");
    let path = format!("/media/{key}");
    let whole = site.get(&path).await;
    assert_eq!((whole.status, &whole.body), (200, &bytes));
    assert_eq!(whole.header("Content-Type"), "application/pdf");
    assert_eq!(whole.header("Cache-Control"), "public, max-age=31536000, immutable");
    assert_eq!(site.get_with(&path, &[("If-None-Match", &whole.header("ETag"))]).await.status, 304);
    let length = bytes.len();
    for (range, part) in [
        ("bytes=10-19".to_owned(), &bytes[10..20]),
        ("bytes=-7".to_owned(), &bytes[length - 7..]),
        (format!("bytes={}-", length - 1), &bytes[length - 1..]),
        ("bytes=0-999999999".to_owned(), &bytes[..]),
    ] {
        let response = site.get_with(&path, &[("Range", &range)]).await;
        assert_eq!((response.status, &*response.body), (206, part), "{range}");
        assert_eq!(response.header("Content-Length"), part.len().to_string(), "{range}");
    }
    assert_eq!(site.get_with(&path, &[("Range", &format!("bytes={length}-"))]).await.status, 416);
    for missing in ["/media/magazines/none.pdf", "/media/magazines", "/media/site-id", "/media/../site-id"] {
        assert_eq!(site.get(missing).await.status, 404, "{missing}");
    }

    let poster = site.app.media.put_public("posters", std::fs::read(fixture("pictures/poster.png")).unwrap()).await;
    let path = format!("/media/{}?w=240", poster.unwrap());
    let small = site.get(&path).await;
    assert_eq!((small.status, small.header("Cache-Control")), (200, "public, max-age=31536000, immutable".to_owned()));
    assert_eq!(site.app.media.public_pictures(site.app.clock.now()).await.unwrap().len(), 1);
    let original = path.trim_end_matches("?w=240");
    server.kill();
    assert_eq!(site.get(original).await.status, 503, "connection refused");
    if small.header("Content-Type") == "image/webp" {
        assert_eq!(site.get(&path).await.body, small.body, "what was made from it does not need the bucket");
    }
    server.restart();
    assert_eq!(site.get(original).await.status, 200);
}

#[tokio::test]
async fn files_in_a_bucket_move_to_the_trash_and_back() {
    let server = S3Server::start();
    let bucket = server.bucket();
    let site = site(Database::Sqlite, &bucket).await;
    assert_received(&FormRequest::film().post(&site, "/api/changed/").await);
    let media = &site.app.media;
    let keys: BTreeSet<String> = site.texts("SELECT key FROM submission_files").await.into_iter().collect();
    let folders = ["film-submissions".to_owned()];
    let now = site.app.clock.now();
    let sweep = async |referenced: &BTreeSet<String>, now, limit| {
        let before = SystemTime::now() + Duration::from_secs(2);
        media.sweep(&folders, referenced, before, now, limit).await.unwrap()
    };
    assert_eq!(sweep(&keys, now, SweepLimit::Few { last_row: None }).await.trashed, 0);
    let (kept, lost) = (keys.iter().take(4).cloned().collect::<BTreeSet<_>>(), keys.iter().nth(5).unwrap());
    assert_eq!(sweep(&kept, now, SweepLimit::Few { last_row: None }).await.trashed, 2);
    assert_eq!(media.open_private(lost).await.unwrap_err().status().code, 404);
    let trash = media.trash().await.unwrap();
    assert_eq!((trash.len(), trash[0].since), (2, now.round(jiff::Unit::Second).unwrap()));
    let out = tempfile::tempdir().unwrap();
    let copy = media.copy_from_trash(lost, out.path()).await.unwrap();
    assert_eq!(copy.metadata().unwrap().len(), trash.iter().find(|file| file.key == *lost).unwrap().size);
    // The rows are back, and with them the files.
    assert_eq!(sweep(&keys, now, SweepLimit::Few { last_row: None }).await.restored, 2);
    assert!(media.open_private(lost).await.is_ok() && media.trash().await.unwrap().is_empty());
    // Erasure covers the trash, too, and the trash is emptied after its retention period.
    sweep(&kept, now, SweepLimit::Few { last_row: None }).await;
    media.erase_private(std::slice::from_ref(lost)).await.unwrap();
    assert_eq!(media.trash().await.unwrap().len(), 1);
    assert!(bucket.objects().iter().all(|path| !path.contains(lost.as_str())));
    sweep(&kept, now + SignedDuration::from_hours(31 * 24), SweepLimit::Few { last_row: None }).await;
    assert!(media.trash().await.unwrap().is_empty());
    assert_eq!(bucket.objects().len(), 4 + 1, "four files, and the site id");
}

#[tokio::test]
async fn list_in_a_bucket_is_imported_once() {
    let server = S3Server::start();
    let bucket = server.bucket();
    let site = site(Database::Sqlite, &bucket).await;
    let browser = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    let count = "SELECT count(*) FROM guests WHERE name LIKE 'Lamp %'";
    let (_, page) = upload_list(&browser, "/admin/guests", "guests.csv", b"Name\nLamp 1\nLamp 2\n").await;
    let import = || submit_import(&browser, "/admin/guests", &page, &[]);
    let (first, second) = rocket::tokio::join!(import(), import());
    assert_eq!((first.status, second.status, site.number(count).await), (303, 303, 2));
    // After a rejected import the file remains pending.
    let (_, page) =
        upload_list(&browser, "/admin/guests", "guests.csv", b"Name,Position\nLamp A,first\nLamp B,2\n").await;
    assert_eq!(submit_import(&browser, "/admin/guests", &page, &[]).await.status, 409);
    assert_eq!(submit_import(&browser, "/admin/guests", &page, &[("skip", "yes")]).await.status, 303);
    assert_eq!(site.number(count).await, 3);
    let left = std::fs::read_dir(bucket.folder.join("private/imports")).unwrap();
    assert!(left.flatten().all(|file| file.metadata().unwrap().len() == 0), "no content is left");
}

#[tokio::test]
async fn site_id_and_access_of_the_bucket_are_checked() {
    let server = S3Server::start();
    let bucket = server.bucket();
    let site = site(Database::Sqlite, &bucket).await;
    assert_received(&FormRequest::film().post(&site, "/api/changed/").await);
    let folder = tempfile::tempdir().unwrap();
    let check = || run(&site, &bucket, folder.path(), &["check"]);
    let fine = check();
    assert!(!fine.out.contains("D002") && !fine.out.contains("D008"), "{}", fine.transcript());
    assert!(bucket.objects().iter().all(|path| !path.contains("probe")), "the probe leaves no object");
    let key = site.texts("SELECT key FROM submission_files WHERE field = 'signature'").await.remove(0);
    std::fs::remove_file(bucket.folder.join("private").join(&key)).unwrap();
    assert!(check().out.contains(&format!("{key}); look into \"festival trash\"")), "{}", check().transcript());

    let other = server.bucket();
    let refused = run(&site, &other, folder.path(), &["check"]);
    assert!(refused.out.contains("D002: ") && refused.out.contains("Check s3.bucket"), "{}", refused.transcript());
    let served = serve(&site, &other, folder.path());
    assert!(served.code == 1 && served.err.contains("is not its folder"), "{}", served.transcript());
    std::fs::write(bucket.folder.join("site-id"), "another\n").unwrap();
    site.clock.set(site.clock.now() + SignedDuration::from_secs(2));
    assert_eq!(site.get("/readyz").await.status, 503);
    server.kill();
    let down = check();
    assert!(down.code == 1 && down.out.contains("D008: s3://"), "{}", down.transcript());
    assert!(!down.out.contains("D005") && !down.out.contains("D007"), "{}", down.transcript());
}

#[tokio::test]
async fn site_moves_from_a_folder_to_a_bucket_and_back() {
    let server = S3Server::start();
    let bucket = server.bucket();
    let site = TestApp::with(Database::Sqlite, lift_limits).await;
    identity::verify(&site.app.db, &site.app.media).await.unwrap();
    assert_received(&FormRequest::film().post(&site, "/api/changed/").await);
    site.app.media.put_public("posters", picture()).await.unwrap();
    let lost = site.texts("SELECT key FROM submission_files WHERE field = 'signature'").await.remove(0);
    site.write("DELETE FROM submission_files WHERE field = 'signature'").await;
    site.app.media.trash_private(&lost, site.app.clock.now()).await.unwrap();
    let media = site.app.data_dir("media");
    let folder = tempfile::tempdir().unwrap();
    let copy =
        |from: &str, to: &str| run(&site, &bucket, folder.path(), &["media", "copy", "--from", from, "--to", to]);
    let unset = festival(folder.path(), &["media", "copy", "--from", media.to_str().unwrap(), "--to", "s3"], &[]);
    assert!(unset.code == 1 && unset.err.contains("s3.bucket is empty"), "{}", unset.transcript());

    // An interrupted copy has some files and no site id: a site does not start with it, and a second copy continues.
    let first = bucket.folder.join("private").join(site.texts("SELECT max(key) FROM submission_files").await.remove(0));
    std::fs::create_dir_all(first.parent().unwrap()).unwrap();
    std::fs::copy(media.join(first.strip_prefix(&bucket.folder).unwrap()), &first).unwrap();
    let refused = serve(&site, &bucket, folder.path());
    assert!(refused.code == 1 && refused.err.contains("is not its folder"), "{}", refused.transcript());
    let moved = copy(media.to_str().unwrap(), "s3");
    assert_eq!(moved.code, 0, "{}", moved.transcript());
    println!("{}", moved.out);
    assert!(moved.out.contains("; 1 were there already; 0 disappeared"), "{}", moved.transcript());
    let again = copy(media.to_str().unwrap(), "s3");
    assert!(again.out.starts_with("0 files copied, 0 bytes; "), "{}", again.transcript());

    // The site runs on the bucket.
    let (directory, database) = site.stop().await;
    let site = TestApp::on_database(directory, database, &modules(), |settings| configure(settings, &bucket)).await;
    identity::verify(&site.app.db, &site.app.media).await.unwrap();
    assert_eq!(site.app.media.trash().await.unwrap()[0].key, lost);
    let other = FormRequest::film().with("title_english", "Other");
    assert_received(&other.post(&site, "/api/changed/").await);

    // And back, into a new folder.
    let target = folder.path().join("back");
    let back = run(&site, &bucket, folder.path(), &["media", "copy", "--from", "s3", "--to", target.to_str().unwrap()]);
    assert_eq!(back.code, 0, "{}", back.transcript());
    let copied = Media::open(&target).unwrap();
    assert_eq!(copied.site_id().await.unwrap(), site.app.media.site_id().await.unwrap());
    for key in site.texts("SELECT key FROM submission_files").await {
        let (here, there) = (target.join("private").join(&key), bucket.folder.join("private").join(&key));
        assert_eq!(std::fs::read(here).unwrap(), std::fs::read(there).unwrap(), "{key}");
    }

    // A file that differs is named and not replaced, and another site's files are not mixed in.
    let key = site.texts("SELECT min(key) FROM submission_files").await.remove(0);
    let (path, length) =
        (target.join("private").join(&key), bucket.folder.join("private").join(&key).metadata().unwrap());
    std::fs::write(&path, vec![0; usize::try_from(length.len()).unwrap()]).unwrap();
    let differs =
        run(&site, &bucket, folder.path(), &["media", "copy", "--from", "s3", "--to", target.to_str().unwrap()]);
    assert!(differs.code == 1 && differs.out.contains(&key), "{}", differs.transcript());
    assert_eq!(std::fs::read(&path).unwrap()[0], 0);
    std::fs::write(target.join("site-id"), "another\n").unwrap();
    let mixed =
        run(&site, &bucket, folder.path(), &["media", "copy", "--from", "s3", "--to", target.to_str().unwrap()]);
    assert!(mixed.code == 1 && mixed.err.contains("files of another site"), "{}", mixed.transcript());
}
