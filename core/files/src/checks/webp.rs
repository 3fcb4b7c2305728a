//! The WebP container: a list of chunks, of which only those that the picture needs are kept, byte for byte.

use image::metadata::Orientation;

use super::exif;

/// Flags of the extended header.
const PROFILE: u8 = 0x20;
const TRANSPARENCY: u8 = 0x10;
const EXIF: u8 = 0x08;

/// The parsed chunks of a WebP.
pub(super) struct Webp<'a> {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Whether all chunks are complete.
    pub(super) has_end: bool,
    pub(super) is_animated: bool,
    pub(super) orientation: Orientation,
    pub(super) icc: Option<&'a [u8]>,
    picture: Chunk<'a>,
    transparency: Option<Chunk<'a>>,
}

#[derive(Clone, Copy)]
struct Chunk<'a> {
    name: &'a [u8],
    /// Length in its header.
    length: u32,
    /// Its content, shorter than `length` if the file is truncated.
    content: &'a [u8],
}

impl<'a> Webp<'a> {
    /// Parses the chunks; `None` if there is no picture.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let size = u32::from_le_bytes(*bytes.get(4..)?.first_chunk()?) as usize;
        let mut rest = bytes.get(12..size.saturating_add(8).min(bytes.len()))?;
        let mut chunks = Vec::new();
        let mut has_end = size.saturating_add(8) <= bytes.len();
        while let (Some(name), Some(length)) = (rest.get(..4), rest.get(4..).and_then(|rest| rest.first_chunk::<4>())) {
            let length = u32::from_le_bytes(*length);
            let end = (length as usize).saturating_add(8);
            has_end &= end <= rest.len();
            chunks.push(Chunk { name, length, content: &rest[8..end.min(rest.len())] });
            rest = rest.get(end + end % 2..).unwrap_or_default();
        }
        let find = |name: &[u8]| chunks.iter().find(|chunk| chunk.name == name).copied();
        let picture = find(b"VP8 ").or_else(|| find(b"VP8L"));
        let is_animated = chunks.iter().any(|chunk| matches!(chunk.name, b"ANIM" | b"ANMF"));
        let (width, height) = dimensions(picture)?;
        Some(Self {
            width,
            height,
            has_end,
            is_animated,
            orientation: find(b"EXIF").map_or(Orientation::NoTransforms, |chunk| exif::orientation(chunk.content)),
            icc: find(b"ICCP").map(|chunk| chunk.content),
            picture: picture?,
            transparency: find(b"ALPH"),
        })
    }

    fn is_lossless(&self) -> bool {
        self.picture.name == b"VP8L"
    }

    /// Returns the memory that decoding needs per pixel, in bytes, output included.
    pub(super) fn memory_per_pixel(&self) -> u64 {
        match (self.is_lossless(), self.transparency) {
            (true, _) => 8,
            (false, Some(_)) => 7,
            (false, None) => 5,
        }
    }

    /// Returns the picture without metadata, except for the colour profile if `keep_profile` is set.
    pub(super) fn strip(&self, keep_profile: bool) -> Vec<u8> {
        let profile = self.icc.filter(|_| keep_profile);
        // Nothing can follow a truncated picture.
        let block = exif::block(self.orientation).filter(|_| self.has_end);
        let is_lossless = self.is_lossless();
        let mut flags = 0;
        flags |= if profile.is_some() { PROFILE } else { 0 };
        flags |= if block.is_some() { EXIF } else { 0 };
        flags |= if self.transparency.is_some() && !is_lossless { TRANSPARENCY } else { 0 };
        let mut chunks = Vec::new();
        if flags != 0 {
            // A lossless picture contains its alpha channel, as its own header says.
            let own = self.picture.content.get(4).is_some_and(|byte| byte & TRANSPARENCY != 0);
            flags |= if is_lossless && own { TRANSPARENCY } else { 0 };
            let size = [self.width, self.height].map(|side| (side - 1).to_le_bytes());
            let header = [&[flags, 0, 0, 0], &size[0][..3], &size[1][..3]].concat();
            push(&mut chunks, b"VP8X", 10, &header);
        }
        if let Some(profile) = profile {
            push(&mut chunks, b"ICCP", length_of(profile), profile);
        }
        if let Some(alpha) = self.transparency.filter(|_| !is_lossless) {
            push(&mut chunks, alpha.name, alpha.length, alpha.content);
        }
        push(&mut chunks, self.picture.name, self.picture.length, self.picture.content);
        if let Some(block) = block {
            push(&mut chunks, b"EXIF", length_of(&block), &block);
        }
        // Missing bytes are counted, so that decoders see that the file is truncated.
        let Chunk { length, content, .. } = self.picture;
        let missing =
            if is_truncated(length, content) { (length - length_of(content)).saturating_add(length % 2) } else { 0 };
        let size = length_of(&chunks).saturating_add(4).saturating_add(missing);
        [b"RIFF", size.to_le_bytes().as_slice(), b"WEBP", &chunks].concat()
    }
}

/// Width and height from the header of the bitstream.
fn dimensions(picture: Option<Chunk<'_>>) -> Option<(u32, u32)> {
    let Chunk { name, content, .. } = picture?;
    if name == b"VP8L" {
        let bits = u32::from_le_bytes(*content.strip_prefix(&[0x2F])?.first_chunk()?);
        return Some(((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1));
    }
    let side = |at: usize| Some(u32::from(u16::from_le_bytes(*content.get(at..)?.first_chunk()?) & 0x3FFF));
    let (width, height) = (side(6)?, side(8)?);
    (content.get(3..6)? == [0x9D, 0x01, 0x2A] && width > 0 && height > 0).then_some((width, height))
}

/// The length as 32 bits: no chunk is longer than its file, which is far below 4 GiB.
fn length_of(content: &[u8]) -> u32 {
    u32::try_from(content.len()).unwrap_or(u32::MAX)
}

fn is_truncated(length: u32, content: &[u8]) -> bool {
    length_of(content) < length
}

fn push(chunks: &mut Vec<u8>, name: &[u8], length: u32, content: &[u8]) {
    chunks.extend([name, &length.to_le_bytes(), content].concat());
    if content.len() % 2 == 1 && !is_truncated(length, content) {
        chunks.push(0);
    }
}
