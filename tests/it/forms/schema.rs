//! The schema of submissions matches the forms, and its constraints hold.

use festival_core::entity::table;
use festival_forms::description::FORMS;

use sqlx::AssertSqlSafe;
use sqlx::error::ErrorKind;

use super::requests::{FormRequest, assert_received, lift_limits};
use crate::support::{Database, TestApp};

on_both!(form_descriptions_match_the_tables, files_and_events_require_an_existing_submission);

async fn form_descriptions_match_the_tables(database: Database) {
    let app = TestApp::new(database).await;
    let mut connection = app.app.db.read().await.unwrap();
    for form in FORMS {
        let row = table::fetch(&mut connection, form.entity, 1).await;
        assert!(row.unwrap_or_else(|e| panic!("{}: {}", form.entity.table, e.for_terminal())).is_none());
    }
}

/// The kind of error with which the database rejects `sql`.
async fn refusal(app: &TestApp, sql: &str) -> ErrorKind {
    let mut write = app.app.db.write_private().await.unwrap();
    let done = sqlx::query(AssertSqlSafe(sql.to_owned())).execute(&mut *write).await;
    let error = done.expect_err(sql).into_database_error().expect(sql);
    write.rollback().await.unwrap();
    error.kind()
}

async fn files_and_events_require_an_existing_submission(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    assert_received(&FormRequest::film().post(&app, "/api/changed/").await);
    assert_received(&FormRequest::delegate().post(&app, "/api/delegate-form/").await);
    let film = app.id("film_submissions", "is_quarantined = 0").await.to_string();
    let delegate = app.id("delegates", "is_quarantined = 0").await;
    let file = |owner: &str, id: &str| {
        format!(
            "INSERT INTO submission_files ({owner}, field, key, name, mime, size, sha256, flags, created_at) \
             VALUES ({id}, 'more', 'films/more.png', '', '', 1, '', '', '')"
        )
    };
    let line = |owner: &str, id: &str| {
        format!(
            "INSERT INTO submission_events ({owner}, kind, before_text, after_text, who, at) \
             VALUES ({id}, 'note', '', '', '', '')"
        )
    };
    for sql in [
        file("film_submission_id", "999"),
        file("delegate_id", "999"),
        line("film_submission_id", "999"),
        line("delegate_id", "999"),
        line("contact_message_id", "999"),
    ] {
        assert!(matches!(refusal(&app, &sql).await, ErrorKind::ForeignKeyViolation), "{sql}");
    }
    let (two, ids) = ("film_submission_id, delegate_id", format!("{film}, {delegate}"));
    for sql in [file(two, &ids), file("delegate_id", "NULL"), line(two, &ids), line("delegate_id", "NULL")] {
        assert!(matches!(refusal(&app, &sql).await, ErrorKind::CheckViolation), "{sql}");
    }
    app.write(&file("film_submission_id", &film)).await;
    app.write(&line("film_submission_id", &film)).await;
    // A submission cannot be deleted before its files; its notes are deleted with it.
    let delete = "DELETE FROM film_submissions";
    assert!(matches!(refusal(&app, delete).await, ErrorKind::ForeignKeyViolation));
    app.write("DELETE FROM submission_files WHERE film_submission_id IS NOT NULL").await;
    app.write(delete).await;
    assert_eq!(app.number("SELECT count(*) FROM submission_events").await, 0);
}
