//! Which column of a statement holds what, by its header.
//!
//! Banks name their columns differently, and each changes its names from one channel to the next, so that words decide, not
//! a list of banks.

use std::collections::BTreeMap;

use super::statement::GridRow;

/// Rows that are searched for the header: banks write addresses above it.
const HEADER_ROWS: usize = 120;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Field {
    Day,
    ValueDay,
    Narration,
    Number,
    Debit,
    Credit,
    Amount,
    /// `Cr` or `Dr` for the amount.
    Sign,
    Balance,
    /// `Cr` or `Dr` for the balance.
    BalanceSign,
    /// "Type": signs in some statements, kinds of transactions in others.
    Type,
}

/// The names of fields for people who assign a column themselves.
const NAMES: &[(&str, Field)] = &[
    ("date", Field::Day),
    ("value-date", Field::ValueDay),
    ("narration", Field::Narration),
    ("number", Field::Number),
    ("debit", Field::Debit),
    ("credit", Field::Credit),
    ("amount", Field::Amount),
    ("sign", Field::Sign),
    ("balance", Field::Balance),
];

/// Headers that somebody assigned to fields, in lower case, with the names of the fields.
pub(super) type Assigned = BTreeMap<String, String>;

/// The columns of a statement.
pub(super) struct Layout {
    /// Index of the first row below the header.
    pub(super) below: usize,
    pub(super) columns: Vec<Option<Field>>,
    header: Vec<String>,
}

impl Layout {
    /// Finds the header: the first row, or two rows together, with a day, an amount and a text.
    pub(super) fn find(rows: &[GridRow], assigned: &Assigned) -> Option<Self> {
        let joined = |index: usize| {
            let (above, below) = (&rows[index].cells, &rows.get(index + 1)?.cells);
            let cell = |cells: &[String], column: usize| cells.get(column).cloned().unwrap_or_default();
            let columns = 0..above.len().max(below.len());
            Some(columns.map(|column| format!("{} {}", cell(above, column), cell(below, column))).collect::<Vec<_>>())
        };
        let rows_of = |index: usize| [(Some(rows[index].cells.clone()), 1), (joined(index), 2)];
        (0..rows.len().min(HEADER_ROWS))
            .flat_map(|index| rows_of(index).map(|(cells, height)| (index, cells, height)))
            .find_map(|(index, cells, height)| {
                let header = cells?;
                let columns = columns(&header, assigned);
                is_complete(&columns).then(|| Self { below: index + height, columns, header })
            })
    }

    /// Whether a row repeats the header, as on every page.
    pub(super) fn is_repeated(&self, cells: &[String]) -> bool {
        let same = cells.iter().zip(&self.columns).filter(|(cell, field)| field.is_some() && field_of(cell) == **field);
        self.header == cells || same.count() >= 3
    }

    pub(super) fn has(&self, field: Field) -> bool {
        self.columns.contains(&Some(field))
    }

