//! Files in a bucket whose store is unreachable, silent or breaks off.

use std::time::{Duration, Instant};

use festival_forms::DESK;
use jiff::SignedDuration;

use super::s3::site;
use crate::admin::browser::{Browser, create_account};
use crate::forms::requests::{FormRequest, assert_received, count_stored_files, picture};
use crate::support::{Bucket, Database, Fault, FaultProxy, Response, S3Server, TestApp};

/// The time limit for a response while the bucket fails.
const PATIENCE: Duration = Duration::from_secs(12);

fn assert_try_again(response: &Response, what: &str) {
    assert_eq!(response.status, 503, "{what}: {}", response.text());
    assert!(response.header("Retry-After").parse::<u32>().is_ok_and(|seconds| seconds > 0), "{what}");
}

/// Sends a form and reads a file while the bucket fails; then nothing may be stored. Returns how long each took.
async fn assert_fails(
    site: &TestApp,
    (desk, private): (&Browser<'_>, &str),
    key: &str,
    bucket: &Bucket,
    what: &str,
) -> [Duration; 2] {
    let before = bucket.objects();
    let began = Instant::now();
    let film = FormRequest::film().with("title_english", what);
    assert_try_again(&film.post(site, "/api/changed/").await, what);
    let sent = began.elapsed();
    assert_eq!(count_stored_files(site), 0, "{what}: a file is left on this machine");
    let began = Instant::now();
    assert_try_again(&site.get(&format!("/media/{key}")).await, what);
    let was_read = began.elapsed();
    assert!(sent < PATIENCE && was_read < PATIENCE, "{what}: {sent:?} {was_read:?}");
    assert_eq!(desk.get(private).await.status, 503, "{what}");
    // If a store's response is lost, a complete extra object may remain, which the next sweep removes.
    let more = bucket.objects().into_iter().filter(|path| !before.contains(path));
    let read = |path: &String| std::fs::read(bucket.folder.join(path)).unwrap();
    let is_lost =
        |path: &String| what.starts_with("CutAnswers") && before.iter().any(|whole| read(whole) == read(path));
    let half: Vec<String> = more.filter(|path| !is_lost(path)).collect();
    assert!(half.is_empty(), "{what}: {half:?}");
    assert_eq!(site.number("SELECT count(*) FROM film_submissions WHERE title_english <> 'First'").await, 0);
    [sent, was_read]
}

#[tokio::test]
async fn unreachable_bucket_is_a_503_and_recovers_without_restart() {
    let server = S3Server::start();
    let bucket = server.bucket();
    let proxy = FaultProxy::start(&server);
    let site = site(Database::Sqlite, &bucket.through(&proxy)).await;
    let key = site.app.media.put_public("posters", picture()).await.unwrap();
    let first = FormRequest::film().with("title_english", "First");
    assert_received(&first.post(&site, "/api/changed/").await);
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let private = format!("/admin/film-submissions/{}/files/film_poster", site.id("film_submissions", "1 = 1").await);
    for fault in [
        Fault::Unavailable,
        Fault::Forbidden,
        Fault::Silent,
        Fault::CutRequests(300),
        Fault::CutAnswers(0),
        Fault::CutAnswers(20),
    ] {
        proxy.set(fault);
        let times = assert_fails(&site, (&desk, &private), &key, &bucket, &format!("{fault:?}")).await;
        println!("{fault:?}: form and picture refused after {times:?}");
        site.clock.set(site.clock.now() + SignedDuration::from_secs(2));
        assert_eq!((site.get("/readyz").await.status, site.get("/healthz").await.status), (503, 200), "{fault:?}");
        proxy.set(Fault::None);
        assert_eq!(site.get(&format!("/media/{key}")).await.body, picture(), "{fault:?}");
        site.clock.set(site.clock.now() + SignedDuration::from_secs(2));
        assert_eq!(site.get("/readyz").await.status, 200, "{fault:?}");
    }
    // In the middle of a file: reading goes on.
    proxy.set(Fault::CutRequests(2_000));
    let before = bucket.objects();
    let cut = FormRequest::film().with("title_english", "Cut");
    assert_try_again(&cut.post(&site, "/api/changed/").await, "cut in a file");
    assert_eq!((site.get(&format!("/media/{key}")).await.status, count_stored_files(&site)), (200, 0));
    assert_eq!(bucket.objects(), before, "nothing is half stored");
    proxy.set(Fault::None);
    server.kill();
    let times = assert_fails(&site, (&desk, &private), &key, &bucket, "refused").await;
    println!("refused: form and picture refused after {times:?}");
    server.restart();
    let second = FormRequest::film().with("title_english", "Second");
    assert_received(&second.post(&site, "/api/changed/").await);
    assert_eq!(site.number("SELECT count(*) FROM submission_files").await, 12);
}

#[tokio::test]
async fn broken_download_is_continued() {
    let server = S3Server::start();
    let bucket = server.bucket();
    let proxy = FaultProxy::start(&server);
    let site = site(Database::Sqlite, &bucket.through(&proxy)).await;
    let bytes: Vec<u8> = b"%PDF-1.7\n".iter().copied().chain((0..3_000_000_u32).map(|i| (i % 251) as u8)).collect();
    let key = site.app.media.put_public("magazines", bytes.clone()).await.unwrap();
    assert_eq!(site.app.media.public_length(&key).await.unwrap(), bytes.len() as u64);
    // Each connection delivers 1.2 MB of 3 MB.
    proxy.set(Fault::CutAnswers(1_200_000));
    assert_eq!(site.get(&format!("/media/{key}")).await.body, bytes);
}
