//! The files of a form: which there may be, and how one that is kept already travels on.

use super::{alternative_texts, plan};
use crate::screen::Screen;
use festival_files::checks::AcceptedKinds;
use festival_files::upload::{AcceptedFile, Accepts};
use festival_records::entity::{Entity, Field, Kind};

/// The largest document or video that organisers may put on the site, in bytes.
const LARGEST_DOCUMENT: u64 = 64 << 20;
/// The largest picture, in bytes: as cameras make them.
const LARGEST_PICTURE: u64 = 20 << 20;
/// The longest text of a form with files, in bytes.
const LARGEST_TEXT: usize = 1 << 20;
/// The names of the form's own fields.
const OWN: [&str; 5] = ["csrf", "mark", "edition", "then", plan::MOMENT];

/// The field in which a file that is kept already travels on.
pub(super) fn kept(field: &Field) -> String {
    format!("kept_{}", field.name)
}

/// The field that says that a file goes.
pub(super) fn removed(field: &Field) -> String {
    format!("remove_{}", field.name)
}

/// The fields that hold files.
pub(super) fn of(entity: &Entity) -> impl Iterator<Item = &'static Field> {
    entity.columns().filter(|field| matches!(field.kind, Kind::Image | Kind::Document | Kind::Video))
}

/// `screen`, which takes the form of an entity.
pub(super) fn taking(screen: Screen, entity: &'static Entity) -> Screen {
    if of(entity).next().is_none() {
        return screen.with_long_texts();
    }
    let mut accepts = Accepts { max_text_bytes: LARGEST_TEXT, tolerate_errors: true, ..Accepts::default() };
    accepts.texts.extend(OWN.iter().skip(1).map(|name| (*name).to_owned()));
    for field in entity.columns() {
        match field.kind {
            Kind::Image => {
                accepts.files.push(AcceptedFile::new(field.name, AcceptedKinds::Picture).max_bytes(LARGEST_PICTURE));
            }
            Kind::Document => {
                accepts.files.push(AcceptedFile::new(field.name, AcceptedKinds::Pdf).max_bytes(LARGEST_DOCUMENT));
            }
            Kind::Video => {
                accepts.files.push(AcceptedFile::new(field.name, AcceptedKinds::Video).max_bytes(LARGEST_DOCUMENT));
            }
            _ => accepts.texts.push(field.name.to_owned()),
        }
        if matches!(field.kind, Kind::Image | Kind::Document | Kind::Video) {
            accepts.texts.extend([kept(field), removed(field), alternative_texts::name(field)]);
        }
    }
    screen.accepts(accepts)
}
