//! The conditions of a statement, and the values that they compare with.
//!
//! Conditions contain only names from the program's own source, never from a request; values are always bound.

use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Row as _};

use super::address::Backend;
use super::datum::Datum;
use crate::error::Result;
use crate::text::with_ascii_digits;

/// Maximum number of words of a search; further ones are ignored.
const MAX_WORDS: usize = 8;

/// A comparison of a column with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Equal to the value.
    Is,
    /// Not equal to the value.
    IsNot,
    /// Greater than or equal to the value.
    From,
    /// Less than the value.
    Before,
}

/// Conditions that rows must meet: all of them, or in [`Conditions::any_of`] one of them.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    parts: Vec<String>,
    values: Vec<Datum>,
}

impl Conditions {
    /// Adds the condition that the column compares to the value as `test` says; [`Datum::Null`]: that it is empty.
    pub fn compare(&mut self, column: &str, test: Test, value: Datum) {
        if value == Datum::Null {
            self.parts.push(format!("{column} IS NULL"));
            return;
        }
        let operator = match test {
            Test::Is => "=",
            Test::IsNot => "<>",
            Test::From => ">=",
            Test::Before => "<",
        };
        let condition = format!("{column} {operator} {}", self.bind(value));
        self.parts.push(condition);
    }

    /// Adds the condition that the column has one of these values; no row does if there are none.
    pub fn among(&mut self, column: &str, values: impl IntoIterator<Item = Datum>) {
        let values: Vec<String> = values.into_iter().map(|value| self.bind(value)).collect();
        // Postgres rejects an empty list.
        let is_among = format!("{column} IN ({})", values.join(", "));
        self.parts.push(if values.is_empty() { "1 = 0".to_owned() } else { is_among });
    }

    /// Adds the condition that the column has one of these ids, which the statement lists: Postgres plans for them.
    pub fn among_ids(&mut self, column: &str, ids: &[i64]) {
        let list = ids.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        self.parts.push(if ids.is_empty() { "1 = 0".to_owned() } else { format!("{column} IN ({list})") });
    }

    /// Adds a condition for each column: that it contains `text`, ignoring case.
    pub fn contain(&mut self, columns: impl IntoIterator<Item = impl AsRef<str>>, text: &str) {
        let parameter = self.bind(Datum::Text(format!("%{}%", escaped(text))));
        let contains = |column: &str| format!("{column} ILIKE {parameter} ESCAPE '\\'");
        self.parts.extend(columns.into_iter().map(|column| contains(column.as_ref())));
    }

