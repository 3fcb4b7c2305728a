//! The container of a PNG: a list of chunks, of which those that the picture needs are kept.

use std::io::Read as _;

use flate2::read::ZlibDecoder;
use image::metadata::Orientation;

use super::exif;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Size, palette, colours, transparency, resolution. What moves is left out: it stands still then.
const KEPT: [&[u8; 4]; 11] =
    [b"IHDR", b"IDAT", b"PLTE", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"cICP", b"sBIT", b"bKGD", b"pHYs"];
/// The most bytes of a colour profile; what is longer is none.
const LARGEST_PROFILE: u64 = 4 << 20;

/// What the chunks of a PNG say.
pub(super) struct Png<'a> {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) orientation: Orientation,
    pub(super) icc: Option<Vec<u8>>,
    /// Its rows come in seven passes over the whole picture.
    pub(super) is_interlaced: bool,
    chunks: Vec<Chunk<'a>>,
}

struct Chunk<'a> {
    name: &'a [u8],
    content: &'a [u8],
    /// With length and checksum, as far as it goes.
    whole: &'a [u8],
}

impl<'a> Png<'a> {
    /// Reads the chunks; none where no picture begins.
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
        let mut png = Self { width: 0, height: 0, orientation, icc: None, is_interlaced: false, chunks };
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

    /// The picture without what it says about people, places and programs. `keep_profile`: with its colour profile.
    /// `is_sound`: every chunk is whole.
    pub(super) fn strip(&self, keep_profile: bool, is_sound: bool) -> Vec<u8> {
        let mut kept = SIGNATURE.to_vec();
        let mut before_pixels = true;
        for Chunk { name, content, whole } in &self.chunks {
            if before_pixels && *name == b"IDAT" {
                before_pixels = false;
                if let Some(block) = exif::block(self.orientation) {
                    push(&mut kept, b"eXIf", &block);
                }
            }
            match *name {
                b"IDAT" if is_sound => push_pixels(&mut kept, content),
                // Every profile is called the same: its name is free text.
                b"iCCP" if keep_profile => {
                    let after_name = content.iter().position(|byte| *byte == 0).map_or(0, |at| at + 1);
                    push(&mut kept, b"iCCP", &[b"ICC\0", &content[after_name..]].concat());
                }
                b"iCCP" => {}
                b"IEND" => push(&mut kept, b"IEND", b""),
                name if KEPT.iter().any(|known| *known == name) => kept.extend(*whole),
                _ => {}
            }
        }
        kept
    }
}

fn unpack_profile(content: &[u8]) -> Option<Vec<u8>> {
    let name = content.iter().position(|byte| *byte == 0)?;
    let mut profile = Vec::new();
    ZlibDecoder::new(content.get(name + 2..)?).take(LARGEST_PROFILE + 1).read_to_end(&mut profile).ok()?;
    Some(profile).filter(|profile| profile.len() as u64 <= LARGEST_PROFILE)
}

/// Packed pixels can be made to spell a program, which survives packing them anew. They may be divided anywhere, so
/// they are, wherever one would begin: the next chunk's length and checksum stand between.
fn push_pixels(kept: &mut Vec<u8>, mut packed: &[u8]) {
    while let Some(at) = packed.windows(2).position(|pair| pair == b"<?") {
        push(kept, b"IDAT", &packed[..=at]);
        packed = &packed[at + 1..];
    }
    push(kept, b"IDAT", packed);
}

fn push(kept: &mut Vec<u8>, name: &[u8; 4], content: &[u8]) {
    // No chunk is longer than the file it came from, which is far below 4 GiB.
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
    let mut checksum = flate2::Crc::new();
    checksum.update(name);
    checksum.update(content);
    kept.extend([&length.to_be_bytes(), name.as_slice(), content, &checksum.sum().to_be_bytes()].concat());
}
