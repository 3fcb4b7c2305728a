//! The description of a list.

use std::fs::File;

use serde::Serialize;
use sqlx::AnyConnection;

use super::{Cell, Column, State, Viewer};
use crate::back_office::AdminRequest;
use crate::identity::role::Resource;
use crate::identity::scope::Scope;
use crate::serving::input::Input;
use crate::serving::reply::Page;
use festival_base::db::{Datum, Order, Searched, Select, SelectedRow};
use festival_base::error::Result;
use festival_files::export::{self, Format, TableWriter};
use festival_records::entity::{Entity, table};
use festival_records::similar_words::SimilarWords;

/// What a list shows of a row before its columns.
#[derive(Serialize)]
pub struct Heading {
    /// Row id.
    pub id: i64,
    /// The number by which people refer to it, or "".
    pub reference: String,
    /// Its title.
    pub title: String,
    /// A line below the title, or "".
    pub beside: String,
    /// The address of the picture next to the title.
    pub picture: Option<String>,
    /// The path of its page.
    pub href: String,
}

/// What a search finds.
pub struct Found {
    /// The rows.
    pub select: Select,
    /// Whether their words are only similar to those that were searched for.
    pub is_similar: bool,
}

/// A list of the back office.
#[rocket::async_trait]
pub trait Collection: Sync {
    /// A row as it is read.
    type Row: Send + Sync;

    /// What is listed.
    fn entity(&self) -> &'static Entity;

    /// The resource that permissions refer to.
    fn resource(&self) -> &'static Resource;

    /// The statuses by which the list is divided, in the order of the work; none if it is not.
    fn states(&self) -> &'static [State] {
        &[]
    }

    /// The columns that the viewer may see: that of the headings, then those to choose from, then fixed ones.
    fn columns(&self, viewer: Viewer<'_>) -> Vec<Column>;

    /// The order of rows if none was asked for.
    fn default_order(&self) -> Order {
        table::order(self.entity(), None)
    }

    /// Selects the rows in `scope`: those of an edition, or of all.
    async fn select(&self, _: &mut AnyConnection, _scope: &Scope, edition: Option<i64>) -> Result<Select> {
        Ok(table::select(self.entity(), edition))
    }

    /// What a search compares if rows hold their own search keys: texts that the viewer may see, and if `compares_all`,
    /// because the list is short, long ones as well. `None`: the keys of records are beside them.
    fn searched(&self, _viewer: Viewer<'_>, _compares_all: bool) -> Option<Searched> {
        None
    }

    /// Returns what is searched for if somebody writes `text`, such as a reference without its hyphens.
    fn searched_text(&self, text: &str) -> String {
        text.to_owned()
    }

    /// A row of [`Collection::select`].
    fn row(&self, viewer: Viewer<'_>, row: SelectedRow) -> Self::Row;

    /// The inputs of the filters that the viewer may use, without a value.
    async fn filters(
        &self,
        viewer: Viewer<'_>,
        connection: &mut AnyConnection,
        edition: Option<i64>,
    ) -> Result<Vec<Input>>;

    /// Narrows `select` to the rows that have a value of a filter, one of its choices.
    fn filter(&self, viewer: Viewer<'_>, select: Select, name: &str, value: &str) -> Select;

    /// What the list shows of a row before its columns.
    fn heading(&self, viewer: Viewer<'_>, row: &Self::Row) -> Heading;

    /// The cell of a row in a column that the viewer may see.
    fn cell(&self, viewer: Viewer<'_>, row: &Self::Row, key: &str) -> Cell;

    /// A text that tells a row from others with its title, in the results of a search.
    fn distinction(&self, viewer: Viewer<'_>, row: &Self::Row) -> String;

    /// The rank of a row among the hits of a search for words with these keys, the lowest first.
    fn rank(&self, _row: &Self::Row, _words: &[String]) -> (usize, bool) {
        (0, false)
    }

    /// The key of a row's status; "" if rows have none.
    fn state_of<'r>(&self, _row: &'r Self::Row) -> &'r str {
        ""
    }

    /// Adds to the page of the list what only this one has; `year` is that of the shown edition.
    fn complete(&self, request: &AdminRequest, year: &str, page: Page) -> Page;

    /// The columns of an export.
    fn exported(&self, viewer: Viewer<'_>, format: Format) -> Vec<export::Column>;

    /// Writes the rows of a query to a table with these columns; returns their number.
    async fn write(
        &self,
        viewer: Viewer<'_>,
        snapshot: &mut AnyConnection,
        query: (&Select, &Order),
        format: Format,
        table: &mut TableWriter<File>,
    ) -> Result<u64>;

    /// The query parameter with the page number; no filter has its name.
    fn page_parameter(&self) -> &'static str {
        "page"
    }

    /// Whether the page of a row leads on to the next row of the list.
    fn has_neighbours(&self) -> bool {
        false
    }

    /// The part of the list that the viewer is limited to: only data about people is limited.
    fn scope(&self, viewer: Viewer<'_>) -> Scope {
        if self.resource().is_personal() { viewer.scope() } else { Scope::default() }
    }

    /// Narrows `select` to rows with these words; if a list that is not long has none, to those with the most similar.
    async fn search(
        &self,
        viewer: Viewer<'_>,
        connection: &mut AnyConnection,
        select: Select,
        text: &str,
    ) -> Result<Found> {
        let compares_all = select.is_searched_whole(connection).await?;
        let searched = self.searched(viewer, compares_all);
        let exact = match &searched {
            Some(searched) => select.clone().search(&self.searched_text(text), searched),
            None => table::search(connection, self.entity(), select.clone(), text, compares_all).await?,
        };
        let exact = Found { select: exact, is_similar: false };
        let Some(similar) = SimilarWords::to(text).filter(|_| compares_all) else { return Ok(exact) };
        if !exact.select.newest(connection, 1).await?.is_empty() {
            return Ok(exact);
        }
        let ids = match &searched {
            Some(searched) if searched.key_columns.is_empty() => Vec::new(),
            Some(searched) => {
                let keys = select.clone().with_key_parts(&similar.parts(), searched);
                similar.nearest(keys.newest(connection, u16::MAX).await?.into_iter().map(joined_keys))
            }
            None => table::similar(connection, self.entity(), &similar).await?,
        };
        if ids.is_empty() {
            return Ok(exact);
        }
        Ok(Found { select: select.narrowed(|all| all.among_ids("t.id", &ids)), is_similar: true })
    }

    /// Reads the rows of a page, given by its offset and maximum length; `total` is the number of all, if it is known.
    async fn read(
        &self,
        viewer: Viewer<'_>,
        connection: &mut AnyConnection,
        (select, order): (&Select, &Order),
        page: (i64, i64),
        total: Option<i64>,
    ) -> Result<Vec<Self::Row>> {
        let rows = select.slice(connection, order, page, total).await?;
        Ok(rows.into_iter().map(|row| self.row(viewer, row)).collect())
    }

    /// The path of the list: "/admin/upcoming-events".
    fn path(&self) -> String {
        format!("/admin/{}", self.entity().slug())
    }
}

/// The id of a row and the keys of its words, which it has in several columns.
fn joined_keys((id, columns): SelectedRow) -> (i64, String) {
    let text = |column| if let Datum::Text(keys) = column { keys } else { String::new() };
    (id, columns.into_iter().map(text).collect())
}
