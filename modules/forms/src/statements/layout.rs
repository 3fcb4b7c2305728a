//! Which column of a statement holds what, by its header.
//!
//! Banks name their columns differently, and each changes its names from one channel to the next, so that words decide, not
//! a list of banks.

use std::collections::BTreeMap;

use festival_core::sheet::Row;

/// Rows that are searched for the header: banks write addresses above it.
const HEADER_ROWS: usize = 120;

/// Maximum length of a header in bytes; longer texts are narrations.
const MAX_HEADER: usize = 80;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// The currency of the amounts.
    Currency,
    /// Whether the money moved: payment apps list what failed, too.
    Status,
    Balance,
    /// `Cr` or `Dr` for the balance.
    BalanceSign,
    /// "Type": signs in some statements, kinds of transactions in others.
    Type,
}

/// What headers mean: the first field one of whose patterns fits. A pattern fits if each of its words is one of the header;
/// a word has alternatives, whose beginning or end may be open.
const HEADERS: &[(Field, &[&str])] = &[
    (Field::BalanceSign, &["bal* dr|debit* cr|credit*"]),
    (Field::Balance, &["bal*|*balance"]),
    (Field::ValueDay, &["val* *date|dt|dated"]),
    (Field::Day, &["*date|dt|dated"]),
    (Field::Amount, &["amount*|amt* dr|debit*|withdraw* cr|credit*|deposit*"]),
    (Field::Sign, &["dr|debit*|withdraw* cr|credit*|deposit*", "d c", "crdr|drcr|indicator"]),
    (Field::Debit, &["dr|debit*|withdraw*|payments", "paid|money out"]),
    (Field::Credit, &["cr|credit*|deposit*|receipts", "paid|money in"]),
    (Field::Amount, &["amount*|amt*|*amount|*amt"]),
    (Field::Number, &["ref*|chq*|cheq*|check*|utr*|rrn*|instr*", "tran*|txn* id|no|number"]),
    (Field::Narration, &["narrat*|particular*|descr*|remark*|detail*|memo*|payee*"]),
    (Field::Type, &["type"]),
    (Field::Currency, &["curr*|ccy"]),
    (Field::Status, &["status|state"]),
];

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

/// Reads assignments like "Paid to us=credit".
///
/// # Errors
/// The fields, if one names none.
pub(super) fn assigned<'t>(texts: impl Iterator<Item = &'t str>) -> Result<Assigned, String> {
    let assign = |text: &str| {
        let (header, field) = text.rsplit_once('=')?;
        let field = field.trim();
        field_named(field).map(|_| (header.trim().to_lowercase(), field.to_owned()))
    };
    let advice = |text: &str| format!("{text}: write HEADER=FIELD, with one of the fields {}", names());
    texts.map(|text| assign(text).ok_or_else(|| advice(text))).collect()
}

/// The names of all fields that a person may assign.
pub(super) fn names() -> String {
    NAMES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

fn field_named(name: &str) -> Option<Field> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, field)| *field)
}

/// The columns of a statement.
pub(super) struct Layout {
    /// Index of the first row below the header.
    pub(super) below: usize,
    pub(super) columns: Vec<Option<Field>>,
    /// Number of columns up to the last one with a header or a field.
    pub(super) width: usize,
    /// The last row of the header.
    header: Row,
}

impl Layout {
    /// Finds the header: the first row, or two rows together, with a day, an amount and a text.
    pub(super) fn find(rows: &[Row], assigned: &Assigned) -> Option<Self> {
        let joined = |rows: &[Row]| {
            let width = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
            let cell =
                |column: usize| rows.iter().filter_map(|row| row.cells.get(column)).collect::<Vec<_>>().join(" ");
            columns((0..width).map(cell), assigned)
        };
        let ending = |index: usize, below: usize| {
            let header_rows = rows.get(index..below)?;
            let columns = joined(header_rows);
            let is_named = |column: &usize| {
                header_rows.iter().any(|row| row.cells.get(*column).is_some_and(|cell| !cell.is_empty()))
            };
            let width = (0..columns.len()).filter(|column| columns[*column].is_some() || is_named(column)).max()? + 1;
            let header = rows[below - 1].clone();
            is_complete(&columns, assigned).then_some(Self { below, columns, width, header })
        };
        // "Debit" and "Credit" below "Amount".
        let is_header = |row: &Row| row.cells.iter().all(|cell| cell.is_empty() || field_of(cell).is_some());
        (0..rows.len().min(HEADER_ROWS)).find_map(|index| {
            let one = ending(index, index + 1);
            // A row above a whole header is not a part of it.
            let two = ending(index, index + 2).filter(|_| ending(index + 1, index + 2).is_none());
            if rows.get(index + 1).is_some_and(is_header) { two.or(one) } else { one.or(two) }
        })
    }

