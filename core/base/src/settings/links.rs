//! Validation of menus and links.

use super::{Link, Settings};

/// Prefix of a menu link to a downloadable document, followed by the document's name: "document:rules".
pub const DOCUMENT_LINK: &str = "document:";

/// Adds a message to `problems` for each invalid value.
pub(super) fn check(settings: &Settings, problems: &mut Vec<String>) {
    let menu = &settings.menu;
    let mut check_link = |key: &str, label: &str, href: Option<&str>| {
        if label.trim().is_empty() {
            problems.push(format!("{key}: a link without text"));
        }
        if let Some(href) = href.filter(|href| !is_address(href)) {
            problems.push(format!(
                "{key}: \"{href}\" is not an address; write a path like /films, or one that begins with https://"
            ));
        }
    };
    for item in &menu.header {
        check_link("menu.header", &item.label, item.href.as_deref());
        item.items.iter().for_each(|link| check_link("menu.header", &link.label, Some(&link.href)));
    }
    let mut check_links =
        |key: &str, links: &[Link]| links.iter().for_each(|link| check_link(key, &link.label, Some(&link.href)));
    check_links("menu.actions", &menu.actions);
    check_links("menu.footer", &menu.footer);
    check_links("social", &settings.social);
}

/// Whether `href` is a path of this site, an absolute URL or a document; nothing that a browser would execute.
fn is_address(href: &str) -> bool {
    let own_path = href.starts_with('/') && !href.starts_with("//");
    let schemes = ["https://", "http://", "mailto:", DOCUMENT_LINK];
    let has_scheme = |scheme: &&str| href.len() > scheme.len() && href.starts_with(*scheme);
    (own_path || schemes.iter().any(has_scheme)) && !href.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn links_are_paths_urls_or_documents_and_never_scripts() {
        for good in ["/films", "/twenty-{slug}", "https://example.org/a?b#c", "document:rules-asian", "/"] {
            assert!(is_address(good), "{good}");
        }
        for bad in ["", "films", "//example.org", "javascript:alert(1)", "data:text/html,x", "/a b", "https://"] {
            assert!(!is_address(bad), "{bad}");
        }
    }
}