    /// Adds a condition for each of these words: that one of the columns contains it, ignoring case, or one of those that
    /// `or` adds is met.
    pub fn have_words<'w>(
        &mut self,
        words: impl Iterator<Item = &'w str>,
        columns: &[impl AsRef<str>],
        or: impl Fn(&mut Self, &str),
    ) {
        for word in words {
            self.any_of(|any| {
                any.contain(columns, word);
                or(any, word);
            });
        }
    }

    /// Adds a condition for each key of a word: that the column, which holds keys of words, each after a space, has it.
    pub fn have_keys(&mut self, column: &str, keys: &[String]) {
        let beginnings: Vec<String> = keys.iter().map(|key| format!(" {key}")).collect();
        self.have_parts(column, &beginnings);
    }

    /// Adds a condition for each of these texts: that the column, which holds keys of words, contains it.
    pub fn have_parts(&mut self, column: &str, parts: &[String]) {
        for part in parts {
            let condition =
                format!("{column} LIKE {} ESCAPE '\\'", self.bind(Datum::Text(format!("%{}%", escaped(part)))));
            self.parts.push(condition);
        }
    }

    /// Adds a condition for each column: that it contains a telephone number with these digits, however it is written.
    pub fn have_telephone(&mut self, columns: &[&str], digits: &str) {
        // Few rows have these digits in this order at all, so separators are removed from few.
        let spaced = self.bind(Datum::Text(digits.chars().fold("%".to_owned(), |all, digit| format!("{all}{digit}%"))));
        let joined = self.bind(Datum::Text(format!("%{digits}%")));
        let contains = |column: &&str| {
            let plain = SEPARATORS
                .iter()
                .fold((*column).to_owned(), |text, separator| format!("replace({text}, '{separator}', '')"));
            format!("({column} LIKE {spaced} AND {plain} LIKE {joined})")
        };
        self.parts.extend(columns.iter().map(contains));
    }

    /// Adds the condition that at least one of those that `add` adds is met; no row meets it if there are none.
    pub fn any_of(&mut self, add: impl FnOnce(&mut Self)) {
        let alternatives = self.added(add);
        let any = if alternatives.is_empty() { "1 = 0".to_owned() } else { alternatives.join(" OR ") };
        self.parts.push(format!("({any})"));
    }

    /// Adds one condition: `start`, which ends with an open bracket, and all conditions that `add` adds.
    pub fn nested(&mut self, start: &str, add: impl FnOnce(&mut Self)) {
        let conditions = self.added(add).join(" AND ");
        self.parts.push(format!("{start}{conditions})"));
    }

    /// The WHERE clause on the database of `connection`; "" without conditions.
    pub fn where_clause(&self, connection: &AnyConnection) -> String {
        let all = self.parts.join(" AND ");
        match Backend::of(connection) {
            _ if all.is_empty() => all,
            Backend::Postgres => format!(" WHERE {all}"),
            // SQLite's LIKE ignores case, and there is no ILIKE.
            Backend::Sqlite => format!(" WHERE {}", all.replace(" ILIKE ", " LIKE ")),
        }
    }

    /// A statement with the values of [`Conditions::where_clause`].
    pub fn query(&self, sql: String) -> Query<'static, Any, AnyArguments> {
        self.values.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, value| value.bind(query))
    }

    /// Counts the rows of a FROM clause that meet the conditions.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn count(&self, connection: &mut AnyConnection, from: &str) -> Result<i64> {
        let sql = format!("SELECT count(*) FROM {from}{}", self.where_clause(connection));
        Ok(self.query(sql).fetch_one(connection).await?.try_get(0)?)
    }

    /// Keeps a value, and returns its parameter.
    fn bind(&mut self, value: Datum) -> String {
        self.values.push(value);
        format!("${}", self.values.len())
    }

    /// The conditions that `add` adds, which are taken out of these.
    fn added(&mut self, add: impl FnOnce(&mut Self)) -> Vec<String> {
        let before = self.parts.len();
        add(self);
        self.parts.split_off(before)
    }
}

/// The words of a search that count.
pub fn search_words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().take(MAX_WORDS)
}

/// Escapes a text, so that a LIKE pattern matches it literally.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

/// Characters between the digits of a telephone number. The spaces are ordinary, no-break and narrow ones.
const SEPARATORS: &[char] = &[' ', '\u{a0}', '\u{202f}', '-', '–', '.', '(', ')', '/', '+'];
/// Minimum number of digits of a text that may be a telephone number.
const MIN_TELEPHONE_DIGITS: usize = 6;

/// The last digits of a telephone number that every notation of it has: the rest is a calling code or zeros instead of one.
const TELEPHONE_DIGITS: usize = 10;

/// The digits of a text that may be a telephone number, without a calling code or the zeros that replace it.
pub(super) fn telephone_digits(text: &str) -> Option<String> {
    let text = &*with_ascii_digits(text.trim());
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let is_number = text.chars().all(|letter| letter.is_ascii_digit() || SEPARATORS.contains(&letter));
    let digits = digits.trim_start_matches('0');
    (is_number && digits.len() >= MIN_TELEPHONE_DIGITS)
        .then(|| digits[digits.len().saturating_sub(TELEPHONE_DIGITS)..].to_owned())
}
