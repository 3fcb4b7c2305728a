//! The container of a JPEG: a list of segments, of which those that the picture needs are kept, byte for byte.

use std::ops::Range;

use image::metadata::Orientation;

use super::exif;

const EXIF: &[u8] = b"Exif\0\0";
const ICC: &[u8] = b"ICC_PROFILE\0";
/// The bytes of an Adobe segment that say how the colours are coded.
const ADOBE: usize = 12;
/// The bytes of a JFIF segment before its thumbnail.
const JFIF: usize = 12;

/// What the segments of a JPEG say.
pub(super) struct Jpeg<'a> {
    bytes: &'a [u8],
    pub(super) width: u32,
    pub(super) height: u32,
    /// 1 grey, 3 colours, 4 inks.
    pub(super) components: u8,
    /// Its frame's marker: 0xC0 and 0xC1 are decoded block by block, of all others the whole is kept until the last scan.
    pub(super) frame: u8,
    /// Scans that begin, and whether the end of the picture is there.
    pub(super) scans: u64,
    pub(super) has_end: bool,
    pub(super) orientation: Orientation,
    pub(super) icc: Option<Vec<u8>>,
    segments: Vec<Segment>,
    /// Where the first scan's header begins.
    first_scan: usize,
    end: usize,
}

/// A marker with what belongs to it: its segment, or the pixels that follow it.
struct Segment {
    marker: u8,
    /// From the marker on.
    range: Range<usize>,
}

impl<'a> Jpeg<'a> {
    /// Reads the segments; none where no picture begins.
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
                // No length: a zero that belongs to the pixels, restart marks, a second start.
                0x00 | 0x01 | 0xD0..=0xD8 => {
                    jpeg.extend_last(at + 2);
                    at += 2;
                }
                0xD9 => {
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
                        0xDA => {
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

    /// Whether anything follows the header of a scan.
    pub(super) fn has_pixels(&self) -> bool {
        self.segments.iter().filter(|segment| segment.marker == 0xDA).any(|Segment { range, .. }| {
            let length = [self.bytes[range.start + 2], self.bytes[range.start + 3]];
            range.len() > 2 + usize::from(u16::from_be_bytes(length)).max(2)
        })
    }

    /// What lies between the last scan's header and `to` are its pixels.
    fn extend_last(&mut self, to: usize) {
        if let Some(last) = self.segments.last_mut().filter(|last| last.marker == 0xDA) {
            last.range.end = last.range.end.max(to);
        }
    }

    /// The picture without what it says about people, places and programs. `keep_profile`: with its colour profile.
    /// `whole`: segments between scans are looked at too; in a damaged picture they may be pixels.
    pub(super) fn strip(&self, keep_profile: bool, whole: bool) -> Vec<u8> {
        let mut kept = Vec::with_capacity(self.end);
        kept.extend(b"\xFF\xD8");
        if let Some(block) = exif::block(self.orientation) {
            push(&mut kept, 0xE1, &[EXIF, &block].concat());
        }
        for Segment { marker, range } in &self.segments {
            if range.start >= self.first_scan && !whole {
                kept.extend(&self.bytes[self.first_scan..self.end]);
                return kept;
            }
            let segment = &self.bytes[range.clone()];
            let content = segment.get(4..).unwrap_or_default();
            match marker {
                // Tables, frames, scans.
                0xC0..=0xCF | 0xDA..=0xDF => kept.extend(segment),
                0xE0 if content.starts_with(b"JFIF\0") && content.len() >= JFIF => {
                    push(&mut kept, 0xE0, &[&content[..JFIF], &[0, 0]].concat());
                }
                0xE2 if content.starts_with(ICC) && keep_profile => kept.extend(segment),
                0xEE if content.starts_with(b"Adobe") && content.len() >= ADOBE => {
                    push(&mut kept, 0xEE, &content[..ADOBE]);
                }
                _ => {}
            }
        }
        if self.has_end {
            kept.extend(b"\xFF\xD9");
        }
        kept
    }
}

fn push(kept: &mut Vec<u8>, marker: u8, content: &[u8]) {
    // All of them are shorter than a segment may be.
    let length = u16::try_from(content.len() + 2).unwrap_or(u16::MAX);
    kept.extend([0xFF, marker]);
    kept.extend(length.to_be_bytes());
    kept.extend(content);
}

#[cfg(test)]
mod tests {
    use super::Jpeg;

    const FRAME: [u8; 13] = [0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0];
    const SCAN: [u8; 9] = [0xFF, 0xDA, 0, 3, 1, 7, 0xFF, 0, 9];

    #[test]
    fn a_picture_needs_a_frame_and_a_scan() {
        let whole = [&[0xFF, 0xD8], FRAME.as_slice(), &SCAN, &[0xFF, 0xD0, 9, 0xFF, 0xD9]].concat();
        let jpeg = Jpeg::read(&whole).expect("a picture");
        assert_eq!((jpeg.width, jpeg.height, jpeg.components, jpeg.scans, jpeg.has_end), (3, 2, 1, 1, true));
        assert_eq!(jpeg.strip(true, true), whole);
        assert_eq!(jpeg.strip(true, false), whole);
        for end in 0..20 {
            assert!(Jpeg::read(&whole[..end]).is_none(), "{end}");
        }
        assert!(Jpeg::read(&whole[..whole.len() - 1]).is_some_and(|jpeg| !jpeg.has_end));
        assert!(Jpeg::read(&[0xFF, 0xD8, 0xFF, 0xD9]).is_none(), "no picture in it");
        // An end marker inside a segment, as a thumbnail has it, is not the end.
        assert!(Jpeg::read(&[0xFF, 0xD8, 0xFF, 0xE1, 0, 4, 0xFF, 0xD9]).is_none());
    }

    #[test]
    fn only_what_the_picture_needs_is_kept() {
        let note = [0xFF, 0xFE, 0, 5, b'J', b'o', b'e'];
        let whole = [&[0xFF, 0xD8], note.as_slice(), &FRAME, &SCAN, &note, &SCAN, &[0xFF, 0xD9], b"Joe"].concat();
        let clean = [&[0xFF, 0xD8], FRAME.as_slice(), &SCAN, &SCAN, &[0xFF, 0xD9]].concat();
        let damaged = [&[0xFF, 0xD8], FRAME.as_slice(), &SCAN, &note, &SCAN, &[0xFF, 0xD9]].concat();
        let jpeg = Jpeg::read(&whole).expect("a picture");
        assert_eq!(jpeg.strip(true, true), clean);
        assert_eq!(jpeg.strip(true, false), damaged, "what looks like a note between scans may be pixels");
    }
}
