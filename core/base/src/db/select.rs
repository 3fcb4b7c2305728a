//! A query builder for the rows of a table, one page at a time: in the order of their ids within one snapshot, or in any
//! order for lists.
//!
//! Statements contain only names from the program's own source, never from a request; values are always bound.

use std::collections::BTreeMap;

use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Connection as _, Row as _, Transaction, TypeInfo as _, ValueRef as _};

use super::address::Backend;
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

/// A row: its id, and the values of the selected columns.
pub type SelectedRow = (i64, Vec<Datum>);

/// A query for columns of those rows of a table, called `t`, that meet all conditions.
#[must_use]
#[derive(Clone, Debug)]
pub struct Select {
    table: &'static str,
    columns: Vec<String>,
    /// The joins with tables that the columns and orders name; each adds at most one row to a row.
    joins: String,
    conditions: Conditions,
    /// Index that a search on SQLite reads.
    search_index: Option<&'static str>,
}

/// The order of rows: by an expression, equal ones by their ids in the same direction.
#[must_use]
#[derive(Clone, Debug)]
pub struct Order {
    by: String,
    is_empty: Option<String>,
    is_descending: bool,
    is_of_joined: bool,
}

impl Order {
    /// Ascending by an expression that is never empty: the database can use an index of it.
    pub fn by(expression: impl Into<String>) -> Self {
        Self { by: expression.into(), is_empty: None, is_descending: false, is_of_joined: false }
    }

    /// The latest row first.
    pub fn newest() -> Self {
        Self::by("t.id").descending(true)
    }

    /// The same order, in which rows that meet a condition come last in both directions.
    pub fn last_if(mut self, condition: impl Into<String>) -> Self {
        self.is_empty = Some(condition.into());
        self
    }

    /// The same order, by an expression that names a joined table.
    pub fn of_joined(mut self) -> Self {
        self.is_of_joined = true;
        self
    }

    /// The same order in this direction.
    pub fn descending(mut self, is_descending: bool) -> Self {
        self.is_descending = is_descending;
        self
    }

    /// The ORDER BY expressions of this order, or of the whole reversed one.
    fn expressions(&self, is_reversed: bool) -> String {
        let Self { by, is_empty, is_descending, .. } = self;
        let direction = if *is_descending == is_reversed { "ASC" } else { "DESC" };
        let last = if is_reversed { " DESC" } else { "" };
        let empty = is_empty.as_ref().map_or(String::new(), |condition| format!("({condition}){last}, "));
        let id = if by == "t.id" { String::new() } else { format!(", t.id {direction}") };
        format!("{empty}{by} {direction}{id}")
    }
}

/// Maximum length of a list, in rows, in which a search compares all texts. In a longer list it compares those that an
/// index covers: a synopsis of each of 100,000 films would take seconds.
const MAX_SEARCHED_WHOLE: i64 = 20_000;

/// What a search compares.
pub struct Searched {
    /// The columns with texts.
    pub columns: Vec<&'static str>,
    /// The columns with keys, which match words independent of their script.
    pub key_columns: Vec<&'static str>,
    /// The keys of a word.
    pub keys: fn(&str) -> Vec<String>,
    /// An index with these columns, which begins with a column that a filter compares: SQLite reads it instead of the
    /// rows.
    pub index: &'static str,
}

impl Select {
    /// Selects columns of all rows of a table, which has a column `id`.
    pub fn new(table: &'static str, columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let columns = columns.into_iter().map(Into::into).collect();
        Self { table, columns, joins: String::new(), conditions: Conditions::default(), search_index: None }
    }

    /// Adds joins, which begin with a blank.
    pub fn joined(mut self, joins: &str) -> Self {
        self.joins.push_str(joins);
        self
    }

    /// Adds the conditions that `add` adds.
    pub fn narrowed(mut self, add: impl FnOnce(&mut Conditions)) -> Self {
        add(&mut self.conditions);
        self
    }

    /// Adds the condition that the column compares to the value as `test` says.
    pub fn filter(mut self, column: &str, test: Test, value: Datum) -> Self {
        self.conditions.compare(column, test, value);
        self
    }

    /// Adds the condition that the column has one of these values; no row does if there are none.
    pub fn among(mut self, column: &str, values: Vec<Datum>) -> Self {
        self.conditions.among(column, values);
        self
    }

