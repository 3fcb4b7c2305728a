//! A table whose cells were read.

use std::fmt::{self, Write as _};

use festival_base::text::shortened;
use serde::Serialize;

use super::dates::{Order, Orders};
use super::import::ImportOptions;
use super::row::Row;
use crate::Records;
use crate::entity::{Entity, Kind};

/// A column of a table.
#[derive(Clone, Debug, Serialize)]
pub struct Column {
    /// Its header.
    pub header: String,
    /// The field that it fills; `None`: it is left out.
    pub field: Option<&'static str>,
    /// Why it is left out; empty if it is not.
    pub why: String,
}

/// Why a whole table is refused.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// A sentence that says what is wrong, and what to do.
    pub reason: String,
    /// The columns as far as they were recognised, in the order of the file; empty if none was looked at.
    pub columns: Vec<Column>,
}

impl Refusal {
    /// Refuses a table without a column that its rows need; `needed` says which, as in "needed are a title and a year".
    pub fn of_other_table(plural: &str, needed: &str, columns: Vec<Column>) -> Self {
        Self { reason: format!("this does not look like a list of {plural}: {needed}"), columns }
    }
}

impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Self { reason, columns: Vec::new() }
    }
}

/// A parsed table.
#[derive(Clone, Debug, Default)]
pub struct ParsedSheet {
    /// Its columns, in the order of the file.
    pub columns: Vec<Column>,
    /// The rows without errors.
    pub rows: Vec<Row>,
    /// Cells that cannot be used; their rows are left out.
    pub errors: Vec<CellError>,
    /// Cells that cannot be used and were left empty.
    pub blanked: Vec<CellError>,
    /// Whether it is a list that was exported: by this site, or by another one.
    pub is_export: bool,
    /// Notes for people about values that were not read as written in the file.
    pub notes: Vec<String>,
    /// The order of day and month in each field with dates.
    pub orders: Orders,
}

impl ParsedSheet {
    /// Decides in which order the dates of each column have day and month.
    pub(super) fn decide_orders(
        &mut self,
        records: &Records,
        entity: &'static Entity,
        options: &ImportOptions,
    ) -> Result<(), Refusal> {
        for column in &self.columns {
            let field = column.field.and_then(|name| entity.field(name));
            let is_date = |kind| matches!(kind, Kind::Date | Kind::DateTime | Kind::LocalDateTime);
            let Some(field) = field.filter(|field| is_date(field.kind)) else { continue };
            let cells = self.rows.iter().filter_map(|row| row.values.get(field.name));
            let order = column.order(cells, options, records);
            let order = order.map_err(|reason| Refusal { reason, columns: self.columns.clone() })?;
            self.orders.insert(field.name, order);
        }
        Ok(())
    }
}

impl Column {
    /// The order of day and month in the cells of this column.
    ///
    /// # Errors
    /// A sentence with both readings of a cell, if nothing decides.
    pub fn order<'a>(
        &self,
        cells: impl Iterator<Item = &'a str>,
        options: &ImportOptions,
        records: &Records,
    ) -> Result<Order, String> {
        if let Some(order) = options.order {
            return Ok(order);
        }
        Order::of_column(cells, options.days(records)).map_err(|(cell, readings)| {
            let [day, month] = readings.map(|day| day.strftime("%-d %B %Y").to_string());
            let cell = shortened(cell);
            format!("{}: \"{cell}\" may be {day} or {month}; say which comes first, the day or the month", self.header)
        })
    }
}

/// A cell that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CellError {
    /// The line in the file where the row begins, from 1.
    pub line: u64,
    /// The header of the column, or the name of the field if it has no column.
    pub header: String,
    /// The value, shortened.
    pub value: String,
    /// What is expected instead.
    pub expected: String,
}

impl fmt::Display for CellError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, header, value, expected } = self;
        // A whole sentence of the entity's rules.
        let is_sentence = expected.starts_with(char::is_uppercase);
        let link = if is_sentence { ". " } else { ", expected " };
        write!(formatter, "line {line}, {header}: {}{link}{expected}", Quoted(value))
    }
}

/// Displays a text in quotation marks. Control characters are escaped, for terminals; the combining signs of scripts
/// are not, unlike with `{:?}`.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_char('"')?;
        for character in self.0.chars() {
            if character.is_control() || matches!(character, '"' | '\\') {
                write!(formatter, "{}", character.escape_default())?;
            } else {
                formatter.write_char(character)?;
            }
        }
        formatter.write_char('"')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_values_are_quoted_with_control_characters_escaped() {
        let error = |value: &str| {
            let value = value.to_owned();
            CellError { line: 2, header: "Year".into(), value, expected: "a year".into() }.to_string()
        };
        assert_eq!(error("க் മൂന്ന്"), "line 2, Year: \"க் മൂന്ന്\", expected a year");
        assert_eq!(error("\u{1b}[31m\"\n"), r#"line 2, Year: "\u{1b}[31m\"\n", expected a year"#);
    }
}
