//! Writer of CSV: RFC 4180, UTF-8, with formulas escaped.

use std::io::Write;

use csv::{Terminator, Writer, WriterBuilder};

use super::formula::escape_formula;
use super::{Cell, Column};
use festival_base::error::{Error, Result};

/// Writes CSV.
pub(super) struct Delimited<W: Write> {
    writer: Writer<W>,
}

impl<W: Write> Delimited<W> {
    /// Writes the header; `bom` puts a byte order mark in front, by which old programs recognise UTF-8.
    pub(super) fn new(mut out: W, columns: &[Column], bom: bool) -> Result<Self> {
        if bom {
            out.write_all("\u{feff}".as_bytes())?;
        }
        let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(out);
        writer
            .write_record(columns.iter().map(|column| escape_formula(&column.title).into_owned()))
            .map_err(Error::internal)?;
        Ok(Self { writer })
    }

    pub(super) fn row(&mut self, cells: &[Cell]) -> Result<()> {
        for cell in cells {
            let field = match cell {
                Cell::Empty => self.writer.write_field(""),
                Cell::Text(text) => self.writer.write_field(escape_formula(text).as_bytes()),
                Cell::Number(number) => self.writer.write_field(number.to_string()),
                Cell::DateTime(time) => self.writer.write_field(time.strftime("%Y-%m-%d %H:%M:%S").to_string()),
            };
            field.map_err(Error::internal)?;
        }
        self.writer.write_record(None::<&[u8]>).map_err(Error::internal)
    }

    pub(super) fn finish(self) -> Result<W> {
        self.writer.into_inner().map_err(|error| Error::from(error.into_error()))
    }
}
