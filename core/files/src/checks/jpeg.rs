//! The JPEG container: a list of segments, of which only those that the picture needs are kept, byte for byte.

use std::ops::Range;

use image::metadata::Orientation;

use super::exif;

/// Markers of a scan, and of the end.
const SCAN: u8 = 0xDA;
const END: u8 = 0xD9;
const EXIF: &[u8] = b"Exif\0\0";
const ICC: &[u8] = b"ICC_PROFILE\0";
/// Marker of the frame of a progressive picture.
const PROGRESSIVE: u8 = 0xC2;
/// Noise that any tables decode to pixels: it has zeros, ones and no marker.
const NOISE: [u8; 8] = [0x9D, 0x36, 0xC5, 0x4B, 0x72, 0xE8, 0x1F, 0xA4];
/// Length of an Adobe segment with its colour transform, in bytes.
const ADOBE_LENGTH: usize = 12;
/// Length of a JFIF segment before its thumbnail, in bytes.
const JFIF_LENGTH: usize = 12;

/// The parsed segments of a JPEG.
pub(super) struct Jpeg<'a> {
    bytes: &'a [u8],
    pub(super) width: u32,
    pub(super) height: u32,
    /// 1: grey, 3: colour, 4: CMYK.
    pub(super) components: u8,
    /// Marker of the frame: 0xC0 and 0xC1 are decoded block by block, all others are buffered until the last scan.
    pub(super) frame: u8,
    /// Number of scans, complete or not.
    pub(super) scans: u64,
    /// Whether the end marker is present.
    pub(super) has_end: bool,
    pub(super) orientation: Orientation,
    pub(super) icc: Option<Vec<u8>>,
    segments: Vec<Segment>,
    /// Offset of the first scan's header.
    first_scan: usize,
    end: usize,
}

/// A marker with its segment; for a scan also with the pixels that follow.
struct Segment {
    marker: u8,
    /// Starts at the marker.
    range: Range<usize>,
}

impl<'a> Jpeg<'a> {
    /// Parses the segments; `None` if there is no frame or scan.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut jpeg = Self {
            bytes,
            width: 0,
            height: 0,
            components: 0,
            frame: 0,
            scans: 0,
            has_end: false,
            orientation: Orientation::NoTransforms,
            icc: None,
            segments: Vec::new(),
            first_scan: 0,
            end: bytes.len(),
        };
        let mut exif = None;
        let mut profile = Vec::new();
        let mut at = 2;
        while let Some(gap) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == 0xFF)) {
            // Pixels between a scan's header and the next marker belong to the scan.
            jpeg.extend_last(at + gap);
            at += gap;
            let Some(&marker) = bytes.get(at + 1) else { break };
            match marker {
                // A fill byte.
                0xFF => at += 1,
                // Markers without a length: escaped 0xFF in pixels, restart markers, a second start. What may not follow
                // a scan is pixels, damaged or not.
                _ if is_without_length(marker) || jpeg.scans > 0 && !may_follow_scan(marker) => {
                    jpeg.extend_last(at + 2);
                    at += 2;
                }
                END => {
                    (jpeg.has_end, jpeg.end) = (true, at + 2);
                    break;
                }
                _ => {
                    let Some(length) = bytes.get(at + 2..at + 4) else { break };
                    let end = at + 2 + usize::from(u16::from_be_bytes([length[0], length[1]])).max(2);
                    let Some(content) = bytes.get(at + 4..end) else { break };
                    match marker {
                        0xC0..=0xCF if !matches!(marker, 0xC4 | 0xC8 | 0xCC) && jpeg.components == 0 => {
                            let size = |at: usize| u32::from(u16::from_be_bytes([content[at], content[at + 1]]));
                            if content.len() >= 6 {
                                (jpeg.height, jpeg.width, jpeg.components) = (size(1), size(3), content[5]);
                                jpeg.frame = marker;
                            }
                        }
                        SCAN => {
                            if jpeg.scans == 0 {
                                jpeg.first_scan = at;
                            }
                            jpeg.scans += 1;
                        }
                        0xE1 if content.starts_with(EXIF) => exif = exif.or(Some(content)),
                        0xE2 if content.starts_with(ICC) && content.len() > ICC.len() + 2 => {
                            profile.push((content[ICC.len()], &content[ICC.len() + 2..]));
                        }
                        _ => {}
                    }
                    jpeg.segments.push(Segment { marker, range: at..end });
                    at = end;
                }
            }
        }
        if !jpeg.has_end {
            jpeg.extend_last(bytes.len());
        }
        jpeg.orientation = exif.map_or(Orientation::NoTransforms, exif::orientation);
        profile.sort_by_key(|(number, _)| *number);
        let profile = profile.into_iter().map(|(_, part)| part).collect::<Vec<_>>().concat();
        jpeg.icc = Some(profile).filter(|profile| !profile.is_empty());
        (jpeg.scans > 0 && jpeg.width > 0 && jpeg.height > 0).then_some(jpeg)
    }

    /// Returns whether any scan has pixels after its header.
    pub(super) fn has_pixels(&self) -> bool {
        self.segments.iter().filter(|segment| segment.marker == SCAN).any(|Segment { range, .. }| {
            let length = [self.bytes[range.start + 2], self.bytes[range.start + 3]];
            range.len() > 2 + usize::from(u16::from_be_bytes(length)).max(2)
        })
    }

    /// Adds the bytes up to `to` to the last segment, if it is a scan.
    fn extend_last(&mut self, to: usize) {
        if let Some(last) = self.segments.last_mut().filter(|last| last.marker == SCAN) {
            last.range.end = last.range.end.max(to);
        }
    }

    /// Returns the picture without metadata, except for the colour profile if `keep_profile` is set. Unless
    /// `is_intact`, all bytes from the first scan on are kept, because what looks like a segment in a damaged picture
    /// may be pixels.
    pub(super) fn strip(&self, keep_profile: bool, is_intact: bool) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.end);
        out.extend(b"\xFF\xD8");
        if let Some(block) = exif::block(self.orientation) {
            push(&mut out, 0xE1, &[EXIF, &block].concat());
        }
        for Segment { marker, range } in &self.segments {
            if range.start >= self.first_scan && !is_intact {
                out.extend(&self.bytes[self.first_scan..self.end]);
                return out;
            }
            let segment = &self.bytes[range.clone()];
            let content = segment.get(4..).unwrap_or_default();
            match marker {
                // Tables, frames, scans.
                0xC0..=0xCF | 0xDA..=0xDF => out.extend(segment),
                0xE0 if content.starts_with(b"JFIF\0") && content.len() >= JFIF_LENGTH => {
                    push(&mut out, 0xE0, &[&content[..JFIF_LENGTH], &[0, 0]].concat());
                }
                0xE2 if content.starts_with(ICC) && keep_profile => out.extend(segment),
                0xEE if content.starts_with(b"Adobe") && content.len() >= ADOBE_LENGTH => {
                    push(&mut out, 0xEE, &content[..ADOBE_LENGTH]);
                }
                _ => {}
            }
        }
        if self.has_end {
            out.extend([0xFF, END]);
        }
        out
    }

    /// Returns a stripped picture with noise between its last scan and its end. It looks the same if the scan is complete;
    /// a decoder fills the gap of an incomplete one, and would take the noise for pixels.
    pub(super) fn probe(&self, stripped: &[u8]) -> Vec<u8> {
        let (scans, end) = stripped.split_at(stripped.len().saturating_sub(2));
        // The decoder expects the next marker directly behind the first scan of a progressive picture.
        let noise = if self.scans == 1 && self.frame == PROGRESSIVE { Vec::new() } else { NOISE.repeat(8) };
        [scans, &noise, end].concat()
    }
}

