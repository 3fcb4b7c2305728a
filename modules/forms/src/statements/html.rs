//! Tables of web pages and of XML workbooks of 2003, which banks name `.xls`.

use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::statement::GridRow;

/// Maximum number of columns that one cell spans.
const MAX_SPAN: usize = 50;

/// Returns the rows of all tables of a page, numbered from 1. Line breaks inside a cell are spaces.
///
/// # Errors
/// If the page is none, or has no table.
pub(super) fn rows(page: &str) -> Result<Vec<GridRow>, String> {
    let mut reader = Reader::from_str(page);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut table = Table::default();
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => table.start(&tag),
            Ok(Event::Empty(tag)) => {
                table.start(&tag);
                table.end(&name_of(&tag.name()));
            }
            Ok(Event::End(tag)) => table.end(&name_of(&tag.name())),
            Ok(Event::Text(text)) => table.text(&text.xml_content(XmlVersion::Implicit1_0)),
            Ok(Event::CData(text)) => table.text(&text.xml_content(XmlVersion::Implicit1_0)),
            Ok(Event::GeneralRef(reference)) => table.text(&character(&reference)),
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => return Err(format!("the web page cannot be read ({error}); download the statement as CSV")),
        }
    }
    table.end("tr");
    match table.rows.is_empty() {
        true => Err("the web page has no table; download the statement as CSV or as a workbook".to_owned()),
        false => Ok(table.rows),
    }
}

/// The local name of a tag in lower case, the words of XML workbooks as those of pages.
fn name_of(name: &quick_xml::name::QName<'_>) -> String {
    match name.local_name().as_ref().to_ascii_lowercase().as_str() {
        "row" => "tr".to_owned(),
        "cell" | "th" => "td".to_owned(),
        other => other.to_owned(),
    }
}

/// The text of a reference to a character; of others, none.
pub(super) fn character(reference: &BytesRef<'_>) -> String {
    if let Ok(Some(letter)) = reference.resolve_char_ref() {
        return letter.to_string();
    }
    let name = reference.xml_content(XmlVersion::Implicit1_0);
    if &*name == "nbsp" {
        return " ".to_owned();
    }
    quick_xml::escape::resolve_predefined_entity(&name).unwrap_or_default().to_owned()
}

/// The attribute of a tag with this local name in lower case.
fn number(tag: &BytesStart<'_>, name: &str) -> Option<usize> {
    let mut attributes = tag.html_attributes();
    let found = attributes
        .with_checks(false)
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref().eq_ignore_ascii_case(name))?;
    found.normalized_value(XmlVersion::Implicit1_0).ok()?.trim().parse().ok()
}

#[derive(Default)]
struct Table {
    rows: Vec<GridRow>,
    cells: Vec<String>,
    /// The text of the open cell.
    open: Option<String>,
    /// Columns that the open cell spans.
    span: usize,
    /// Inside a script or a style.
    is_hidden: bool,
}

impl Table {
    fn start(&mut self, tag: &BytesStart<'_>) {
        match name_of(&tag.name()).as_str() {
            "table" | "tr" => self.end("tr"),
            "td" => {
                self.end("td");
                if let Some(index) = number(tag, "index").filter(|index| (1..=MAX_SPAN).contains(index)) {
                    self.cells.resize((index - 1).max(self.cells.len()), String::new());
                }
                self.span = number(tag, "colspan").unwrap_or(1).clamp(1, MAX_SPAN);
                self.open = Some(String::new());
            }
            "br" | "p" | "div" => self.text(" "),
            "script" | "style" => self.is_hidden = true,
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "td" => {
                if let Some(text) = self.open.take() {
                    self.cells.push(text);
                    self.cells.extend((1..self.span).map(|_| String::new()));
                }
            }
            "tr" | "table" => {
                self.end("td");
                if !self.cells.is_empty() {
                    let line = self.rows.len() as u64 + 1;
                    self.rows.push(GridRow { line, cells: std::mem::take(&mut self.cells) });
                }
            }
            "script" | "style" => self.is_hidden = false,
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(open) = self.open.as_mut().filter(|_| !self.is_hidden) {
            open.push_str(text);
        }
    }
}
