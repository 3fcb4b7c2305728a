//! Reads countries as people and machines write them.

use super::codes::COUNTRIES;

/// Names with a dash, which separates countries elsewhere.
const WITH_DASH: [&str; 2] = ["Congo - Kinshasa", "Congo - Brazzaville"];

/// Converts `IT,FR`, `🇫🇷 France`, `Peru- Venezuela` and `Canada / China` to names joined by `, `. Names keep their spelling.
pub(super) fn names(text: &str) -> String {
    let mut text = text.replace(['–', '—'], "-");
    for name in WITH_DASH {
        text = text.replace(name, &name.replace(" - ", "\0"));
    }
    let text = text.replace("- ", "\n").replace(" -", "\n").replace('\0', " - ");
    let text = without_flags(&text);
    let parts: Vec<&str> =
        text.split(['\n', ';', '|', '/', ',']).map(str::trim).filter(|part| !part.is_empty()).collect();
    // "Spain & Portugal" are two, "Bosnia & Herzegovina" is one.
    let split = |part: &str| part.contains('&') && part.split(" & ").map(str::trim).all(|name| COUNTRIES.knows(name));
    let parts: Vec<&str> = parts
        .into_iter()
        .flat_map(|part| if split(part) { part.split(" & ").collect() } else { vec![part] })
        .map(str::trim)
        .collect();
    COUNTRIES.joined(&parts)
}

/// Removes flags next to names; flags alone become codes.
fn without_flags(text: &str) -> String {
    let indicator = |letter: char| ('\u{1f1e6}'..='\u{1f1ff}').contains(&letter);
    if !text.contains(indicator) {
        return text.to_owned();
    }
    if text.contains(char::is_alphabetic) {
        return text.replace(indicator, " ");
    }
    let code: Vec<char> = text
        .chars()
        .filter(|letter| indicator(*letter))
        .filter_map(|letter| char::from_u32(u32::from(letter) - 0x1f1e6 + u32::from('A')))
        .collect();
    code.chunks(2).map(|pair| pair.iter().collect::<String>()).collect::<Vec<_>>().join(",")
}
