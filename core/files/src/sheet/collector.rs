//! Collection of rows within the limits, for all readers.

use festival_base::texts::Texts;

use super::arrange::HEADER_ROWS;
use super::table::{CELL_MEMORY, ROW_MEMORY};
use super::{Limits, Row, SheetError};
use crate::budget::Budget;

/// Collects rows and enforces the limits, for all readers.
pub(super) struct Collector<'a> {
    pub(super) limits: &'a Limits,
    pub(super) budget: &'a Budget,
    pub(super) rows: Vec<Row>,
    pub(super) cells: usize,
    /// Only the first rows are wanted, to find out what the table is; further ones and wrong ones are left out.
    pub(super) is_preview: bool,
}

impl<'a> Collector<'a> {
    pub(super) fn new(limits: &'a Limits, budget: &'a Budget) -> Self {
        Self { limits, budget, rows: Vec::new(), cells: 0, is_preview: false }
    }

    pub(super) fn preview(limits: &'a Limits, budget: &'a Budget) -> Self {
        Self { is_preview: true, ..Self::new(limits, budget) }
    }

    /// Whether no further rows are wanted.
    pub(super) fn is_complete(&self) -> bool {
        self.is_preview && self.rows.len() > HEADER_ROWS
    }

    /// Adds a row, unless it is empty.
    pub(super) fn push(&mut self, line: u64, cells: Texts) -> Result<(), SheetError> {
        if cells.iter().all(|cell| cell.trim().is_empty()) || self.is_complete() {
            return Ok(());
        }
        let limits = self.limits;
        let too_large = cells.len() > limits.columns || cells.iter().any(|cell| cell.len() > limits.cell_bytes);
        if self.is_preview && too_large {
            return Ok(());
        }
        if cells.len() > limits.columns {
            return Err(SheetError::TooManyColumns { line, columns: cells.len(), limit: limits.columns });
        }
        if let Some(column) = cells.iter().position(|cell| cell.len() > limits.cell_bytes) {
            return Err(SheetError::CellTooLarge { line, column: column + 1, limit: limits.cell_bytes });
        }
        self.cells += cells.len();
        let texts: usize = cells.iter().map(str::len).sum();
        self.budget.charge(ROW_MEMORY + texts as u64)?;
        self.budget.hold(ROW_MEMORY + CELL_MEMORY * cells.len() as u64 + texts as u64)?;
        // The header counts as a row here.
        if self.rows.len() > limits.rows || self.cells > limits.cells {
            return Err(SheetError::TooManyRows { rows: limits.rows, cells: limits.cells });
        }
        self.rows.push(Row { line, cells });
        Ok(())
    }
}
