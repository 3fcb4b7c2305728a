//! `festival check` compares rows with stored files.

use std::fs::File;
use std::time::{Duration, SystemTime};

use festival_core::identity;

use super::privacy::run_command;
use super::requests::{FormRequest, assert_received, lift_limits};
use crate::support::{Database, TestApp};

on_both!(check_reports_rows_without_files_and_files_without_rows);

async fn check_reports_rows_without_files_and_files_without_rows(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    identity::verify(&site.app.db, &site.app.media).await.unwrap();
    let reference = assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    let check = || run_command(&site, &["check"]);
    assert_eq!(check().code, 0, "{}", check().transcript());
    let key = site.texts("SELECT key FROM submission_files WHERE field = 'signature'").await.remove(0);
    let private = site.app.data_dir("media/private");
    std::fs::remove_file(private.join(&key)).unwrap();
    // New files without rows are ignored for an hour, as their form may still be arriving.
    std::fs::write(private.join("delegates/arriving.png"), "x").unwrap();
    let stray = File::create(private.join("delegates/stray.png")).unwrap();
    stray.set_modified(SystemTime::now() - Duration::from_secs(2 * 60 * 60)).unwrap();
    site.write("UPDATE blogs SET image = 'blogs/00000000000000000000000000000000.jpg'").await;
    let found = check();
    assert_eq!(found.code, 1, "{}", found.transcript());
    let missing = format!("D005: 1 files that people sent are not in the store: {reference}, signature ({key});");
    assert!(found.out.contains(&missing), "{}", found.transcript());
    assert!(found.out.contains("D006: 1 files in the private store belong to no row: delegates/stray.png;"));
    let blogs = site.number("SELECT count(*) FROM blogs").await;
    assert!(found.out.contains(&format!("D007: {blogs} pictures and documents")), "{}", found.transcript());
    assert!(found.out.contains("image (blogs/00000000000000000000000000000000.jpg)"), "{}", found.transcript());
    // Long lists are counted and abbreviated.
    for number in 0..30 {
        let stray = File::create(private.join(format!("delegates/stray-{number}.png"))).unwrap();
        stray.set_modified(SystemTime::now() - Duration::from_secs(2 * 60 * 60)).unwrap();
    }
    assert!(check().out.contains("D006: 31 files") && check().out.contains("and 11 more;"), "{}", check().transcript());
}
