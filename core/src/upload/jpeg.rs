//! The frame of a JPEG: decoders fill what is missing with grey, we want to know.

/// The number of scans of a JPEG that reaches its end marker; none if it breaks off before.
pub(super) fn scans(bytes: &[u8]) -> Option<u64> {
    let (mut at, mut scans) = (2, 0);
    loop {
        at += bytes.get(at..)?.iter().position(|byte| *byte == 0xFF)?;
        let marker = *bytes.get(at + 1)?;
        at += match marker {
            0xFF => 1, // A fill byte.
            0xD9 => return (scans > 0).then_some(scans),
            // No length: a zero that belongs to the pixels, restart marks, the start itself.
            0x00 | 0x01 | 0xD0..=0xD8 => 2,
            _ => {
                scans += u64::from(marker == 0xDA);
                let length = bytes.get(at + 2..at + 4)?;
                2 + usize::from(length[0]) * 256 + usize::from(length[1])
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::scans;

    #[test]
    fn the_end_must_be_there() {
        let whole = [0xFF, 0xD8, 0xFF, 0xDA, 0, 3, 1, 7, 0xFF, 0, 0xFF, 0xD0, 9, 0xFF, 0xD9];
        assert_eq!(scans(&whole), Some(1));
        for end in 0..whole.len() {
            assert_eq!(scans(&whole[..end]), None, "{end}");
        }
        assert_eq!(scans(&[0xFF, 0xD8, 0xFF, 0xD9]), None, "no picture in it");
        // An end marker inside a segment, as a thumbnail has it, is not the end.
        assert_eq!(scans(&[0xFF, 0xD8, 0xFF, 0xE1, 0, 4, 0xFF, 0xD9]), None);
    }
}
