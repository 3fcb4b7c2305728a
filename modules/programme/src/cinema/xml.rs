//! XML of digital cinema as a tree: without DTDs and entities, and of limited size.

use quick_xml::NsReader;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::ResolveResult;

/// Maximum size of a file in bytes. The playlist of a feature has some 20 KB.
pub(crate) const MAX_BYTES: u64 = 4 << 20;
/// Maximum number of elements within each other.
const MAX_DEPTH: usize = 32;
/// Maximum number of elements.
const MAX_ELEMENTS: usize = 50_000;

/// An element with its content.
#[derive(Debug, Default)]
pub(super) struct Element {
    /// URI of its namespace; "" for none.
    pub(super) namespace: String,
    /// Its name without prefix.
    pub(super) name: String,
    text: String,
    pub(super) children: Vec<Element>,
}

impl Element {
    /// Parses a document and returns its root.
    ///
    /// # Errors
    /// What is wrong with it, as the end of a sentence about the file.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(format!("is larger than {} MB", MAX_BYTES >> 20));
        }
        let text = std::str::from_utf8(bytes).map_err(|_| "is not a text in UTF-8")?;
        let broken = |error: &dyn std::fmt::Display| format!("is not well-formed XML: {error}");
        let mut reader = NsReader::from_str(text.trim_start_matches('\u{feff}'));
        let mut open = vec![Self::default()];
        let mut count = 0;
        loop {
            let (namespace, event) = reader.read_resolved_event().map_err(|error| broken(&error))?;
            match event {
                Event::Start(tag) | Event::Empty(tag) if open.len() > MAX_DEPTH || count >= MAX_ELEMENTS => {
                    return Err(format!("has too many elements, at <{}>", tag.name().into_inner()));
                }
                Event::Start(tag) => {
                    count += 1;
                    open.push(Self::begun(&namespace, &tag));
                }
                Event::Empty(tag) => {
                    count += 1;
                    let element = Self::begun(&namespace, &tag);
                    open.last_mut().ok_or("has no root")?.children.push(element);
                }
                Event::End(_) => {
                    let element = open.pop().ok_or("has no root")?;
                    open.last_mut().ok_or("has no root")?.children.push(element);
                }
                Event::Text(text) => append(&mut open, &text.xml_content(XmlVersion::Implicit1_0)),
                Event::CData(text) => append(&mut open, &text.xml_content(XmlVersion::Implicit1_0)),
                Event::GeneralRef(reference) => match reference.resolve_char_ref().map_err(|error| broken(&error))? {
                    Some(letter) => append(&mut open, letter.encode_utf8(&mut [0; 4])),
                    None => {
                        append(&mut open, resolve_predefined_entity(&reference).ok_or("uses an entity of its own")?)
                    }
                },
                Event::DocType(_) => return Err("has a document type, which files of digital cinema never have".into()),
                Event::Eof => break,
                _ => {}
            }
        }
        let document = open.pop().filter(|_| open.is_empty()).ok_or("ends in the middle")?;
        document.children.into_iter().next().ok_or_else(|| "is empty".into())
    }

    fn begun(namespace: &ResolveResult<'_>, tag: &BytesStart<'_>) -> Self {
        let namespace = match namespace {
            ResolveResult::Bound(namespace) => namespace.0.to_owned(),
            _ => String::new(),
        };
        Self { namespace, name: tag.local_name().into_inner().to_owned(), ..Self::default() }
    }

    /// Whether it is in this namespace and has this name.
    pub(super) fn is(&self, namespace: &str, name: &str) -> bool {
        self.namespace == namespace && self.name == name
    }

    /// Its first child of its own namespace with this name.
    pub(super) fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.is(&self.namespace, name))
    }

    /// Its text without space around it; `None` for an empty one.
    pub(super) fn own_text(&self) -> Option<&str> {
        Some(self.text.trim()).filter(|text| !text.is_empty())
    }

    /// The text of such a child.
    pub(super) fn text_of(&self, name: &str) -> Option<&str> {
        self.child(name)?.own_text()
    }

    /// Like [`Element::text_of`], for a child that has to be there.
    pub(super) fn required(&self, name: &str) -> Result<&str, String> {
        self.text_of(name).ok_or_else(|| format!("has no {name} in its {}", self.name))
    }
}

fn append(open: &mut [Element], text: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(text);
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
