//! One writer for the three formats.

use std::io::Write;
use std::path::Path;

use super::delimited::Delimited;
use super::json::Json;
use super::workbook::Workbook;
use super::{Cell, Column, Format};
use festival_base::error::{Error, Result};

/// Writes a table row by row.
pub struct TableWriter<W: Write + Send> {
    inner: Inner<W>,
    columns: usize,
}

enum Inner<W: Write + Send> {
    Delimited(Box<Delimited<W>>),
    Json(Json<W>),
    Workbook(Box<Workbook<W>>),
}

impl<W: Write + Send> TableWriter<W> {
    /// Begins a CSV file; `mark` puts a byte order mark in front.
    pub fn csv(out: W, columns: &[Column], mark: bool) -> Result<Self> {
        Ok(Self { inner: Inner::Delimited(Box::new(Delimited::new(out, columns, mark)?)), columns: columns.len() })
    }

    /// Begins a JSON file.
    pub fn json(out: W, columns: &[Column]) -> Result<Self> {
        Ok(Self { inner: Inner::Json(Json::new(out, columns)?), columns: columns.len() })
    }

    /// Begins a workbook; `folder` takes what cannot be packed yet, in a file without a name.
    pub fn xlsx(out: W, columns: &[Column], folder: &Path) -> Result<Self> {
        Ok(Self { inner: Inner::Workbook(Box::new(Workbook::new(out, columns, folder)?)), columns: columns.len() })
    }

    /// Begins a table in this format.
    pub fn new(format: Format, out: W, columns: &[Column], mark: bool, folder: &Path) -> Result<Self> {
        match format {
            Format::Csv => Self::csv(out, columns, mark),
            Format::Json => Self::json(out, columns),
            Format::Xlsx => Self::xlsx(out, columns, folder),
        }
    }

    /// Writes a row, one cell for each column.
    pub fn row(&mut self, cells: &[Cell]) -> Result<()> {
        if cells.len() != self.columns {
            return Err(Error::internal(format!("a row of {} cells in {} columns", cells.len(), self.columns)));
        }
        match &mut self.inner {
            Inner::Delimited(writer) => writer.row(cells),
            Inner::Json(writer) => writer.row(cells),
            Inner::Workbook(writer) => writer.row(cells),
        }
    }

    /// How many texts had to be cut because the format has no room for them. Only a workbook cuts.
    pub fn shortened(&self) -> u64 {
        match &self.inner {
            Inner::Workbook(writer) => writer.shortened,
            Inner::Delimited(_) | Inner::Json(_) => 0,
        }
    }

    /// Ends the table and gives back what it was written to.
    pub fn finish(self) -> Result<W> {
        match self.inner {
            Inner::Delimited(writer) => writer.finish(),
            Inner::Json(writer) => writer.finish(),
            Inner::Workbook(writer) => writer.finish(),
        }
    }
}