    /// Adds the condition that each word of `text` occurs in one of the columns, ignoring case. Only the first eight
    /// words count. A text that is a telephone number is found however it was written.
    pub fn search(mut self, text: &str, searched: &Searched) -> Self {
        if let Some(digits) = telephone_digits(text) {
            self.conditions.any_of(|any| any.have_telephone(&searched.columns, &digits));
            self.search_index = Some(searched.index);
            return self;
        }
        self.conditions.have_words(search_words(text), &searched.columns, |any, word| {
            let keys = (searched.keys)(word);
            for column in searched.key_columns.iter().filter(|_| !keys.is_empty()) {
                any.nested("(", |all| all.have_keys(column, &keys));
            }
        });
        self.search_index = search_words(text).next().map(|_| searched.index);
        self
    }

    /// Selects the key columns of rows in which one of them contains one of these parts of keys.
    pub fn with_key_parts(mut self, parts: &[String], searched: &Searched) -> Self {
        self.columns = searched.key_columns.iter().map(ToString::to_string).collect();
        self.conditions.any_of(|any| searched.key_columns.iter().for_each(|column| any.have_parts(column, parts)));
        self.search_index = Some(searched.index);
        self
    }

    /// Whether there are so few rows that a search compares all texts.
    pub async fn is_searched_whole(&self, connection: &mut AnyConnection) -> Result<bool> {
        Ok(self.count(connection).await? <= MAX_SEARCHED_WHOLE)
    }

    /// Counts the rows.
    pub async fn count(&self, connection: &mut AnyConnection) -> Result<i64> {
        self.conditions.count(connection, &self.source(connection)).await
    }

    /// Counts the rows for each value of a text column or expression.
    pub async fn counts(&self, connection: &mut AnyConnection, column: &str) -> Result<BTreeMap<String, i64>> {
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
        let rows = self.fetch(connection, "t.id", "ORDER BY t.id").await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    /// Returns at most `limit` rows with an id above `after`, in ascending order.
    pub async fn page(&self, connection: &mut AnyConnection, after: i64, limit: u16) -> Result<Vec<SelectedRow>> {
        let later = self.clone().filter("t.id", Test::From, Datum::Integer(after + 1));
        later.slice(connection, &Order::by("t.id"), (0, limit.into()), None).await
    }

    /// Returns the newest rows, at most `limit`.
    pub async fn newest(&self, connection: &mut AnyConnection, limit: u16) -> Result<Vec<SelectedRow>> {
        self.slice(connection, &Order::newest(), (0, limit.into()), None).await
    }

    /// Returns at most `limit` rows in an order, after skipping `offset` of them. If it is known how many rows there are,
    /// those in the second half are read from the end.
    ///
    /// Their ids are selected before rows are read and joined.
    pub async fn slice(
        &self,
        connection: &mut AnyConnection,
        order: &Order,
        (offset, limit): (i64, i64),
        total: Option<i64>,
    ) -> Result<Vec<SelectedRow>> {
        let is_reversed = total.is_some_and(|total| offset > total / 2);
        let (first, limit) = match total.filter(|_| is_reversed) {
            Some(total) => {
                let limit = (total - offset).clamp(0, limit);
                ((total - offset - limit).max(0), limit)
            }
            None => (offset, limit),
        };
        let sql = format!(
            "SELECT t.id, {} FROM {} t{} WHERE t.id IN \
             (SELECT t.id FROM {}{}{} ORDER BY {} LIMIT {limit} OFFSET {first}) ORDER BY {}",
            self.columns.join(", "),
            self.table,
            self.joins,
            self.source(connection),
            // Joins keep SQLite from reading an index in place of the rows, even if they are not needed.
            if order.is_of_joined { self.joins.as_str() } else { "" },
            self.conditions.where_clause(connection),
            order.expressions(is_reversed),
            order.expressions(false),
        );
        let rows = self.conditions.query(sql).fetch_all(connection).await?;
        rows.iter()
            .map(|row| {
                let values = (1..=self.columns.len()).map(|index| datum(row, index)).collect::<Result<_>>()?;
                Ok((row.try_get(0)?, values))
            })
            .collect()
    }

    /// Returns the ids of the next older and the next newer row, if any.
    pub async fn neighbours(&self, connection: &mut AnyConnection, id: i64) -> Result<(Option<i64>, Option<i64>)> {
        let older = self.clone().filter("t.id", Test::Before, Datum::Integer(id));
        let newer = self.clone().filter("t.id", Test::From, Datum::Integer(id + 1));
        let older = older.fetch(connection, "max(t.id)", "").await?;
        let newer = newer.fetch(connection, "min(t.id)", "").await?;
        Ok((older[0].try_get(0)?, newer[0].try_get(0)?))
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
            Some(index) if Backend::of(connection) == Backend::Sqlite => format!("{} t INDEXED BY {index}", self.table),
            _ => format!("{} t", self.table),
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