    /// Whether a row repeats the header, as on every page.
    pub(super) fn is_repeated(&self, row: &Row) -> bool {
        let same = |wanted: fn(Field) -> bool| {
            let cells = row.cells.iter().zip(&self.columns).filter(|(_, field)| field.is_some_and(wanted));
            cells.filter(|(cell, field)| field_of(cell) == **field).count()
        };
        // "Total Debits" and "Total Credits" are below the lines.
        row.cells == self.header.cells || same(|field| field == Field::Day) > 0 && same(|_| true) >= 3
    }

    pub(super) fn has(&self, field: Field) -> bool {
        self.columns.contains(&Some(field))
    }

    /// The texts of all columns with this field, joined.
    pub(super) fn text(&self, row: &Row, field: Field) -> String {
        let cells = self.columns.iter().zip(row.cells.iter());
        let texts = cells.filter(|(known, text)| **known == Some(field) && !text.is_empty()).map(|(_, text)| text);
        texts.collect::<Vec<_>>().join(" ")
    }
}

fn is_complete(columns: &[Option<Field>], assigned: &Assigned) -> bool {
    let has = |field| columns.contains(&Some(field));
    has(Field::Day)
        && (has_credits(columns, assigned) || has(Field::Amount))
        && (has(Field::Narration) || has(Field::Number))
}

/// Whether credits have a column beside that of debits, or one of their own that somebody assigned: payment apps list what
/// came in.
fn has_credits(columns: &[Option<Field>], assigned: &Assigned) -> bool {
    let has = |field| columns.contains(&Some(field));
    has(Field::Credit) && (has(Field::Debit) || assigned.values().any(|name| name == "credit"))
}

fn columns(headers: impl Iterator<Item = String>, assigned: &Assigned) -> Vec<Option<Field>> {
    let headers: Vec<String> = headers.map(|header| header.trim().to_lowercase()).collect();
    let field = |header: &String| assigned.get(header).and_then(|name| field_named(name)).or_else(|| field_of(header));
    let mut columns: Vec<Option<Field>> = headers.iter().map(field).collect();
    // Of several days that of the transaction counts, of several amounts the first.
    let is_transaction = |index: usize| ["tran", "txn"].iter().any(|word| headers[index].contains(word));
    let days: Vec<usize> = (0..columns.len()).filter(|index| columns[*index] == Some(Field::Day)).collect();
    if days.iter().any(|index| is_transaction(*index)) {
        days.into_iter().filter(|index| !is_transaction(*index)).for_each(|index| columns[index] = None);
    }
    // A value date alone is the day, and "Debit/Credit" without an amount beside it holds amounts with signs.
    let amounts = [Field::Amount, Field::Debit, Field::Credit];
    for (instead, missing) in [(Field::ValueDay, &[Field::Day][..]), (Field::Sign, &amounts[..])] {
        if !columns.iter().flatten().any(|field| missing.contains(field)) {
            columns.iter_mut().filter(|field| **field == Some(instead)).for_each(|field| *field = Some(missing[0]));
        }
    }
    let is_double = has_credits(&columns, assigned);
    let mut seen = Vec::new();
    for field in &mut columns {
        // "Dr/Cr" beside two columns belongs to the balance; beside one, the second does.
        *field = match *field {
            Some(Field::Amount | Field::Type) if is_double => None,
            Some(Field::Sign) if is_double || seen.contains(&Field::Sign) => Some(Field::BalanceSign),
            other => other,
        };
        let may_repeat = matches!(field, Some(Field::Narration | Field::Number));
        *field = field.filter(|known| may_repeat || !seen.contains(known));
        seen.extend(*field);
    }
    columns
}

/// What a column with this header holds.
pub(super) fn field_of(header: &str) -> Option<Field> {
    if header.len() > MAX_HEADER {
        return None;
    }
    let header = header.to_lowercase();
    let words: Vec<&str> = header.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let fits = |word: &str, wanted: &str| match (wanted.strip_suffix('*'), wanted.strip_prefix('*')) {
        (Some(start), _) => word.starts_with(start),
        (_, Some(end)) => word.ends_with(end),
        _ => word == wanted,
    };
    let has = |wanted: &str| words.iter().any(|word| wanted.split('|').any(|wanted| fits(word, wanted)));
    let is_named = |patterns: &[&str]| patterns.iter().any(|pattern| pattern.split(' ').all(has));
    HEADERS.iter().find(|(_, patterns)| is_named(patterns)).map(|(field, _)| *field)
}
