//! Languages of subtitles, which files name by codes and programmers in words.

/// The codes of ISO 639-1 and ISO 639-2, and the name.
fn languages() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("languages.txt").lines().filter_map(|line| line.rsplit_once(' '))
}

/// The name for a code, "EN" or "en-US"; any other text as it is.
pub(super) fn name(code: &str) -> String {
    let language = code.split('-').next().unwrap_or_default().to_ascii_lowercase();
    let known = languages().find(|(codes, _)| codes.split(' ').any(|known| known == language));
    known.map_or(code, |(_, name)| name).to_owned()
}

/// The languages that a text names.
pub(crate) fn named(text: &str) -> Vec<&'static str> {
    let text = text.to_lowercase();
    languages().map(|(_, name)| name).filter(|name| text.contains(&name.to_lowercase())).collect()
}
