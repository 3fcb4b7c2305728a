//! Detection of a file's kind by its content, and checks and cleaning of pictures and PDFs.

mod color;
mod container;
mod decode;
mod flags;
pub mod kind;
mod pdf;
mod picture;
pub mod texts;

use image::DynamicImage;

use crate::budget::Budget;
pub use flags::DAMAGED;
pub use kind::AcceptedKinds;
pub use picture::MAX_PIXELS;

pub(crate) use self::pdf::{budget as pdf_budget, inspect as inspect_pdf};
pub use self::picture::budget as picture_budget;
pub(crate) use self::picture::{CleanedPicture, Picture, unreadable};

/// Decodes a picture at a width of at most `width` pixels: upright, in sRGB, with eight bits per channel.
///
/// Most PNGs are decoded row by row, with only some rows in memory besides the result; of other pictures the whole
/// pixels are in memory once. The memory is reserved from `budget` for its lifetime.
///
/// # Errors
/// A sentence for people if the picture is damaged, of an unsupported kind or too large, or if the result would exceed
/// the maximum height of a WebP.
pub fn reduce_picture(bytes: Vec<u8>, width: u32, budget: &Budget) -> Result<DynamicImage, String> {
    Picture::read_header(kind::detect(&bytes, AcceptedKinds::Picture)?, bytes)?.reduce(width, budget)
}
