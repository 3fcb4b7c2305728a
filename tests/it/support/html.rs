//! Reads values from HTML pages.

use serde_json::Value;

/// The JSON that the page hands to its scripts.
pub(crate) fn boot(html: &str) -> Value {
    let (_, rest) = html.split_once("id=\"boot-data\">").expect("the page contains its data");
    let (json, _) = rest.split_once("</script>").expect("the data ends");
    serde_json::from_str(json).expect("the data is JSON")
}

/// The page's title, still escaped.
pub(crate) fn title(html: &str) -> String {
    let (_, rest) = html.split_once("<title>").expect("the page has a title");
    rest.split_once("</title>").expect("the title ends").0.to_owned()
}

/// The JSON-LD items of the page.
pub(crate) fn json_ld_items(html: &str) -> Vec<Value> {
    let Some((_, rest)) = html.split_once("<script type=\"application/ld+json\">") else { return Vec::new() };
    let (json, _) = rest.split_once("</script>").expect("the JSON-LD ends");
    let document: Value = serde_json::from_str(json).expect("the JSON-LD is valid");
    assert_eq!(document["@context"], "https://schema.org");
    document["@graph"].as_array().expect("the JSON-LD has a graph").clone()
}

/// The JSON-LD item of this type.
pub(crate) fn json_ld_item(html: &str, kind: &str) -> Value {
    let things = json_ld_items(html);
    things
        .iter()
        .find(|json_ld_item| json_ld_item["@type"] == kind)
        .unwrap_or_else(|| panic!("no {kind} in {things:#?}"))
        .clone()
}

/// An attribute of the first element that begins with `start`.
pub(crate) fn attribute(html: &str, start: &str, name: &str) -> String {
    let (_, rest) = html.split_once(start).unwrap_or_else(|| panic!("no {start}"));
    let (tag, _) = rest.split_once('>').expect("the tag ends");
    let (_, value) = tag.split_once(&format!("{name}=\"")).unwrap_or_else(|| panic!("no {name} in {tag}"));
    value.split_once('"').expect("the value ends").0.to_owned()
}
