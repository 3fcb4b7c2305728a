//! Rows of a table in the order of their ids, a page at a time: forwards out of one unchanging state of the database
//! for files, the newest first for lists.
//!
//! Statements are put together from names that stand in the program's own source, never from those of a request;
//! values are always bound.

use std::collections::BTreeMap;

use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Connection as _, Row as _, Transaction, TypeInfo as _, ValueRef as _};

use super::datum::Datum;
use super::pool::Backend;
use crate::error::Result;

/// Begins to read: whatever others write until the end, this transaction sees nothing of it.
pub async fn snapshot(connection: &mut AnyConnection, backend: Backend) -> Result<Transaction<'_, Any>> {
    let begin = match backend {
        // Whoever reads the write-ahead log keeps seeing the state at the first read.
        Backend::Sqlite => "BEGIN",
        Backend::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    };
    Ok(connection.begin_with(begin).await?)
}

/// How a column is compared with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// It is the value.
    Is,
    /// It is another value.
    IsNot,
    /// It is the value or greater.
    From,
    /// It is less than the value.
    Before,
}

/// At most so many words are looked for.
const MOST_WORDS: usize = 8;

/// Which rows and which columns of a table are read.
#[derive(Clone, Debug)]
pub struct Select {
    table: &'static str,
    columns: Vec<&'static str>,
    tests: Vec<(&'static str, Test, Datum)>,
    /// Columns, each with the values of which it must hold one.
    among: Vec<(&'static str, Vec<Datum>)>,
    /// The columns in which words are looked for, and the words.
    searched: Vec<&'static str>,
    words: Vec<String>,
}

impl Select {
    /// These columns of all rows. The table has an `id`.
    pub fn new(table: &'static str, columns: Vec<&'static str>) -> Self {
        Self { table, columns, tests: Vec::new(), among: Vec::new(), searched: Vec::new(), words: Vec::new() }
    }

    /// Only rows that pass this test, too.
    #[must_use]
    pub fn only(mut self, column: &'static str, test: Test, value: Datum) -> Self {
        self.tests.push((column, test, value));
        self
    }

    /// Only rows whose column holds one of these values, too; without values, none.
    #[must_use]
    pub fn among(mut self, column: &'static str, values: Vec<Datum>) -> Self {
        self.among.push((column, values));
        self
    }

    /// Only rows that have each word of `text` in one of these columns, too, in capitals or small letters.
    #[must_use]
    pub fn holding(mut self, columns: &[&'static str], text: &str) -> Self {
        let escaped = |word: &str| word.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        self.words = text.split_whitespace().take(MOST_WORDS).map(|word| format!("%{}%", escaped(word))).collect();
        self.searched = columns.to_vec();
        self
    }

    /// The columns, in the order of the values of a row.
    pub fn columns(&self) -> &[&'static str] {
        &self.columns
    }

    /// How many rows there are.
    pub async fn count(&self, connection: &mut AnyConnection) -> Result<u64> {
        let sql = format!("SELECT count(*) FROM {} WHERE {}", self.table, self.conditions(connection, ">"));
        let row = self.bound(sqlx::query(AssertSqlSafe(sql)), 0).fetch_one(connection).await?;
        Ok(u64::try_from(row.try_get::<i64, _>(0)?).unwrap_or_default())
    }

    /// How many rows there are with each text of a column, or of an expression of columns.
    pub async fn counts(&self, connection: &mut AnyConnection, column: &'static str) -> Result<BTreeMap<String, i64>> {
        let conditions = self.conditions(connection, ">");
        let sql = format!("SELECT {column}, count(*) FROM {} WHERE {conditions} GROUP BY {column}", self.table);
        let rows = self.bound(sqlx::query(AssertSqlSafe(sql)), 0).fetch_all(connection).await?;
        rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
    }

    /// The next rows after the one with the id `after`, at most `limit`, each with its id.
    pub async fn page(&self, connection: &mut AnyConnection, after: i64, limit: u16) -> Result<Vec<(i64, Vec<Datum>)>> {
        self.rows(connection, after, &format!("ORDER BY id LIMIT {limit}")).await
    }

    /// The newest rows but for the first `passed`, at most `limit`, each with its id.
    pub async fn newest(
        &self,
        connection: &mut AnyConnection,
        passed: u32,
        limit: u16,
    ) -> Result<Vec<(i64, Vec<Datum>)>> {
        self.rows(connection, 0, &format!("ORDER BY id DESC LIMIT {limit} OFFSET {passed}")).await
    }

    /// The ids of the next older and the next newer row beside the one with this id, where there are some.
    pub async fn neighbours(&self, connection: &mut AnyConnection, id: i64) -> Result<(Option<i64>, Option<i64>)> {
        let (older, newer) = (self.conditions(connection, "<"), self.conditions(connection, ">"));
        let older = format!("SELECT max(id) FROM {} WHERE {older}", self.table);
        let newer = format!("SELECT min(id) FROM {} WHERE {newer}", self.table);
        let older = self.bound(sqlx::query(AssertSqlSafe(older)), id).fetch_one(&mut *connection).await?;
        let newer = self.bound(sqlx::query(AssertSqlSafe(newer)), id).fetch_one(connection).await?;
        Ok((older.try_get(0)?, newer.try_get(0)?))
    }

    async fn rows(&self, connection: &mut AnyConnection, after: i64, order: &str) -> Result<Vec<(i64, Vec<Datum>)>> {
        let (columns, conditions) = (self.columns.join(", "), self.conditions(connection, ">"));
        let sql = format!("SELECT id, {columns} FROM {} WHERE {conditions} {order}", self.table);
        let rows = self.bound(sqlx::query(AssertSqlSafe(sql)), after).fetch_all(connection).await?;
        rows.iter()
            .map(|row| {
                let values = (1..=self.columns.len()).map(|place| datum(row, place)).collect::<Result<_>>()?;
                Ok((row.try_get(0)?, values))
            })
            .collect()
    }

    /// What must hold, beginning with how ids stand to the first value that is bound.
    fn conditions(&self, connection: &AnyConnection, ids: &str) -> String {
        let mut conditions = vec![format!("id {ids} $1")];
        for (place, (column, test, _)) in (2..).zip(&self.tests) {
            let sign = match test {
                Test::Is => "=",
                Test::IsNot => "<>",
                Test::From => ">=",
                Test::Before => "<",
            };
            conditions.push(format!("{column} {sign} ${place}"));
        }
        let mut place = self.tests.len() + 2;
        for (column, values) in &self.among {
            let places = (place..).take(values.len()).map(|place| format!("${place}")).collect::<Vec<_>>().join(", ");
            // Postgres knows no list without values.
            conditions.push(if values.is_empty() { "1 = 0".to_owned() } else { format!("{column} IN ({places})") });
            place += values.len();
        }
        // SQLite's LIKE takes capitals and small letters for the same, Postgres has a word for that.
        let like = if connection.backend_name() == "PostgreSQL" { "ILIKE" } else { "LIKE" };
        for place in (place..).take(self.words.len()) {
            let any = self.searched.iter().map(|column| format!("{column} {like} ${place} ESCAPE '\\'"));
            conditions.push(format!("({})", any.collect::<Vec<_>>().join(" OR ")));
        }
        conditions.join(" AND ")
    }

    fn bound<'q>(&self, query: Query<'q, Any, AnyArguments>, id: i64) -> Query<'q, Any, AnyArguments> {
        let one_of = self.among.iter().flat_map(|(_, values)| values);
        let values = self.tests.iter().map(|(_, _, value)| value).chain(one_of);
        let tested = values.fold(query.bind(id), |query, value| match value {
            Datum::Null => query.bind(None::<String>),
            Datum::Text(text) | Datum::Reference(text) => query.bind(text.clone()),
            Datum::Integer(number) => query.bind(*number),
        });
        self.words.iter().fold(tested, |query, word| query.bind(word.clone()))
    }
}

/// The value at a place of a row, of whichever type it is.
fn datum(row: &sqlx::any::AnyRow, place: usize) -> Result<Datum> {
    let value = row.try_get_raw(place)?;
    if value.is_null() {
        return Ok(Datum::Null);
    }
    let is_text = value.type_info().name() == "TEXT";
    Ok(if is_text { Datum::Text(row.try_get(place)?) } else { Datum::Integer(row.try_get(place)?) })
}
