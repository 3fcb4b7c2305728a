//! Writer of OpenDocument spreadsheets: one table with a bold header; text is never interpreted.
//!
//! Rows are buffered in an unnamed temporary file and compressed from there to another one at the end, because their size
//! precedes them: memory use does not depend on the number of rows. Only what a table needs is written; a library would
//! hold the whole document.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{Cell, Column};
use festival_base::error::{Error, Result};

/// Maximum number of rows below the header that spreadsheet programs open.
const MAX_ROWS: u32 = 1_048_575;
/// Width of a character of a column, in millimetres.
const CHARACTER_WIDTH: f64 = 2.2;
const MEDIA_TYPE: &str = "application/vnd.oasis.opendocument.spreadsheet";
const MANIFEST: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\" manifest:version=\"1.3\">\
    <manifest:file-entry manifest:full-path=\"/\" manifest:media-type=\"application/vnd.oasis.opendocument.spreadsheet\"/>\
    <manifest:file-entry manifest:full-path=\"content.xml\" manifest:media-type=\"text/xml\"/></manifest:manifest>";
const BEGIN: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<office:document-content office:version=\"1.3\" \
    xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
    xmlns:style=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\" \
    xmlns:fo=\"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0\" \
    xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" \
    xmlns:number=\"urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0\" \
    xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\"><office:automatic-styles>\
    <style:style style:name=\"header\" style:family=\"table-cell\"><style:text-properties fo:font-weight=\"bold\"/></style:style>\
    <number:date-style style:name=\"date\"><number:year number:style=\"long\"/><number:text>-</number:text>\
    <number:month number:style=\"long\"/><number:text>-</number:text><number:day number:style=\"long\"/><number:text> </number:text>\
    <number:hours number:style=\"long\"/><number:text>:</number:text><number:minutes number:style=\"long\"/><number:text>:</number:text>\
    <number:seconds number:style=\"long\"/></number:date-style>\
    <style:style style:name=\"time\" style:family=\"table-cell\" style:data-style-name=\"date\"/>";
const END: &str = "</table:table></office:spreadsheet></office:body></office:document-content>";

/// Writes a spreadsheet.
pub(super) struct Spreadsheet<W: Write> {
    out: W,
    folder: PathBuf,
    content: BufWriter<File>,
    /// The XML of the row that is being written.
    xml: String,
    rows: u32,
}

impl<W: Write> Spreadsheet<W> {
    /// Writes the header; rows are buffered in `folder`.
    pub(super) fn new(out: W, columns: &[Column], folder: &Path) -> Result<Self> {
        let content = BufWriter::new(tempfile::tempfile_in(folder)?);
        let mut writer = Self { out, folder: folder.to_owned(), content, xml: BEGIN.to_owned(), rows: 0 };
        let xml = &mut writer.xml;
        for (index, column) in columns.iter().enumerate() {
            let width = f64::from(column.width) * CHARACTER_WIDTH;
            // Writing to a String cannot fail.
            let _ = write!(
                xml,
                "<style:style style:name=\"c{index}\" style:family=\"table-column\">\
                 <style:table-column-properties style:column-width=\"{width:.1}mm\"/></style:style>"
            );
        }
        xml.push_str("</office:automatic-styles><office:body><office:spreadsheet><table:table table:name=\"Sheet1\">");
        for index in 0..columns.len() {
            let _ = write!(xml, "<table:table-column table:style-name=\"c{index}\"/>");
        }
        xml.push_str("<table:table-header-rows><table:table-row>");
        for column in columns {
            add_text(xml, &column.title, " table:style-name=\"header\"");
        }
        xml.push_str("</table:table-row></table:table-header-rows>");
        writer.flush()?;
        Ok(writer)
    }

    pub(super) fn row(&mut self, cells: &[Cell]) -> Result<()> {
        if self.rows == MAX_ROWS {
            return Err(Error::BadRequest(format!(
                "a spreadsheet has room for {MAX_ROWS} rows only; choose CSV or JSON"
            )));
        }
        self.rows += 1;
        self.xml.push_str("<table:table-row>");
        for cell in cells {
            add_cell(&mut self.xml, cell);
        }
        self.xml.push_str("</table:table-row>");
        self.flush()
    }

    /// Moves the XML to the temporary file.
    fn flush(&mut self) -> Result<()> {
        self.content.write_all(self.xml.as_bytes())?;
        self.xml.clear();
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<W> {
        self.xml.push_str(END);
        self.flush()?;
        let mut content = self.content.into_inner().map_err(|error| error.into_error())?;
        let size = content.stream_position()?;
        content.rewind()?;
        let mut zip = ZipWriter::new(BufWriter::new(tempfile::tempfile_in(&self.folder)?));
        let deflated = SimpleFileOptions::default();
        // Programs look for the media type at the beginning of the file, where it is not compressed.
        let stored = deflated.compression_method(CompressionMethod::Stored);
        // LibreOffice before 24.8 opens no file with ZIP64.
        let options = deflated.large_file(size >= u64::from(u32::MAX));
        zip.start_file("mimetype", stored).map_err(Error::internal)?;
        zip.write_all(MEDIA_TYPE.as_bytes())?;
        zip.start_file("META-INF/manifest.xml", deflated).map_err(Error::internal)?;
        zip.write_all(MANIFEST.as_bytes())?;
        zip.start_file("content.xml", options).map_err(Error::internal)?;
        io::copy(&mut content, &mut zip)?;
        let mut file = zip.finish().map_err(Error::internal)?.into_inner().map_err(|error| error.into_error())?;
        file.rewind()?;
        io::copy(&mut file, &mut self.out)?;
        Ok(self.out)
    }
}

fn add_cell(xml: &mut String, cell: &Cell) {
    // Writing to a String cannot fail.
    let _ = match cell {
        Cell::Empty => write!(xml, "<table:table-cell/>"),
        Cell::Text(text) => {
            add_text(xml, text, "");
            Ok(())
        }
        Cell::Number(number) => write!(
            xml,
            "<table:table-cell office:value-type=\"float\" office:value=\"{number}\"><text:p>{number}</text:p></table:table-cell>"
        ),
        Cell::DateTime(time) => write!(
            xml,
            "<table:table-cell table:style-name=\"time\" office:value-type=\"date\" office:date-value=\"{}\">\
             <text:p>{}</text:p></table:table-cell>",
            time.strftime("%Y-%m-%dT%H:%M:%S"),
            time.strftime("%Y-%m-%d %H:%M:%S")
        ),
    };
}

/// Adds a cell with a text: a paragraph for each line.
fn add_text(xml: &mut String, text: &str, attributes: &str) {
    let _ = write!(xml, "<table:table-cell office:value-type=\"string\"{attributes}>");
    for line in text.split('\n') {
        xml.push_str("<text:p>");
        let mut is_blank = true;
        for letter in line.chars() {
            match letter {
                '&' => xml.push_str("&amp;"),
                '<' => xml.push_str("&lt;"),
                '>' => xml.push_str("&gt;"),
                // LibreOffice and others read no element in place of a tab, not even their own: "a\tb" would be "ab".
                '\t' => xml.push('\t'),
                // Programs collapse spaces that follow another one or begin a line.
                ' ' if is_blank => xml.push_str("<text:s/>"),
                '\r' => xml.push_str("&#13;"),
                // XML has no such characters.
                '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => xml.push('\u{fffd}'),
                letter => xml.push(letter),
            }
            is_blank = matches!(letter, ' ' | '\t');
        }
        xml.push_str("</text:p>");
    }
    xml.push_str("</table:table-cell>");
}
