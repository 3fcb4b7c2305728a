//! The status page: what people who sent a film or a registration see of it by a secret link, and can still change.

mod actions;
mod changes;
mod links;
mod lost;
mod page;

use festival_core::Registry;
use festival_core::admin::{Permission, Screen};
use festival_core::checks::AcceptedKinds;
use festival_core::upload::{AcceptedFile, Accepts};

pub(crate) use self::changes::DESK;
use self::links::{FIELD, FILE, KEY, StatusLink};
pub(crate) use self::links::{FILMS, KEEP_SECRET, KINDS, create_public, without_secret};

/// Registers the page, its mail, and what organisers see of what senders ask for.
pub(crate) fn register(registry: &mut Registry) {
    let files = Accepts {
        texts: vec![KEY.to_owned(), FIELD.to_owned()],
        files: vec![AcceptedFile::new(FILE, AcceptedKinds::PictureOrPdf)],
        tolerate_errors: true,
        ..Accepts::default()
    };
    registry
        .receipt_part(StatusLink)
        .mail(&lost::LOST_LINK)
        .templates(festival_core::templates![
            "status",
            "status-receipt",
            "status-sure",
            "status-lost",
            "sender-changes"
        ])
        .screen(Screen::get("/status", Permission::Public, page::show))
        .screen(Screen::get("/status/receipt", Permission::Public, page::receipt))
        .screen(Screen::get("/status/sent", Permission::Public, actions::download))
        .screen(Screen::post("/status/file", Permission::Public, actions::act).accepts(files))
        .screen(Screen::post("/status/text", Permission::Public, actions::act))
        .screen(Screen::post("/status/answer", Permission::Public, actions::act))
        .screen(Screen::post("/status/withdraw", Permission::Public, actions::act))
        .screen(Screen::post("/status/lost", Permission::Public, lost::send));
    changes::register(registry);
}
