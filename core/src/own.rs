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
        .migrations([migration!("/../migrations", "core", "0001", "core")])
        .entity(&EDITION)
        .entity(&DOCUMENT)
        .entity(&PAGE_TEXT)
        .entity(&PAGE_PICTURE)
        .task(Publish)
        .task(SweepSentMails)
        .task(Forget)
        .task(LookAfterBackOffice)
        .contents(site::own_contents(), admin::own());
}
