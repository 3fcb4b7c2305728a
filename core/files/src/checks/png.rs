//! The PNG container: a list of chunks, of which only those that the picture needs are kept.

use std::io::Read as _;

use flate2::read::ZlibDecoder;
use image::metadata::Orientation;

use super::exif;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The chunks that are kept: size, palette, colours, transparency, resolution. Without its animation chunks an APNG is
/// a still picture.
const ALLOWED_CHUNKS: [&[u8; 4]; 11] =
    [b"IHDR", b"IDAT", b"PLTE", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"cICP", b"sBIT", b"bKGD", b"pHYs"];
/// Maximum size of a colour profile, in bytes; longer ones are ignored.
const MAX_PROFILE: u64 = 4 << 20;

/// Length of the end chunk, in bytes.
const END_LENGTH: usize = 12;

/// The parsed chunks of a PNG.
pub(super) struct Png<'a> {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) orientation: Orientation,
    pub(super) icc: Option<Vec<u8>>,
    /// Whether its rows are stored in seven passes over the whole picture.
    pub(super) is_interlaced: bool,
    /// Whether the end chunk is present and complete.
    pub(super) has_end: bool,
    chunks: Vec<Chunk<'a>>,
}

struct Chunk<'a> {
    name: &'a [u8],
    content: &'a [u8],
    /// With length and checksum, unless it is cut off.
    whole: &'a [u8],
}

impl<'a> Png<'a> {
    /// Parses the chunks; `None` if there are no size or pixels.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(SIGNATURE)?;
        let mut chunks = Vec::new();
        while let (Some(length), Some(name)) = (rest.first_chunk::<4>(), rest.get(4..8)) {
            let end = (u32::from_be_bytes(*length) as usize).saturating_add(8);
            let (content, whole) = (&rest[8..end.min(rest.len())], &rest[..end.saturating_add(4).min(rest.len())]);
            chunks.push(Chunk { name, content, whole });
            if name == b"IEND" {
                break;
            }
            rest = rest.get(end.saturating_add(4)..).unwrap_or_default();
        }
        let orientation = Orientation::NoTransforms;
        let has_end = chunks.last().is_some_and(|chunk| chunk.name == b"IEND" && chunk.whole.len() >= END_LENGTH);
        let mut png = Self { width: 0, height: 0, orientation, icc: None, is_interlaced: false, has_end, chunks };
        let header = png.chunks.first().filter(|chunk| chunk.name == b"IHDR")?.content;
        png.width = u32::from_be_bytes(*header.first_chunk()?);
        png.height = u32::from_be_bytes(*header.get(4..)?.first_chunk()?);
        png.is_interlaced = header.get(12).is_some_and(|method| *method != 0);
        png.orientation = png.find(b"eXIf").map_or(Orientation::NoTransforms, exif::orientation);
        png.icc = png.find(b"iCCP").and_then(unpack_profile);
        (png.width > 0 && png.height > 0 && png.find(b"IDAT").is_some()).then_some(png)
    }

    fn find(&self, name: &[u8]) -> Option<&'a [u8]> {
        self.chunks.iter().find(|chunk| chunk.name == name).map(|chunk| chunk.content)
    }

    /// Returns the picture without metadata, except for the colour profile if `keep_profile` is set. `is_intact` says
    /// that all chunks are valid, so that pixels may be split into other chunks.
    pub(super) fn strip(&self, keep_profile: bool, is_intact: bool) -> Vec<u8> {
        let mut out = SIGNATURE.to_vec();
        let mut before_pixels = true;
        for Chunk { name, content, whole } in &self.chunks {
            if before_pixels && *name == b"IDAT" {
                before_pixels = false;
                if let Some(block) = exif::block(self.orientation) {
                    push(&mut out, b"eXIf", &block);
                }
            }
            match *name {
                b"IDAT" if is_intact => push_pixels(&mut out, content),
                // The profile's name is free text, so it is replaced.
                b"iCCP" if keep_profile => {
                    let after_name = content.iter().position(|byte| *byte == 0).map_or(0, |at| at + 1);
                    push(&mut out, b"iCCP", &[b"ICC\0", &content[after_name..]].concat());
                }
                b"iCCP" => {}
                b"IEND" => push(&mut out, b"IEND", b""),
                name if ALLOWED_CHUNKS.iter().any(|allowed| *allowed == name) => out.extend(*whole),
                _ => {}
            }
        }
        out
    }
}

fn unpack_profile(content: &[u8]) -> Option<Vec<u8>> {
    let name = content.iter().position(|byte| *byte == 0)?;
    let mut profile = Vec::new();
    ZlibDecoder::new(content.get(name + 2..)?).take(MAX_PROFILE + 1).read_to_end(&mut profile).ok()?;
    Some(profile).filter(|profile| profile.len() as u64 <= MAX_PROFILE)
}

/// Compressed pixels can be crafted to contain code such as `<?php`, even after recompression. They may be split
/// anywhere, so they are split wherever code could begin, with the next chunk's length and checksum in between.
fn push_pixels(out: &mut Vec<u8>, mut compressed: &[u8]) {
    while let Some(at) = compressed.windows(2).position(|pair| pair == b"<?") {
        push(out, b"IDAT", &compressed[..=at]);
        compressed = &compressed[at + 1..];
    }
    push(out, b"IDAT", compressed);
}

fn push(out: &mut Vec<u8>, name: &[u8; 4], content: &[u8]) {
    // No chunk is longer than its file, which is far below 4 GiB.
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
    let mut checksum = flate2::Crc::new();
    checksum.update(name);
    checksum.update(content);
    out.extend([&length.to_be_bytes(), name.as_slice(), content, &checksum.sum().to_be_bytes()].concat());
}
