//! What core contributes itself, whichever modules there are.

use crate::background::{Forget, LookAfterBackOffice, Publish, SweepSentMails};
use crate::registry::Registry;
use festival_admin as admin;
use festival_base::migration;
use festival_records::edition::EDITION;
use festival_web::downloads::DOCUMENT;
use festival_web::page_picture::PAGE_PICTURE;
use festival_web::page_text::PAGE_TEXT;
use festival_web::site;

/// The contribution "core".
pub(crate) fn register(registry: &mut Registry) {
    registry
        .migrations([
            migration!("/../migrations", "core", "0001", "core"),
            migration!("/../migrations", "core", "0002", "outbox"),
            migration!("/../migrations", "core", "0003", "documents"),
            migration!("/../migrations", "core", "0004", "admin_accounts"),
            migration!("/../migrations", "core", "0005", "admin_audit"),
            migration!("/../migrations", "core", "0007", "revisions"),
            migration!("/../migrations", "core", "0008", "held_mails"),
            migration!("/../migrations", "core", "0009", "settings"),
            migration!("/../migrations", "core", "0011", "picture_words"),
            migration!("/../migrations", "core", "0012", "scope_and_backups"),
            migration!("/../migrations", "core", "0015", "countdown_label"),
            migration!("/../migrations", "core", "0016", "site_identity"),
            migration!("/../migrations", "core", "0017", "data_version"),
            migration!("/../migrations", "core", "0020", "erased_audit"),
        ])
        .entity(&EDITION)
        .entity(&DOCUMENT)
        .entity(&PAGE_TEXT)
        .entity(&PAGE_PICTURE)
        .task(Publish)
        .task(SweepSentMails)
        .task(Forget)
        .task(LookAfterBackOffice)
        .contents(site::own(), admin::own());
}
