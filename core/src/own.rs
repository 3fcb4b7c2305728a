//! The contributions of core itself, independent of modules.

use crate::registry::Registry;
use festival_admin as admin;
use festival_base::{changes, migration};
use festival_mail as mail;
use festival_records::editing;
use festival_records::edition::EDITION;
use festival_web::downloads::DOCUMENT;
use festival_web::page_text::{PAGE_PICTURE, PAGE_TEXT};
use festival_web::site;

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
        .task("publish", |app| async move { editing::publish(&app.records).await })
        .task("sweep of sent mails", |app| async move {
            mail::sweep(&app.db, &app.clock, app.settings.mail.keep_sent_days).await
        })
        .task("retention", |app| async move { admin::privacy::run_retention(&app, &app.admin.contents.personal).await })
        .task("admin sweep", |app| async move { admin::run_maintenance(&app.admin).await })
        .contents(site::own_contents(), admin::own());
}
