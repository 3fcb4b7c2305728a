//! Writer of JSON: an array with one object per line.

use std::io::Write;

use super::{Cell, Column};
use festival_base::error::Result;

/// Writes JSON.
pub(super) struct Json<W: Write> {
    out: W,
    /// The keys, encoded as JSON.
    keys: Vec<String>,
    rows: u64,
}

impl<W: Write> Json<W> {
    pub(super) fn new(mut out: W, columns: &[Column]) -> Result<Self> {
        out.write_all(b"[")?;
        let keys = columns.iter().map(|column| serde_json::to_string(&column.name)).collect::<Result<_, _>>()?;
        Ok(Self { out, keys, rows: 0 })
    }

    pub(super) fn row(&mut self, cells: &[Cell]) -> Result<()> {
        self.out.write_all(if self.rows == 0 { b"\n" } else { b",\n" })?;
        self.rows += 1;
        for (index, (key, cell)) in self.keys.iter().zip(cells).enumerate() {
            write!(self.out, "{}{key}:", if index == 0 { '{' } else { ',' })?;
            match cell {
                Cell::Empty => self.out.write_all(b"null")?,
                Cell::Text(text) => serde_json::to_writer(&mut self.out, text)?,
                Cell::Number(number) => write!(self.out, "{number}")?,
                Cell::DateTime(time) => serde_json::to_writer(&mut self.out, time)?,
            }
        }
        Ok(self.out.write_all(b"}")?)
    }

    pub(super) fn finish(mut self) -> Result<W> {
        self.out.write_all(if self.rows == 0 { b"]\n" } else { b"\n]\n" })?;
        Ok(self.out)
    }
}
