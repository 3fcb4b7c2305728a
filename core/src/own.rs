//! The contributions of core itself, independent of modules.

use crate::background::{ApplyRetention, PublishDueRows, SweepBackOffice, SweepSentMails};
use crate::registry::Registry;
use festival_admin as admin;
use festival_base::migration;
use festival_records::edition::EDITION;
use festival_web::downloads::DOCUMENT;
use festival_web::page_picture::PAGE_PICTURE;
use festival_web::page_text::PAGE_TEXT;
use festival_web::site;

/// Registers the contribution "core".
pub(crate) fn register(registry: &mut Registry) {
    registry
        .migrations([migration!("/../migrations", "core", "0001", "core")])
        .entity(&EDITION)
        .entity(&DOCUMENT)
        .entity(&PAGE_TEXT)
        .entity(&PAGE_PICTURE)
        .task(PublishDueRows)
        .task(SweepSentMails)
        .task(ApplyRetention)
        .task(SweepBackOffice)
        .contents(site::own_contents(), admin::own());
}
