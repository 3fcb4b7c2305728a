//! What a file is, judged by its bytes, and whether it is safe to keep: pictures, PDFs, the kinds that are known.

mod color;
mod decode;
pub(crate) mod exif;
mod jpeg;
pub mod kind;
mod pdf;
mod picture;
mod png;
mod reduce;
pub mod texts;
mod webp;

use image::DynamicImage;

use crate::budget::Budget;
pub use picture::MOST_PIXELS;

pub(crate) use self::pdf::{budget as pdf_budget, inspect as inspect_pdf};
pub use self::picture::budget as picture_budget;
pub(crate) use self::picture::{Clean, Picture, unreadable};

/// The flag of a file that our reader did not get through to its end: it is kept as it came.
pub const DAMAGED: &str = "damaged";

/// What a file field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// JPEG, PNG, WebP.
    Picture,
    /// JPEG, PNG, WebP, PDF.
    PictureOrPdf,
    /// PDF.
    Pdf,
    /// MP4.
    Video,
    /// A table: CSV, TSV, XLSX. Whether it is one, [`crate::sheet`] says where it is read.
    Table,
}

/// The pixels of a picture, the right way up and in sRGB, eight bits of each colour, at most `width` wide. Of most PNGs no
/// more is in memory than some of their rows and what is made of them, of other pictures one copy of their pixels. The
/// memory is taken from `budget`, for as long as it lives.
///
/// # Errors
/// A sentence where the picture is damaged, none that we read, or too large; also where the result would be higher than a
/// WebP can be.
pub fn reduce_picture(bytes: Vec<u8>, width: u32, budget: &Budget) -> Result<DynamicImage, String> {
    Picture::read_header(kind::tell(&bytes, Takes::Picture)?, bytes)?.reduce(width, budget)
}
