//! A writer of tables in all formats.

use std::io::Write;
use std::path::Path;

use super::delimited::Delimited;
use super::json::Json;
use super::spreadsheet::Spreadsheet;
use super::workbook::Workbook;
use super::{Cell, Column, Format};
use festival_base::error::{Error, Result};

/// A streaming writer of a table.
pub struct TableWriter<W: Write + Send> {
    inner: Inner<W>,
    columns: usize,
}

enum Inner<W: Write + Send> {
    Delimited(Box<Delimited<W>>),
    Json(Json<W>),
    Workbook(Box<Workbook<W>>),
    Spreadsheet(Box<Spreadsheet<W>>),
}

impl<W: Write + Send> TableWriter<W> {
    /// Starts a CSV file; `bom` puts a byte order mark in front.
    pub fn csv(out: W, columns: &[Column], bom: bool) -> Result<Self> {
        Self::new(Format::Csv, out, columns, bom, Path::new(""))
    }

    /// Starts a table in this format. `bom` puts a byte order mark in front of CSV; workbooks and spreadsheets are
    /// buffered in an unnamed file in `folder`.
    pub fn new(format: Format, out: W, columns: &[Column], bom: bool, folder: &Path) -> Result<Self> {
        let inner = match format {
            Format::Csv => Inner::Delimited(Box::new(Delimited::new(out, columns, bom)?)),
            Format::Json => Inner::Json(Json::new(out, columns)?),
            Format::Xlsx => Inner::Workbook(Box::new(Workbook::new(out, columns, folder)?)),
            Format::Ods => Inner::Spreadsheet(Box::new(Spreadsheet::new(out, columns, folder)?)),
        };
        Ok(Self { inner, columns: columns.len() })
    }

    /// Writes a row with one cell per column.
    ///
    /// # Errors
    /// If the number of cells is wrong, a workbook is full, or writing fails.
    pub fn row(&mut self, cells: &[Cell]) -> Result<()> {
        if cells.len() != self.columns {
            return Err(Error::internal(format!("a row has {} cells for {} columns", cells.len(), self.columns)));
        }
        match &mut self.inner {
            Inner::Delimited(writer) => writer.row(cells),
            Inner::Json(writer) => writer.row(cells),
            Inner::Workbook(writer) => writer.row(cells),
            Inner::Spreadsheet(writer) => writer.row(cells),
        }
    }

    /// Returns the number of texts that were truncated because they exceed the limit of a cell; 0 except in workbooks.
    pub fn truncated(&self) -> u64 {
        match &self.inner {
            Inner::Workbook(writer) => writer.truncated,
            Inner::Delimited(_) | Inner::Json(_) | Inner::Spreadsheet(_) => 0,
        }
    }

    /// Finishes the table and returns the underlying writer.
    pub fn finish(self) -> Result<W> {
        match self.inner {
            Inner::Delimited(writer) => writer.finish(),
            Inner::Json(writer) => writer.finish(),
            Inner::Workbook(writer) => writer.finish(),
            Inner::Spreadsheet(writer) => writer.finish(),
        }
    }
}
