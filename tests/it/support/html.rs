//! Looks into pages.

use serde_json::Value;

/// The JSON that the browser starts with.
pub(crate) fn boot(html: &str) -> Value {
    let (_, rest) = html.split_once("id=\"boot-data\">").expect("the page carries its data");
    let (json, _) = rest.split_once("</script>").expect("the data ends");
    serde_json::from_str(json).expect("the data is JSON")
}

/// The page's title as it stands in the HTML.
pub(crate) fn title(html: &str) -> String {
    let (_, rest) = html.split_once("<title>").expect("the page has a title");
    rest.split_once("</title>").expect("the title ends").0.to_owned()
}

/// The things that the page describes to programs.
pub(crate) fn json_ld(html: &str) -> Vec<Value> {
    let Some((_, rest)) = html.split_once("<script type=\"application/ld+json\">") else { return Vec::new() };
    let (json, _) = rest.split_once("</script>").expect("the description ends");
    let said: Value = serde_json::from_str(json).expect("the description is JSON");
    assert_eq!(said["@context"], "https://schema.org");
    said["@graph"].as_array().expect("it is a list of things").clone()
}

/// The thing of this type among those that a page describes.
pub(crate) fn thing(html: &str, kind: &str) -> Value {
    let things = json_ld(html);
    things.iter().find(|thing| thing["@type"] == kind).unwrap_or_else(|| panic!("no {kind} in {things:#?}")).clone()
}

/// An attribute of the first element that begins with `start`.
pub(crate) fn attribute(html: &str, start: &str, name: &str) -> String {
    let (_, rest) = html.split_once(start).unwrap_or_else(|| panic!("no {start}"));
    let (tag, _) = rest.split_once('>').expect("the tag ends");
    let (_, value) = tag.split_once(&format!("{name}=\"")).unwrap_or_else(|| panic!("no {name} in {tag}"));
    value.split_once('"').expect("the value ends").0.to_owned()
}
