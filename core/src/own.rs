//! The contributions of core itself, independent of modules.

use std::time::Duration;

use crate::registry::Registry;
use festival_admin as admin;
use festival_base::{changes, migration};
use festival_mail as mail;
use festival_records::editing;
use festival_records::edition::EDITION;
use festival_web::downloads::DOCUMENT;
use festival_web::page_text::{PAGE_PICTURE, PAGE_TEXT};
use festival_web::site;

const HOUR: Duration = Duration::from_secs(60 * 60);

/// Registers the contribution "core".
pub(crate) fn register(registry: &mut Registry) {
    registry
        .migrations([
            migration!("/../migrations", "core", "0001", "core")
                .earlier_checksums(&["40efb96e12e56993fb3a0467563073c8", "1a7a408be36210e5344c6acfc1d5b64d"]),
            migration!("/../migrations", "core", "0002", "import_answers").works_with((0, 1, 0)),
        ])
        .menu("site", 5)
        .entity(&EDITION)
        .menu("content", 4)
        .entity(&PAGE_TEXT)
        .entity(&PAGE_PICTURE)
        .entity(&DOCUMENT)
        .task("watch of changes", |app| async move { changes::watch(&app.db).await })
        // A row is published this much late at most.
        .every(
            Duration::from_secs(5),
            "publish",
            |app| async move { editing::publish_due(&app.records).await.map(drop) },
        )
        .every(HOUR, "sweep of sent mails", |app| async move {
            mail::delete_sent(&app.db, app.clock.now(), app.settings.mail.keep_sent_days).await.map(drop)
        })
        .every(24 * HOUR, "retention", |app| async move {
            admin::privacy::run_retention(&app, &app.admin.contents.personal).await
        })
        .every(HOUR / 4, "admin sweep", |app| async move { admin::run_maintenance(&app.admin).await })
        .contents(site::own_contents(), admin::own());
}
