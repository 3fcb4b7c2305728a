//! A query builder for rows in the order of their ids, one page at a time: ascending within one snapshot for exports,
//! newest first for lists.
//!
//! Statements contain only names from the program's own source, never from a request; values are always bound.

use std::collections::BTreeMap;

use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Connection as _, Row as _, Transaction, TypeInfo as _, ValueRef as _};

use super::backend::Backend;
use super::condition::{Conditions, Test, search_words, telephone_digits};
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

/// A query for columns of those rows of a table that meet all conditions.
#[derive(Clone, Debug)]
pub struct Select {
    table: &'static str,
    columns: Vec<&'static str>,
    conditions: Conditions,
    /// Index that a search on SQLite reads.
    search_index: Option<&'static str>,
}

/// What a search compares.
pub struct Searched<'s> {
    /// The columns with texts.
    pub columns: &'s [&'static str],
    /// The columns with keys, which match words independent of their script.
    pub key_columns: &'s [&'static str],
    /// The keys of a word.
    pub keys: fn(&str) -> Vec<String>,
    /// An index with these columns, which begins with a column that a filter compares: SQLite reads it instead of the
    /// rows.
    pub index: &'static str,
}

impl Select {
    /// Selects columns of all rows of a table, which has a column `id`.
    pub fn new(table: &'static str, columns: Vec<&'static str>) -> Self {
        Self { table, columns, conditions: Conditions::default(), search_index: None }
    }

    /// Adds the condition that the column compares to the value as `test` says.
    #[must_use]
    pub fn filter(mut self, column: &str, test: Test, value: Datum) -> Self {
        self.conditions.compare(column, test, value);
        self
    }

    /// Adds the condition that the column has one of these values; no row does if there are none.
    #[must_use]
    pub fn among(mut self, column: &str, values: Vec<Datum>) -> Self {
        self.conditions.among(column, values);
        self
    }

    /// Adds the condition that each word of `text` occurs in one of the columns, ignoring case. Only the first eight
    /// words count. A text that is a telephone number is found however it was written.
    #[must_use]
    pub fn search(mut self, text: &str, searched: &Searched<'_>) -> Self {
        if let Some(digits) = telephone_digits(text) {
            self.conditions.any_of(|any| any.have_telephone(searched.columns, &digits));
            self.search_index = Some(searched.index);
            return self;
        }
        for word in search_words(text) {
            let keys = (searched.keys)(word);
            self.conditions.any_of(|any| {
                any.contain(searched.columns, word);
                for column in searched.key_columns.iter().filter(|_| !keys.is_empty()) {
                    any.nested("(", |all| all.have_keys(column, &keys));
                }
            });
            self.search_index = Some(searched.index);
        }
        self
    }

    /// Counts the rows.
    pub async fn count(&self, connection: &mut AnyConnection) -> Result<i64> {
        self.conditions.count(connection, &self.source(connection)).await
    }

    /// Counts the rows for each value of a text column or expression.
    pub async fn counts(&self, connection: &mut AnyConnection, column: &'static str) -> Result<BTreeMap<String, i64>> {
        let rows = self.fetch(connection, &format!("{column}, count(*)"), &format!("GROUP BY {column}")).await?;
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
        let (by, sums) = (groups.join(", "), sums.collect::<String>());
        let rows =
            self.fetch(connection, &format!("{by}, count(*){sums}"), &format!("GROUP BY {by} ORDER BY {by}")).await?;
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
        let rows = self.fetch(connection, "id", "ORDER BY id").await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    /// Returns at most `limit` rows with an id above `after`, in ascending order, each with its id.
    pub async fn page(&self, connection: &mut AnyConnection, after: i64, limit: u16) -> Result<Vec<(i64, Vec<Datum>)>> {
        let later = self.clone().filter("id", Test::From, Datum::Integer(after + 1));
        later.rows(connection, &format!("ORDER BY id LIMIT {limit}")).await
    }

    /// Returns at most `limit` rows in descending order of their ids after skipping `offset`, each with its id.
    pub async fn newest(
        &self,
        connection: &mut AnyConnection,
        offset: u32,
        limit: u16,
    ) -> Result<Vec<(i64, Vec<Datum>)>> {
        self.rows(connection, &format!("ORDER BY id DESC LIMIT {limit} OFFSET {offset}")).await
    }

    /// Returns the ids of the next older and the next newer row, if any.
    pub async fn neighbours(&self, connection: &mut AnyConnection, id: i64) -> Result<(Option<i64>, Option<i64>)> {
        let older = self.clone().filter("id", Test::Before, Datum::Integer(id));
        let newer = self.clone().filter("id", Test::From, Datum::Integer(id + 1));
        let older = older.fetch(connection, "max(id)", "").await?;
        let newer = newer.fetch(connection, "min(id)", "").await?;
        Ok((older[0].try_get(0)?, newer[0].try_get(0)?))
    }

    async fn rows(&self, connection: &mut AnyConnection, order: &str) -> Result<Vec<(i64, Vec<Datum>)>> {
        let rows = self.fetch(connection, &format!("id, {}", self.columns.join(", ")), order).await?;
        rows.iter()
            .map(|row| {
                let values = (1..=self.columns.len()).map(|index| datum(row, index)).collect::<Result<_>>()?;
                Ok((row.try_get(0)?, values))
            })
            .collect()
    }

    /// Selects `columns` of the rows; `rest` follows the conditions.
    async fn fetch(&self, connection: &mut AnyConnection, columns: &str, rest: &str) -> Result<Vec<AnyRow>> {
        let (source, conditions) = (self.source(connection), self.conditions.where_clause(connection));
        let query = self.conditions.query(format!("SELECT {columns} FROM {source}{conditions} {rest}"));
        Ok(query.fetch_all(connection).await?)
    }

    /// The FROM clause. SQLite would take an index that narrows, and read every row of it.
    fn source(&self, connection: &AnyConnection) -> String {
        match self.search_index {
            Some(index) if Backend::of(connection) == Backend::Sqlite => format!("{} INDEXED BY {index}", self.table),
            _ => self.table.to_owned(),
        }
    }
}

/// The value of a column, by its type in the database.
fn datum(row: &AnyRow, index: usize) -> Result<Datum> {
    let value = row.try_get_raw(index)?;
    if value.is_null() {
        return Ok(Datum::Null);
    }
    let is_text = value.type_info().name() == "TEXT";
    Ok(if is_text { Datum::Text(row.try_get(index)?) } else { Datum::Integer(row.try_get(index)?) })
}
