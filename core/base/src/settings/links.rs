//! Rules for menus and links.

use super::{Link, Settings};

/// How a link of the menus begins that leads to a document to download, by the name of its row: "document:rules".
pub const DOCUMENT_LINK: &str = "document:";

/// What types cannot say.
pub(super) fn check(settings: &Settings, wrong: &mut Vec<String>) {
    let menu = &settings.menu;
    let mut look = |key: &str, label: &str, href: Option<&str>| {
        if label.trim().is_empty() {
            wrong.push(format!("{key}: a link without text"));
        }
        if let Some(href) = href.filter(|href| !is_address(href)) {
            wrong.push(format!(
                "{key}: \"{href}\" is no address; write a path like /films, or one that begins with https://"
            ));
        }
    };
    for item in &menu.header {
        look("menu.header", &item.label, item.href.as_deref());
        item.items.iter().for_each(|link| look("menu.header", &link.label, Some(&link.href)));
    }
    let mut all = |key: &str, links: &[Link]| links.iter().for_each(|link| look(key, &link.label, Some(&link.href)));
    all("menu.actions", &menu.actions);
    all("menu.footer", &menu.footer);
    all("social", &settings.social);
}

/// A path of this site, a whole address, a document. Nothing that a browser would run.
fn is_address(href: &str) -> bool {
    let own_path = href.starts_with('/') && !href.starts_with("//");
    let elsewhere = ["https://", "http://", "mailto:", DOCUMENT_LINK];
    let begins = |scheme: &&str| href.len() > scheme.len() && href.starts_with(*scheme);
    (own_path || elsewhere.iter().any(begins)) && !href.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn a_link_leads_somewhere_and_runs_nothing() {
        for good in ["/films", "/twenty-{slug}", "https://example.org/a?b#c", "document:rules-asian", "/"] {
            assert!(is_address(good), "{good}");
        }
        for bad in ["", "films", "//example.org", "javascript:alert(1)", "data:text/html,x", "/a b", "https://"] {
            assert!(!is_address(bad), "{bad}");
        }
    }
}
