//! The containers of pictures: JPEG segments, PNG and WebP chunks, GIF blocks.

use bytes::Bytes;
use image::metadata::Orientation;
use img_parts::jpeg::{Jpeg, JpegSegment};
use img_parts::png::PngChunk;
use img_parts::riff::RiffContent;
use img_parts::webp::WebP;
use img_parts::{DynImage, ImageEXIF as _, ImageICC as _};
use moxcms::ColorProfile;

use super::color;

/// Markers of a JPEG: the end, and segments of applications.
const END: [u8; 2] = [0xFF, 0xD9];
const JFIF: u8 = 0xE0;
const ICC: u8 = 0xE2;
const ADOBE: u8 = 0xEE;
/// Lengths of the JFIF segment before its thumbnail, and of the Adobe segment, in bytes.
const JFIF_LENGTH: usize = 12;
const ADOBE_LENGTH: usize = 12;
/// The PNG chunks that are kept: size, palette, pixels, animation, colours, transparency, resolution.
const PNG_CHUNKS: [&[u8; 4]; 16] = [
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"acTL", b"fcTL", b"fdAT", b"tRNS", b"iCCP", b"gAMA", b"cHRM", b"sRGB",
    b"cICP", b"sBIT", b"bKGD", b"pHYs",
];
/// The WebP chunks that are kept: header, profile, pixels, animation.
const WEBP_CHUNKS: [&[u8; 4]; 7] = [b"VP8X", b"ICCP", b"ANIM", b"ANMF", b"ALPH", b"VP8 ", b"VP8L"];
/// The flag of XMP in the header of a WebP.
const XMP_FLAG: u8 = 0x04;

/// Parses the container; `None` if it is damaged. Of a JPEG, only what precedes the first pixels has to be intact.
pub(super) fn parse(bytes: &Bytes) -> Option<DynImage> {
    DynImage::from_bytes(bytes.clone()).ok().flatten()
}

pub(super) fn orientation(image: &DynImage) -> Orientation {
    let block = image.exif().unwrap_or_default();
    let block = block.strip_prefix(b"Exif\0\0").unwrap_or(&block);
    Orientation::from_exif_chunk(block).unwrap_or(Orientation::NoTransforms)
}

/// Returns the colour profile, if it is valid.
pub(super) fn profile(image: &DynImage) -> Option<ColorProfile> {
    color::profile(&image.icc_profile()?)
}

/// Removes the metadata, except for a valid colour profile and the orientation. The encoded pixels stay as they are: of
/// a JPEG everything from its first scan on.
pub(super) fn strip(mut image: DynImage) -> Bytes {
    let exif = exif_block(orientation(&image));
    let profile = image.icc_profile().filter(|profile| color::profile(profile).is_some());
    // Written anew, because its name in a PNG is free text.
    image.set_icc_profile(profile);
    match &mut image {
        DynImage::Jpeg(jpeg) => strip_jpeg(jpeg),
        DynImage::Png(png) => {
            let chunks = png.chunks_mut();
            chunks.retain(|chunk| PNG_CHUNKS.contains(&&chunk.kind()));
            *chunks = chunks.drain(..).flat_map(split_pixels).collect();
        }
        DynImage::WebP(webp) => strip_webp(webp),
    }
    image.set_exif(exif);
    image.encoder().bytes()
}

fn strip_jpeg(jpeg: &mut Jpeg) {
    jpeg.segments_mut().retain_mut(|segment| {
        let content = segment.contents();
        match segment.marker() {
            // Tables, frames, the first scan.
            0xC0..=0xCF | 0xDA..=0xDF => true,
            ICC => content.starts_with(b"ICC_PROFILE\0"),
            JFIF if content.starts_with(b"JFIF\0") && content.len() >= JFIF_LENGTH => {
                let without_thumbnail = [&content[..JFIF_LENGTH], &[0, 0]].concat();
                *segment = JpegSegment::new_with_contents(JFIF, without_thumbnail.into());
                true
            }
            ADOBE if content.starts_with(b"Adobe") && content.len() >= ADOBE_LENGTH => {
                *segment = JpegSegment::new_with_contents(ADOBE, content.slice(..ADOBE_LENGTH));
                true
            }
            _ => false,
        }
    });
}

fn strip_webp(webp: &mut WebP) {
    let chunks = webp.chunks_mut();
    chunks.retain(|chunk| WEBP_CHUNKS.contains(&&chunk.id()));
    let header = chunks.iter_mut().find(|chunk| chunk.id() == *b"VP8X");
    if let Some(RiffContent::Data(data)) = header.map(img_parts::riff::RiffChunk::content_mut)
        && let Some((flags, rest)) = data.split_first()
    {
        *data = [&[flags & !XMP_FLAG][..], rest].concat().into();
    }
}

