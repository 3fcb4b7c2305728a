//! The section `[menu]`, and links.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A link with its text.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// The text.
    pub label: String,
    /// The address: a path of this site or a whole address.
    pub href: String,
}

/// The menus.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Menu {
    /// The header, from left to right.
    pub header: Vec<MenuItem>,
    /// The buttons of the header.
    pub actions: Vec<Link>,
    /// The quick links of the footer.
    pub footer: Vec<Link>,
}

impl Default for Menu {
    fn default() -> Self {
        let link = |label: &str, href: &str| Link { label: label.into(), href: href.into() };
        let entry =
            |label: &str, href: &str| MenuItem { label: label.into(), href: Some(href.into()), items: Vec::new() };
        let group = |label: &str, items: Vec<Link>| MenuItem { label: label.into(), href: None, items };
        Self {
            header: vec![
                group(
                    "About",
                    vec![
                        link("About {product}", "/about-us"),
                        link("Twenty {product}", "/twenty-{slug}"),
                        link("History", "/history"),
                        link("Team", "/team"),
                    ],
                ),
                group(
                    "Festivals and Awards",
                    vec![
                        link("Science film festival", "/isff-2025"),
                        link("Documentary and short film festival", "/ndsf-2025"),
                        link("Awards and namesakes", "/twenty-{slug}"),
                    ],
                ),
                group(
                    "IFFF",
                    vec![
                        link("9th folklore film festival", "/ifff-9th"),
                        link("IFFOC 2025 (PDF)", "document:iffoc-2025"),
                        link("6th IFFF (PDF)", "document:ifff-6"),
                        link("5th IFFF (PDF)", "document:ifff-5"),
                    ],
                ),
                entry("Films", "/films"),
                entry("Programme", "/programme"),
                entry("Magazine", "/kottaka"),
                entry("Blog", "/blogs"),
                entry("Contact", "/contact-us"),
            ],
            actions: vec![link("Submit a film", "/submit-entry"), link("Be a delegate", "/form")],
            footer: vec![
                link("Films", "/films"),
                link("History", "/history"),
                link("Team", "/team"),
                link("Magazine", "/kottaka"),
                link("Blog", "/blogs"),
                link("Submit a film", "/submit-entry"),
                link("Delegate form", "/form"),
                link("Festival logo", "/download"),
                link("Contact", "/contact-us"),
                link("Privacy and terms", "/privacy-and-terms"),
            ],
        }
    }
}

/// An entry of the header: a link, or a group of links under a name.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MenuItem {
    /// The text.
    pub label: String,
    /// The address; none for a group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// The links of a group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<Link>,
}

/// Prefix of a menu link to a downloadable document, followed by the document's name: "document:rules".
pub const DOCUMENT_LINK: &str = "document:";

/// Adds a message to `problems` for each invalid value.
pub(super) fn check(menu: &Menu, social: &[Link], problems: &mut Vec<String>) {
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
    check_links("social", social);
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