fn is_without_length(marker: u8) -> bool {
    matches!(marker, 0x00 | 0x01 | 0xD0..=0xD8)
}

/// Whether something follows the pixels of a scan: tables, another scan, the end, metadata.
fn may_follow_scan(marker: u8) -> bool {
    matches!(marker, 0xC4 | END..=0xDD | 0xE0..=0xEF | 0xFE)
}

fn push(out: &mut Vec<u8>, marker: u8, content: &[u8]) {
    // All contents are shorter than the maximum of a segment.
    let length = u16::try_from(content.len() + 2).unwrap_or(u16::MAX);
    out.extend([0xFF, marker]);
    out.extend(length.to_be_bytes());
    out.extend(content);
}

#[cfg(test)]
mod tests {
    use super::Jpeg;

    const FRAME: [u8; 13] = [0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0];
    const SCAN: [u8; 9] = [0xFF, 0xDA, 0, 3, 1, 7, 0xFF, 0, 9];

    #[test]
    fn jpeg_needs_a_frame_and_a_scan() {
        let whole = [&[0xFF, 0xD8], FRAME.as_slice(), &SCAN, &[0xFF, 0xD0, 9, 0xFF, 0xD9]].concat();
        let jpeg = Jpeg::read(&whole).expect("a picture");
        assert_eq!((jpeg.width, jpeg.height, jpeg.components, jpeg.scans, jpeg.has_end), (3, 2, 1, 1, true));
        assert_eq!(jpeg.strip(true, true), whole);
        assert_eq!(jpeg.strip(true, false), whole);
        for end in 0..20 {
            assert!(Jpeg::read(&whole[..end]).is_none(), "{end}");
        }
        assert!(Jpeg::read(&whole[..whole.len() - 1]).is_some_and(|jpeg| !jpeg.has_end));
        assert!(Jpeg::read(&[0xFF, 0xD8, 0xFF, 0xD9]).is_none(), "no frame and no scan");
        // An end marker inside a segment, as a thumbnail has it, is not the end.
        assert!(Jpeg::read(&[0xFF, 0xD8, 0xFF, 0xE1, 0, 4, 0xFF, 0xD9]).is_none());
    }

    #[test]
    fn strip_removes_metadata_segments() {
        let comment = [0xFF, 0xFE, 0, 5, b'J', b'o', b'e'];
        let whole = [&[0xFF, 0xD8], comment.as_slice(), &FRAME, &SCAN, &comment, &SCAN, &[0xFF, 0xD9], b"Joe"].concat();
        let clean = [&[0xFF, 0xD8], FRAME.as_slice(), &SCAN, &SCAN, &[0xFF, 0xD9]].concat();
        let damaged = [&[0xFF, 0xD8], FRAME.as_slice(), &SCAN, &comment, &SCAN, &[0xFF, 0xD9]].concat();
        let jpeg = Jpeg::read(&whole).expect("a picture");
        assert_eq!(jpeg.strip(true, true), clean);
        assert_eq!(jpeg.strip(true, false), damaged, "what looks like a comment between scans may be pixels");
    }
}