/// Removes comments, texts and applications' data from a GIF, except for the number of repetitions, and what is behind its
/// end; `None` if its blocks are damaged.
pub(super) fn strip_gif(bytes: &[u8]) -> Option<Bytes> {
    let palette = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
    let sub_blocks_end = |mut at: usize| loop {
        match *bytes.get(at)? {
            0 => break Some(at + 1),
            length => at += 1 + usize::from(length),
        }
    };
    let mut at = 13 + palette(*bytes.get(10)?);
    let mut kept = bytes.get(..at)?.to_vec();
    loop {
        let block = &bytes[at.min(bytes.len())..];
        let (end, is_kept) = match block {
            [0x3B, ..] => break,
            [0x2C, header @ ..] => (sub_blocks_end(at + 11 + palette(*header.get(8)?))?, true),
            // Timing and transparency of a frame.
            [0x21, 0xF9, ..] => (sub_blocks_end(at + 2)?, true),
            [0x21, 0xFF, 11, name @ ..] => {
                (sub_blocks_end(at + 2)?, name.starts_with(b"NETSCAPE2.0") || name.starts_with(b"ANIMEXTS1.0"))
            }
            [0x21, _, ..] => (sub_blocks_end(at + 2)?, false),
            _ => return None,
        };
        if is_kept {
            kept.extend_from_slice(bytes.get(at..end)?);
        }
        at = end;
    }
    kept.push(0x3B);
    Some(kept.into())
}

/// Removes what is behind the end of a BMP, by the lengths of file and pixels in its header, if they are plausible.
pub(super) fn strip_bmp(bytes: &Bytes) -> Bytes {
    let number = |at: usize| {
        let number = bytes.get(at..at + 4).and_then(|number| number.try_into().ok());
        number.map_or(0, u32::from_le_bytes) as usize
    };
    // Some programs count less for the file than its parts have.
    let length = number(2).max(number(10).saturating_add(number(34)));
    if (54..=bytes.len()).contains(&length) { bytes.slice(..length) } else { bytes.clone() }
}

/// Compressed pixels can be crafted to contain code such as `<?php`, even after recompression. They may be split
/// anywhere, so they are split wherever code could begin, with the next chunk's length and checksum in between.
fn split_pixels(chunk: PngChunk) -> Vec<PngChunk> {
    if chunk.kind() != *b"IDAT" {
        return vec![chunk];
    }
    let mut pixels = chunk.contents().clone();
    let mut parts = Vec::new();
    while let Some(at) = pixels.windows(2).position(|pair| pair == b"<?") {
        parts.push(PngChunk::new(*b"IDAT", pixels.split_to(at + 1)));
    }
    parts.push(PngChunk::new(*b"IDAT", pixels));
    parts
}

/// An Exif block with nothing but the orientation; `None` if the picture is upright.
fn exif_block(orientation: Orientation) -> Option<Bytes> {
    // Big-endian, one entry: tag 0x0112, one 16-bit number.
    let tag = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation.to_exif(), 0, 0];
    let block = [b"MM\0*\0\0\0\x08\0\x01".as_slice(), &tag, &[0; 4]].concat();
    (orientation != Orientation::NoTransforms).then(|| block.into())
}

/// What a JPEG says about itself before and between its pixels.
pub(super) struct JpegHeader {
    pub(super) width: u32,
    pub(super) height: u32,
    /// 1: grey, 3: colour, 4: CMYK.
    pub(super) components: u8,
    /// Whether the decoder holds all coefficients until the last scan.
    pub(super) is_buffered: bool,
    /// Number of scans.
    pub(super) scans: u64,
    /// Number of bytes behind the end marker; `None` if there is no end.
    pub(super) trailing: Option<usize>,
}

impl JpegHeader {
    /// `None` if there is no frame, or nothing behind the header of the first scan. `file` is what `jpeg` was parsed from.
    pub(super) fn read(jpeg: &Jpeg, file: &[u8]) -> Option<Self> {
        let is_frame = |marker| matches!(marker, 0xC0..=0xCF) && !matches!(marker, 0xC4 | 0xC8 | 0xCC);
        let frame = jpeg.segments().iter().find(|segment| is_frame(segment.marker()))?;
        let (width, height) = jpeg.dimensions()?;
        let scan = jpeg.segments().last()?;
        let pixels = &file[file.len() - (scan.len_with_entropy() - scan.len())..];
        let end = pixels.windows(2).position(|pair| pair == END);
        let others = pixels.windows(2).filter(|pair| *pair == [0xFF, 0xDA]).count() as u64;
        (end != Some(0)).then_some(Self {
            width: width.into(),
            height: height.into(),
            components: *frame.contents().get(5)?,
            is_buffered: others > 0 || !matches!(frame.marker(), 0xC0 | 0xC1),
            scans: 1 + others,
            trailing: end.map(|end| pixels.len() - end - END.len()),
        })
    }
}
