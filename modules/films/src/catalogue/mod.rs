//! The films of an edition for print and press: the catalogue, an HTML page to print, and the press kit, an archive of
//! pictures and texts.

mod command;
mod faces;
mod html;
mod picture;
mod press_kit;
mod screen;
mod selection;

pub(crate) use command::{FORMAT_NAMES, Publication, write_to_file};
pub(crate) use screen::register;
