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
use festival_base::db::{Order, Searched, Select, SelectedRow};
use festival_base::error::Result;
use festival_files::export::{self, Format, TableWriter};
use festival_records::entity::{Entity, table};

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

    /// Narrows `select` to rows with these words.
    async fn search(
        &self,
        viewer: Viewer<'_>,
        connection: &mut AnyConnection,
        select: Select,
        text: &str,
    ) -> Result<Select> {
        let compares_all = select.is_searched_whole(connection).await?;
        match self.searched(viewer, compares_all) {
            Some(searched) => Ok(select.search(&self.searched_text(text), &searched)),
            None => table::search(connection, self.entity(), select, text, compares_all).await,
        }
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