    /// The texts of all columns with this field, joined.
    pub(super) fn text(&self, cells: &[String], field: Field) -> String {
        let texts = self.columns.iter().zip(cells).filter(|(known, _)| **known == Some(field)).map(|(_, cell)| &**cell);
        texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// The number of headers of statements in a row.
pub(super) fn known(cells: &[String]) -> usize {
    let columns = columns(cells, &Assigned::new());
    if is_complete(&columns) { columns.iter().flatten().count() } else { 0 }
}

/// The name of a field that a person may assign; `None` for another.
pub(super) fn assignable(name: &str) -> Option<&'static str> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(known, _)| *known)
}

/// The names of all fields that a person may assign.
pub(super) fn assignable_names() -> String {
    NAMES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

fn is_complete(columns: &[Option<Field>]) -> bool {
    let has = |field| columns.contains(&Some(field));
    has(Field::Day)
        && (has(Field::Debit) && has(Field::Credit) || has(Field::Amount))
        && (has(Field::Narration) || has(Field::Number))
}

fn columns(cells: &[String], assigned: &Assigned) -> Vec<Option<Field>> {
    let named = |cell: &str| {
        let name = assigned.get(&cell.trim().to_lowercase())?;
        NAMES.iter().find(|(known, _)| known == name).map(|(_, field)| *field)
    };
    let mut columns: Vec<Option<Field>> = cells.iter().map(|cell| named(cell).or_else(|| field_of(cell))).collect();
    let has = |columns: &[Option<Field>], field| columns.contains(&Some(field));
    // Of several days that of the transaction counts, of several amounts the first.
    let is_transaction = |cell: &String| ["tran", "txn"].iter().any(|word| cell.to_lowercase().contains(word));
    let days = |columns: &[Option<Field>]| columns.iter().filter(|field| **field == Some(Field::Day)).count();
    if days(&columns) > 1
        && columns.iter().zip(cells).any(|(field, cell)| *field == Some(Field::Day) && is_transaction(cell))
    {
        columns
            .iter_mut()
            .zip(cells)
            .filter(|(field, cell)| **field == Some(Field::Day) && !is_transaction(cell))
            .for_each(|(field, _)| *field = None);
    }
    let is_double = has(&columns, Field::Debit) && has(&columns, Field::Credit);
    let mut seen = Vec::new();
    for field in &mut columns {
        // "Dr/Cr" beside two columns belongs to the balance; beside one, the second does.
        *field = match *field {
            Some(Field::Amount | Field::Type) if is_double => None,
            Some(Field::Sign) if is_double || seen.contains(&Field::Sign) => Some(Field::BalanceSign),
            other => other,
        };
        if let Some(known) = *field {
            if seen.contains(&known) && !matches!(known, Field::Narration | Field::Number) {
                *field = None;
            }
            seen.push(known);
        }
    }
    columns
}

/// What a column with this header holds.
fn field_of(header: &str) -> Option<Field> {
    if header.len() > 80 {
        return None;
    }
    let header = header.to_lowercase();
    let words: Vec<&str> = header.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let starts = |list: &[&str]| words.iter().any(|word| list.iter().any(|start| word.starts_with(start)));
    let ends = |list: &[&str]| words.iter().any(|word| list.iter().any(|end| word.ends_with(end)));
    let is_pair = |pair: [&str; 2]| words.len() >= 2 && words[..2] == pair;
    let is_debit =
        has(&["dr"]) || starts(&["debit", "withdraw"]) || is_pair(["paid", "out"]) || is_pair(["money", "out"]);
    let is_credit =
        has(&["cr"]) || starts(&["credit", "deposit"]) || is_pair(["paid", "in"]) || is_pair(["money", "in"]);
    let is_amount = starts(&["amount", "amt"]);
    if starts(&["bal"]) {
        return Some(if is_debit && is_credit { Field::BalanceSign } else { Field::Balance });
    }
    if ends(&["date"]) || has(&["dt", "dated"]) {
        return Some(if starts(&["val"]) { Field::ValueDay } else { Field::Day });
    }
    match (is_debit, is_credit) {
        (true, true) => return Some(if is_amount { Field::Amount } else { Field::Sign }),
        (true, false) => return Some(Field::Debit),
        (false, true) => return Some(Field::Credit),
        (false, false) => {}
    }
    if words == ["d", "c"] || words == ["c", "d"] {
        return Some(Field::Sign);
    }
    let is_serial = has(&["s", "sl", "sr", "sno", "srno", "serial"]);
    let names_number = starts(&["ref", "chq", "cheq", "check", "utr", "rrn", "instr"])
        || (has(&["id", "no", "number"]) && starts(&["tran", "txn"]));
    if is_amount {
        Some(Field::Amount)
    } else if names_number && !is_serial {
        Some(Field::Number)
    } else if starts(&["narrat", "particular", "descr", "remark", "detail", "memo", "payee"]) {
        Some(Field::Narration)
    } else if has(&["type"]) {
        Some(Field::Type)
    } else {
        None
    }
}
