//! What core contributes itself, whichever modules there are.

use crate::admin;
use crate::background::{LookAfterBackOffice, Publish, SweepSentMails};
use crate::downloads::DOCUMENT;
use crate::edition::EDITION;
use crate::registry::Registry;
use crate::site;
use festival_web::page_picture::PAGE_PICTURE;
use festival_web::page_text::PAGE_TEXT;

/// The contribution "core".
pub(crate) fn register(registry: &mut Registry) {
    registry
        .migrations([
            crate::migration!("/../migrations", "core", "0001", "core"),
            crate::migration!("/../migrations", "core", "0002", "outbox"),
            crate::migration!("/../migrations", "core", "0003", "documents"),
            crate::migration!("/../migrations", "core", "0007", "revisions"),
            crate::migration!("/../migrations", "core", "0008", "held_mails"),
            crate::migration!("/../migrations", "core", "0009", "settings"),
            crate::migration!("/../migrations", "core", "0011", "picture_words"),
            crate::migration!("/../migrations", "core", "0015", "countdown_label"),
            crate::migration!("/../migrations", "core", "0016", "site_identity"),
            crate::migration!("/../migrations", "core", "0004", "admin_accounts"),
            crate::migration!("/../migrations", "core", "0005", "admin_audit"),
            crate::migration!("/../migrations", "core", "0012", "scope_and_backups"),
        ])
        .entity(&EDITION)
        .entity(&DOCUMENT)
        .entity(&PAGE_TEXT)
        .entity(&PAGE_PICTURE)
        .task(Publish)
        .task(SweepSentMails)
        .task(LookAfterBackOffice)
        .contents(site::own(), admin::own());
}
