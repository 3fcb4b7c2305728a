//! The site's typefaces for a document that embeds them.

use std::collections::BTreeSet;

use data_encoding::BASE64;
use festival_core::site::Site;

/// The `@font-face` rules of the site's style sheet that `text` has letters of, with their files embedded.
pub(super) fn rules(site: &Site, text: &str) -> String {
    let letters: BTreeSet<u32> = text.chars().map(u32::from).collect();
    let names = (site.frontend.names)();
    let sheets = names.iter().filter(|name| name.ends_with(".css"));
    let sheets = sheets.filter_map(|name| Some(String::from_utf8_lossy(&(site.frontend.get)(name)?.data).into_owned()));
    let mut rules = String::new();
    let mut seen = BTreeSet::new();
    for sheet in sheets {
        for rule in sheet.split("@font-face").skip(1) {
            let Some(rule) = rule.split_inclusive('}').next() else { continue };
            let Some((before, address, after)) = split_address(rule) else { continue };
            if !has_any(rule, &letters) || !seen.insert(rule.to_owned()) {
                continue;
            }
            let Some(file) = (site.frontend.get)(address.trim_start_matches('/')) else { continue };
            rules.push_str("@font-face");
            rules.push_str(before);
            rules.push_str(&format!("url(data:font/woff2;base64,{})", BASE64.encode(&file.data)));
            rules.push_str(after);
            rules.push('\n');
        }
    }
    rules
}

/// Splits a rule around the address of its file; `None` for a system font.
fn split_address(rule: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = rule.split_once("url(")?;
    let (address, after) = rest.split_once(')')?;
    let address = address.trim_matches(['"', '\'']);
    address.ends_with(".woff2").then_some((before, address, after))
}

/// Whether the rule's face is for any of these letters.
fn has_any(rule: &str, letters: &BTreeSet<u32>) -> bool {
    let Some((_, ranges)) = rule.split_once("unicode-range:") else { return true };
    let ranges = ranges.split([';', '}']).next().unwrap_or_default();
    ranges.split(',').any(|range| {
        let range = range.trim().trim_start_matches("U+").trim_start_matches("u+");
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let number = |text: &str| u32::from_str_radix(text, 16);
        // "U+4??" stands for all code points that begin like it.
        let (first, last) = (first.replace('?', "0"), last.replace('?', "f"));
        matches!((number(&first), number(&last)), (Ok(first), Ok(last)) if letters.range(first..=last).next().is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_are_chosen_by_their_letters() {
        let letters = |text: &str| text.chars().map(u32::from).collect::<BTreeSet<u32>>();
        let rule = "{font-family:Anek;src:url(/assets/a.woff2)format(\"woff2\");unicode-range:U+D00-D7F,U+200C,u+4??}";
        assert!(has_any(rule, &letters("മ")) && has_any(rule, &letters("\u{4fe}")));
        assert!(!has_any(rule, &letters("Rain")));
        let parts = split_address(rule).unwrap();
        assert_eq!((parts.1, &parts.2[..6]), ("/assets/a.woff2", "format"));
        assert!(split_address("{src:local(\"Arial\")}").is_none());
    }
}
