//! The container of a WebP: a list of chunks, of which only the picture's own are kept.

/// Every chunk with its content; none if one of them breaks off.
fn chunks(bytes: &[u8]) -> Option<Vec<(&[u8], &[u8])>> {
    let size = u32::from_le_bytes(bytes.get(4..8)?.try_into().ok()?) as usize;
    let mut rest = bytes.get(12..size.checked_add(8)?)?;
    let mut chunks = Vec::new();
    while rest.len() >= 8 {
        let length = u32::from_le_bytes(rest[4..8].try_into().ok()?) as usize;
        chunks.push((&rest[..4], rest.get(8..length.checked_add(8)?)?));
        rest = rest.get(8 + length + length % 2..).unwrap_or_default();
    }
    Some(chunks)
}

/// Whether it is an animation.
pub(super) fn is_moving(bytes: &[u8]) -> bool {
    chunks(bytes).is_some_and(|chunks| chunks.iter().any(|(name, _)| matches!(*name, b"ANIM" | b"ANMF")))
}

/// The still picture alone: pixels, transparency, and the size where transparency needs it.
pub(super) fn strip(bytes: &[u8]) -> Option<Vec<u8>> {
    let chunks = chunks(bytes)?;
    let find = |wanted: &[u8]| chunks.iter().find(|(name, _)| *name == wanted).copied();
    let picture = find(b"VP8 ").or_else(|| find(b"VP8L"))?;
    let mut kept = Vec::with_capacity(bytes.len());
    if let (b"VP8 ", Some(transparency)) = (picture.0, find(b"ALPH")) {
        // Flags (transparency only), three reserved bytes, width and height less one.
        let mut header = [0; 10];
        header[0] = 0x10;
        header[4..].copy_from_slice(find(b"VP8X")?.1.get(4..10)?);
        push(&mut kept, (b"VP8X", &header));
        push(&mut kept, transparency);
    }
    push(&mut kept, picture);
    let size = u32::try_from(kept.len() + 4).ok()?;
    Some([b"RIFF", size.to_le_bytes().as_slice(), b"WEBP", &kept].concat())
}

fn push(kept: &mut Vec<u8>, (name, content): (&[u8], &[u8])) {
    // No chunk is longer than the file it came from, which is far below 4 GiB.
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
    kept.extend([name, length.to_le_bytes().as_slice(), content].concat());
    if content.len() % 2 == 1 {
        kept.push(0);
    }
}
