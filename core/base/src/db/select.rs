//! A query builder for rows in the order of their ids, one page at a time: ascending within one snapshot for exports,
//! newest first for lists.
//!
//! Statements contain only names from the program's own source, never from a request; values are always bound.

use std::collections::BTreeMap;

use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Connection as _, Row as _, Transaction, TypeInfo as _, ValueRef as _};

use super::backend::Backend;
use super::datum::Datum;
use crate::error::Result;

/// Begins a read transaction with a consistent snapshot: later writes by others are not visible to it.
pub async fn snapshot(connection: &mut AnyConnection, backend: Backend) -> Result<Transaction<'_, Any>> {
    let begin = match backend {
        // In WAL mode a read transaction keeps the state of its first read.
        Backend::Sqlite => "BEGIN",
        Backend::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    };
    Ok(connection.begin_with(begin).await?)
}

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

/// Maximum number of search terms; further ones are ignored.
const MAX_SEARCH_TERMS: usize = 8;

/// A query for columns of those rows of a table that meet all conditions.
#[derive(Clone, Debug)]
pub struct Select {
    table: &'static str,
    columns: Vec<&'static str>,
    tests: Vec<(&'static str, Test, Datum)>,
    /// Columns, each with the values that are allowed.
    among: Vec<(&'static str, Vec<Datum>)>,
    /// The columns to search, and the LIKE patterns of the search terms.
    searched: Vec<&'static str>,
    patterns: Vec<String>,
    /// The columns with keys, and for each search term the LIKE patterns of its keys.
    key_columns: Vec<&'static str>,
    key_patterns: Vec<Vec<String>>,
    /// Whether the patterns are those of a telephone number: of its digits, and of its digits with anything between
    /// them.
    is_telephone: bool,
    /// Index that a search on SQLite reads.
    search_index: Option<&'static str>,
}

impl Select {
    /// Selects columns of all rows of a table, which has a column `id`.
    pub fn new(table: &'static str, columns: Vec<&'static str>) -> Self {
        Self {
            table,
            columns,
            tests: Vec::new(),
            among: Vec::new(),
            searched: Vec::new(),
            patterns: Vec::new(),
            key_columns: Vec::new(),
            key_patterns: Vec::new(),
            is_telephone: false,
            search_index: None,
        }
    }

    /// Adds the condition that the column compares to the value as `test` says.
    #[must_use]
    pub fn filter(mut self, column: &'static str, test: Test, value: Datum) -> Self {
        self.tests.push((column, test, value));
        self
    }

    /// Adds the condition that the column has one of these values; no row does if there are none.
    #[must_use]
    pub fn among(mut self, column: &'static str, values: Vec<Datum>) -> Self {
        self.among.push((column, values));
        self
    }

    /// Adds the condition that each word of `text` occurs in one of these columns, ignoring case. Only the first eight
    /// words count. A text that is a telephone number is found however it was written.
    #[must_use]
    pub fn search(mut self, columns: &[&'static str], text: &str) -> Self {
        let digits = telephone_digits(text);
        self.is_telephone = digits.is_some();
        self.patterns = match digits {
            Some(digits) => {
                vec![format!("%{digits}%"), digits.chars().fold("%".to_owned(), |all, it| format!("{all}{it}%"))]
            }
            None => search_terms(text).map(|word| format!("%{}%", escaped(word))).collect(),
        };
        self.key_patterns = vec![Vec::new(); self.patterns.len()];
        self.searched = columns.to_vec();
        self
    }

    /// Matches each word of the search also by the keys that `keys` derives from it, independent of its script. The
    /// columns hold the keys of words, each after a space. Called after [`Select::search`]; the digits of a telephone
    /// number have no keys.
    #[must_use]
    pub fn search_keys(mut self, columns: &[&'static str], text: &str, keys: impl Fn(&str) -> Vec<String>) -> Self {
        if !self.is_telephone {
            let patterns = |word| keys(word).iter().map(|key| format!("% {}%", escaped(key))).collect();
            self.key_patterns = search_terms(text).map(patterns).collect();
            self.key_columns = columns.to_vec();
        }
        self
    }

    /// Lets a search on SQLite read this index, which has the columns that are searched, instead of the rows. The index
    /// begins with a column that a filter compares.
    #[must_use]
    pub fn search_index(mut self, index: &'static str) -> Self {
        self.search_index = Some(index);
        self
    }

    /// Counts the rows.
    pub async fn count(&self, connection: &mut AnyConnection) -> Result<u64> {
        let sql =
            format!("SELECT count(*) FROM {} WHERE {}", self.source(connection), self.conditions(connection, ">"));
        let row = self.bound(sqlx::query(AssertSqlSafe(sql)), 0).fetch_one(connection).await?;
        Ok(u64::try_from(row.try_get::<i64, _>(0)?).unwrap_or_default())
    }

    /// Counts the rows for each value of a text column or expression.
    pub async fn counts(&self, connection: &mut AnyConnection, column: &'static str) -> Result<BTreeMap<String, i64>> {
        let conditions = self.conditions(connection, ">");
        let source = self.source(connection);
        let sql = format!("SELECT {column}, count(*) FROM {source} WHERE {conditions} GROUP BY {column}");
        let rows = self.bound(sqlx::query(AssertSqlSafe(sql)), 0).fetch_all(connection).await?;
        rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
    }

    /// Sums numbers of the rows for each combination of values of text columns or expressions: the values, the number
    /// of rows, and the sums.
    pub async fn sums(
        &self,
        connection: &mut AnyConnection,
        groups: &[&'static str],
        summed: &[&'static str],
    ) -> Result<Vec<(Vec<String>, i64, Vec<i64>)>> {
        let sums = summed.iter().map(|number| format!(", CAST(coalesce(sum({number}), 0) AS BIGINT)"));
        let (groups_sql, sums) = (groups.join(", "), sums.collect::<String>());
        let conditions = self.conditions(connection, ">");
        let sql = format!(
            "SELECT {groups_sql}, count(*){sums} FROM {} WHERE {conditions} GROUP BY {groups_sql} ORDER BY {groups_sql}",
            self.source(connection)
        );
        let rows = self.bound(sqlx::query(AssertSqlSafe(sql)), 0).fetch_all(connection).await?;
        rows.iter()
            .map(|row| {
                let values = (0..groups.len()).map(|index| row.try_get(index)).collect::<sqlx::Result<_>>()?;
                let first = groups.len() + 1;
                let sums =
                    (first..first + summed.len()).map(|index| row.try_get(index)).collect::<sqlx::Result<_>>()?;
                Ok((values, row.try_get(groups.len())?, sums))
            })
            .collect()
    }

    /// Returns the ids of the rows in ascending order.
    pub async fn ids(&self, connection: &mut AnyConnection) -> Result<Vec<i64>> {
        let conditions = self.conditions(connection, ">");
        let sql = format!("SELECT id FROM {} WHERE {conditions} ORDER BY id", self.source(connection));
        let rows = self.bound(sqlx::query(AssertSqlSafe(sql)), 0).fetch_all(connection).await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    /// Returns at most `limit` rows with an id above `after`, in ascending order, each with its id.
    pub async fn page(&self, connection: &mut AnyConnection, after: i64, limit: u16) -> Result<Vec<(i64, Vec<Datum>)>> {
        self.rows(connection, after, &format!("ORDER BY id LIMIT {limit}")).await
    }

    /// Returns at most `limit` rows in descending order of their ids after skipping `offset`, each with its id.
    pub async fn newest(
        &self,
        connection: &mut AnyConnection,
        offset: u32,
        limit: u16,
    ) -> Result<Vec<(i64, Vec<Datum>)>> {
        self.rows(connection, 0, &format!("ORDER BY id DESC LIMIT {limit} OFFSET {offset}")).await
    }

    /// Returns the ids of the next older and the next newer row, if any.
    pub async fn neighbours(&self, connection: &mut AnyConnection, id: i64) -> Result<(Option<i64>, Option<i64>)> {
        let (older, newer) = (self.conditions(connection, "<"), self.conditions(connection, ">"));
        let source = self.source(connection);
        let older = format!("SELECT max(id) FROM {source} WHERE {older}");
        let newer = format!("SELECT min(id) FROM {source} WHERE {newer}");
        let older = self.bound(sqlx::query(AssertSqlSafe(older)), id).fetch_one(&mut *connection).await?;
        let newer = self.bound(sqlx::query(AssertSqlSafe(newer)), id).fetch_one(connection).await?;
        Ok((older.try_get(0)?, newer.try_get(0)?))
    }

    async fn rows(&self, connection: &mut AnyConnection, after: i64, order: &str) -> Result<Vec<(i64, Vec<Datum>)>> {
        let (columns, conditions) = (self.columns.join(", "), self.conditions(connection, ">"));
        let sql = format!("SELECT id, {columns} FROM {} WHERE {conditions} {order}", self.source(connection));
        let rows = self.bound(sqlx::query(AssertSqlSafe(sql)), after).fetch_all(connection).await?;
        rows.iter()
            .map(|row| {
                let values = (1..=self.columns.len()).map(|index| datum(row, index)).collect::<Result<_>>()?;
                Ok((row.try_get(0)?, values))
            })
            .collect()
    }

    /// The FROM clause. SQLite would take an index that narrows, and read every row of it.
    fn source(&self, connection: &AnyConnection) -> String {
        match self.search_index {
            Some(index) if !self.patterns.is_empty() && connection.backend_name() == "SQLite" => {
                format!("{} INDEXED BY {index}", self.table)
            }
            _ => self.table.to_owned(),
        }
    }

    /// The WHERE clause. `id_operator` compares the id with the first bound value.
    fn conditions(&self, connection: &AnyConnection, id_operator: &str) -> String {
        let mut conditions = vec![format!("id {id_operator} $1")];
        for (parameter, (column, test, _)) in (2..).zip(&self.tests) {
            let operator = match test {
                Test::Is => "=",
                Test::IsNot => "<>",
                Test::From => ">=",
                Test::Before => "<",
            };
            conditions.push(format!("{column} {operator} ${parameter}"));
        }
        let mut parameter = self.tests.len() + 2;
        for (column, values) in &self.among {
            let list = (parameter..).take(values.len()).map(|index| format!("${index}")).collect::<Vec<_>>().join(", ");
            // Postgres rejects an empty list.
            conditions.push(if values.is_empty() { "1 = 0".to_owned() } else { format!("{column} IN ({list})") });
            parameter += values.len();
        }
        // LIKE ignores case on SQLite; Postgres has ILIKE for that.
        let like = if connection.backend_name() == "PostgreSQL" { "ILIKE" } else { "LIKE" };
        if self.is_telephone {
            // Few rows have these digits in this order at all, so separators are removed from few.
            let digits = parameter + 1;
            let has_number =
                |column| format!("({column} LIKE ${digits} AND {} LIKE ${parameter})", without_separators(column));
            let columns: Vec<_> = self.searched.iter().map(|column| has_number(column)).collect();
            conditions.push(format!("({})", columns.join(" OR ")));
            return conditions.join(" AND ");
        }
        let mut key_parameter = parameter + self.patterns.len();
        for (index, keys) in (parameter..).zip(&self.key_patterns) {
            let literal = self.searched.iter().map(|column| format!("{column} {like} ${index} ESCAPE '\\'"));
            let key_parameters = key_parameter..key_parameter + keys.len();
            key_parameter = key_parameters.end;
            let by_key = self.key_columns.iter().filter(|_| !keys.is_empty()).map(|column| {
                let each = key_parameters.clone().map(|index| format!("{column} LIKE ${index} ESCAPE '\\'"));
                format!("({})", each.collect::<Vec<_>>().join(" AND "))
            });
            conditions.push(format!("({})", literal.chain(by_key).collect::<Vec<_>>().join(" OR ")));
        }
        conditions.join(" AND ")
    }

    fn bound<'q>(&self, query: Query<'q, Any, AnyArguments>, id: i64) -> Query<'q, Any, AnyArguments> {
        let one_of = self.among.iter().flat_map(|(_, values)| values);
        let values = self.tests.iter().map(|(_, _, value)| value).chain(one_of);
        let tested = values.fold(query.bind(id), |query, value| value.bind(query));
        let patterns = self.patterns.iter().chain(self.key_patterns.iter().flatten());
        patterns.fold(tested, |query, pattern| query.bind(pattern.clone()))
    }
}

/// The words of a search that count.
fn search_terms(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().take(MAX_SEARCH_TERMS)
}

/// Escapes a text, so that a LIKE pattern matches it literally.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

/// Characters between the digits of a telephone number. The spaces are ordinary, no-break and narrow ones.
const SEPARATORS: &[char] = &[' ', '\u{a0}', '\u{202f}', '-', '–', '.', '(', ')', '/', '+'];
/// Minimum number of digits of a text that may be a telephone number.
const MIN_TELEPHONE_DIGITS: usize = 6;

/// The digits of a text that may be a telephone number, without the leading zeros that replace a country code.
fn telephone_digits(text: &str) -> Option<String> {
    let text = text.trim();
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let is_number = text.chars().all(|letter| letter.is_ascii_digit() || SEPARATORS.contains(&letter));
    let digits = digits.trim_start_matches('0');
    (is_number && digits.len() >= MIN_TELEPHONE_DIGITS).then(|| digits.to_owned())
}

/// The expression of a column without the separators of a telephone number.
fn without_separators(column: &str) -> String {
    SEPARATORS.iter().fold(column.to_owned(), |text, separator| format!("replace({text}, '{separator}', '')"))
}

/// The value of a column, by its type in the database.
fn datum(row: &sqlx::any::AnyRow, index: usize) -> Result<Datum> {
    let value = row.try_get_raw(index)?;
    if value.is_null() {
        return Ok(Datum::Null);
    }
    let is_text = value.type_info().name() == "TEXT";
    Ok(if is_text { Datum::Text(row.try_get(index)?) } else { Datum::Integer(row.try_get(index)?) })
}
