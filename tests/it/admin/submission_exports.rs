//! Exports of submissions from the back office: recent password, audit log, disk space.

use festival::modules;
use festival_core::settings::Settings;
use festival_forms::DESK;
use jiff::SignedDuration;

use super::browser::{Browser, count_audited, create_account};
use super::submissions::{malayalam_film, site, submit_film};
use crate::forms::requests::lift_limits;
use crate::support::{Database, TestApp};

on_both!(
    export_requires_a_recent_password_and_is_audited,
    export_leaves_no_temporary_files_and_needs_free_disk_space,
    workbook_that_would_cut_texts_is_refused,
);

/// A cell of Excel holds 32,767 characters.
async fn workbook_that_would_cut_texts_is_refused(database: Database) {
    let site = site(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    submit_film(&site, &malayalam_film().with("biography", &"river ".repeat(6_000))).await;
    let path = "/admin/film-submissions/export";
    let refused = desk.post(path, &[("format", "xlsx")]).await;
    assert_eq!(refused.status, 400);
    assert!(refused.text().contains("Choose CSV, ODS or JSON."), "{}", refused.text());
    let csv = desk.post(path, &[("format", "csv")]).await;
    assert!(csv.text().contains(&"river ".repeat(5_999)), "the whole text is in the CSV");
    assert_eq!(count_audited(&site, "export").await, 1);
}

async fn export_leaves_no_temporary_files_and_needs_free_disk_space(database: Database) {
    let first = site(database).await;
    submit_film(&first, &malayalam_film()).await;
    create_account(&first, &DESK).await;
    let (directory, copy) = first.stop().await;
    let full = |settings: &mut Settings| {
        lift_limits(settings);
        settings.uploads.keep_free_mib = u64::MAX >> 20;
    };
    let site = TestApp::on_database(directory, copy, &modules(), full).await;
    let count_temporary = |site: &TestApp| std::fs::read_dir(site.app.data_dir("tmp")).map_or(0, Iterator::count);
    let desk = Browser::signed_in(&site, "desk@example.org").await;
    for format in ["csv", "xlsx", "files"] {
        let refused = desk.post("/admin/film-submissions/export", &[("format", format)]).await;
        assert_eq!(refused.status, 507, "{format}: {}", refused.text());
        assert!(refused.text().contains("There is no room for files at the moment."), "{}", refused.text());
    }
    assert_eq!((count_audited(&site, "export").await, count_temporary(&site)), (0, 0));
    let (directory, copy) = site.stop().await;
    let site = TestApp::on_database(directory, copy, &modules(), lift_limits).await;
    let desk = Browser::signed_in(&site, "desk@example.org").await;
    // One file is missing: the others are exported, and the archive lists the missing one.
    let mut connection = site.app.db.read().await.unwrap();
    let key: String = sqlx::query_scalar("SELECT key FROM submission_files WHERE field = 'signature'")
        .fetch_one(&mut *connection)
        .await
        .unwrap();
    drop(connection);
    std::fs::remove_file(site.app.data_dir("media").join("private").join(key)).unwrap();
    let zip = desk.post("/admin/film-submissions/export", &[("format", "files")]).await;
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(zip.body)).unwrap();
    assert_eq!(zip.len(), 6);
    let mut missing = String::new();
    std::io::Read::read_to_string(&mut zip.by_name("missing.txt").unwrap(), &mut missing).unwrap();
    assert!(missing.contains("signature.png: the file is missing in the store"), "{missing}");
    assert_eq!((count_audited(&site, "export").await, count_temporary(&site)), (1, 0));
}

async fn export_requires_a_recent_password_and_is_audited(database: Database) {
    let site = site(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    submit_film(&site, &malayalam_film().with("title_english", "=cmd|' /C calc'!A0")).await;
    submit_film(&site, &malayalam_film().with("title_english", "Another").with("award_category", "asian")).await;
    let page = desk.get("/admin/film-submissions/export?award=malayalam").await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains("1 film submission of 2025, with the filters of the list."), "{}", page.text());
    let path = "/admin/film-submissions/export?award=malayalam";
    let csv = desk.post(path, &[("format", "csv")]).await;
    assert_eq!(csv.status, 200);
    assert!(csv.header("Content-Disposition").starts_with("attachment; filename=\"film-submissions-2025.csv\""));
    let text = csv.text();
    assert!(text.contains("\"'=cmd") || text.contains("'=cmd"), "{text}");
    assert!(!text.contains("Another") && text.contains("Received") && text.contains("Unchecked"), "{text}");
    assert!(desk.post(path, &[("format", "xlsx")]).await.body.starts_with(b"PK"));
    let zip = desk.post(path, &[("format", "files")]).await;
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(zip.body)).unwrap();
    assert_eq!(zip.len(), 6);
    assert!(zip.by_index(0).unwrap().name().unwrap().starts_with("ML-2025-0001 "));
    assert_eq!(count_audited(&site, "export").await, 3);
    assert_eq!(desk.post("/admin/contact-messages/export", &[("format", "files")]).await.status, 400);
    // After fifteen minutes the export asks for the password again.
    site.clock.set(site.clock.now() + SignedDuration::from_mins(16));
    for response in [desk.get(path).await, desk.post(path, &[("format", "csv")]).await] {
        assert_eq!(response.status, 303);
        assert!(response.header("Location").starts_with("/admin/confirm?next="), "{}", response.header("Location"));
    }
    assert_eq!(count_audited(&site, "export").await, 3);
}
