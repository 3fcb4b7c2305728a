//! XML of digital cinema: without DTDs and entities, and of limited size.

use roxmltree::{Document, Error, Node, ParsingOptions};

/// Maximum size of a file in bytes. The playlist of a feature has some 20 KB.
pub(crate) const MAX_BYTES: u64 = 4 << 20;
/// Maximum number of elements within each other.
const MAX_DEPTH: usize = 32;
/// Maximum number of elements, texts and comments.
const MAX_NODES: u32 = 50_000;

/// Parses a file.
///
/// # Errors
/// What is wrong with it, as the end of a sentence about the file.
pub(super) fn parse(bytes: &[u8]) -> Result<Document<'_>, String> {
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("is larger than {} MB", MAX_BYTES >> 20));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "is not a text in UTF-8")?.trim_start();
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| match error {
        Error::DtdDetected => "has a document type, which files of digital cinema never have".to_owned(),
        Error::UnknownEntityReference(..) => "uses an entity of its own".to_owned(),
        Error::NodesLimitReached => "has too many elements".to_owned(),
        error => format!("is not well-formed XML: {error}"),
    })?;
    if document.descendants().any(|node| node.ancestors().nth(MAX_DEPTH + 1).is_some()) {
        return Err("has too many elements within each other".to_owned());
    }
    Ok(document)
}

/// An element with its content.
#[derive(Clone, Copy)]
pub(super) struct Element<'a>(Node<'a, 'a>);

impl<'a> Element<'a> {
    /// The root of a document.
    pub(super) fn root(document: &'a Document<'a>) -> Self {
        Self(document.root_element())
    }

    /// Its name without prefix.
    pub(super) fn name(self) -> &'a str {
        self.0.tag_name().name()
    }

    /// URI of its namespace; "" for none.
    pub(super) fn namespace(self) -> &'a str {
        self.0.tag_name().namespace().unwrap_or_default()
    }

    /// The elements in it.
    pub(super) fn children(self) -> impl Iterator<Item = Self> {
        self.0.children().filter(Node::is_element).map(Self)
    }

    /// Whether it is in this namespace and has this name.
    pub(super) fn is(self, namespace: &str, name: &str) -> bool {
        self.namespace() == namespace && self.name() == name
    }

    /// Its first child of its own namespace with this name.
    pub(super) fn child(self, name: &str) -> Option<Self> {
        self.children().find(|child| child.is(self.namespace(), name))
    }

    /// Its text without space around it; `None` for an empty one.
    pub(super) fn own_text(self) -> Option<String> {
        let texts = self.0.children().filter(Node::is_text).filter_map(|node| node.text());
        Some(texts.collect::<String>().trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// The text of such a child.
    pub(super) fn text_of(self, name: &str) -> Option<String> {
        self.child(name)?.own_text()
    }

    /// Like [`Element::text_of`], for a child that has to be there.
    pub(super) fn required(self, name: &str) -> Result<String, String> {
        self.text_of(name).ok_or_else(|| format!("has no {name} in its {}", self.name()))
    }
}

/// The UUID in "urn:uuid:…", in small letters.
pub(super) fn uuid(text: &str) -> Result<String, String> {
    let id = text.to_ascii_lowercase();
    let id = id.strip_prefix("urn:uuid:").unwrap_or(&id);
    let is_uuid = id.len() == 36
        && id.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        });
    if is_uuid { Ok(id.to_owned()) } else { Err(format!("has an id that is no UUID: {text}")) }
}
