//! The vocabulary of bank statements: `vocabulary.txt`.

/// Returns the words of a section.
pub(super) fn section(name: &str) -> Vec<&'static str> {
    let (_, rest) = include_str!("vocabulary.txt").split_once(&format!("[{name}]\n")).unwrap_or_default();
    let words = rest.lines().take_while(|line| !line.is_empty()).flat_map(|line| line.split(','));
    words.map(str::trim).filter(|word| !word.is_empty()).collect()
}
