//! Sizes of files as text.

/// Formats a size in decimal units: "341 kB", "1.2 MB", "14.0 GB"; small ones in bytes.
pub fn size(bytes: u64) -> String {
    let (unit, word) = match bytes {
        1 => return "1 byte".to_owned(),
        0..1_000 => return format!("{bytes} bytes"),
        1_000..=999_000 => return format!("{} kB", bytes.div_ceil(1_000)),
        999_001..1_000_000_000 => (1_000_000, "MB"),
        _ => (1_000_000_000, "GB"),
    };
    let tenths = bytes.max(unit) / (unit / 10);
    format!("{}.{} {word}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_are_formatted_in_the_unit_that_fits() {
        let sizes = [1, 999, 340_200, 999_000, 999_001, 1_250_000, 67_108_864, 14_000_000_000];
        assert_eq!(sizes.map(size).join("; "), "1 byte; 999 bytes; 341 kB; 999 kB; 1.0 MB; 1.2 MB; 67.1 MB; 14.0 GB");
    }
}
