//! Reads and writes the orientation of a picture, the only Exif field that is kept.

use image::metadata::Orientation;

/// Returns the orientation from an Exif block.
pub(crate) fn orientation(block: &[u8]) -> Orientation {
    let block = block.strip_prefix(b"Exif\0\0").unwrap_or(block);
    Orientation::from_exif_chunk(block).unwrap_or(Orientation::NoTransforms)
}

/// Returns an Exif block that contains only the orientation; `None` if the picture is upright.
pub(crate) fn block(orientation: Orientation) -> Option<Vec<u8>> {
    // Big-endian, one entry: tag 0x0112, one 16-bit number.
    let tag = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation.to_exif(), 0, 0];
    let block = [b"MM\0*\0\0\0\x08\0\x01".as_slice(), &tag, &[0; 4]].concat();
    (orientation != Orientation::NoTransforms).then_some(block)
}
