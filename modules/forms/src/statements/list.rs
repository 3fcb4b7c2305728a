//! The list of lines: what waits, by queue.

use std::fs::File;

use festival_core::admin::collections::{Cell, Collection, Column, Heading, State, Viewer, shortened};
use festival_core::admin::{Action, AdminRequest, Choice, Input, Page, Resource, Scope};
use festival_core::db::{Order, Searched, Select, SelectedRow, Test};
use festival_core::entity::{Datum, Entity};
use festival_core::export::{self, Format, TableWriter};
use festival_core::{Result, deadline, search_key};
use serde_json::json;
use sqlx::AnyConnection;

use super::action::ACTIONS;
use super::queue::QUEUES;
use super::report;
use super::store::of_all;
use super::stored::{self, LINES, StoredLine};
use crate::amount::Amount;
use crate::review::rank;
use crate::role::PEOPLE;

pub(super) const HOME: &str = "/admin/statements";
/// SQL: the account of a line.
const BANK: &str = "(SELECT a.bank FROM statement_imports a WHERE a.id = t.import_id)";

const LINE: Entity =
    Entity { table: LINES, singular: "line", plural: "bank statements", fields: &[], key: &[], per_edition: true };

/// The lines of the statements of an edition.
pub(super) struct LineList;

#[rocket::async_trait]
impl Collection for LineList {
    type Row = StoredLine;

    fn entity(&self) -> &'static Entity {
        &LINE
    }

    fn resource(&self) -> &'static Resource {
        &PEOPLE
    }

    fn path(&self) -> String {
        HOME.to_owned()
    }

    fn states(&self) -> &'static [State] {
        QUEUES
    }

    fn columns(&self, _: Viewer<'_>) -> Vec<Column> {
        let by = |expression: &str| Some(Order::by(expression));
        vec![
            Column::new("payment", "Payment", by("t.day")).usual(true),
            Column::new("amount", "Amount", by("t.hundredths")).figures(),
            Column::new("status", "Where it waits", Some(self.default_order())).usual(true),
            Column::new("reason", "Reason", by("t.reason")).usual(true),
            Column::new("submissions", "Submissions", None).usual(true),
            Column::new("number", "Number", by("t.number")),
            Column::new("account", "Account", by(BANK)),
            Column::new("line", "Line", by("t.line")).figures(),
        ]
    }

    fn default_order(&self) -> Order {
        Order::by(rank("t.status", QUEUES))
    }

    async fn select(&self, _: &mut AnyConnection, scope: &Scope, edition: Option<i64>) -> Result<Select> {
        of_all(scope)?;
        Ok(stored::select(edition))
    }

    fn searched(&self, _: Viewer<'_>, _: bool) -> Option<Searched> {
        Some(Searched {
            columns: vec!["t.narration", "t.number", "t.reason"],
            key_columns: Vec::new(),
            keys: search_key::keys_of_searched,
            index: "statement_lines_by_edition",
        })
    }

    fn row(&self, _: Viewer<'_>, row: SelectedRow) -> StoredLine {
        StoredLine::of(row)
    }

    /// Reads the lines with the submissions that they may belong to.
    async fn read(
        &self,
        _: Viewer<'_>,
        connection: &mut AnyConnection,
        query: (&Select, &Order),
        page: (i64, i64),
        total: Option<i64>,
    ) -> Result<Vec<StoredLine>> {
        stored::read(connection, query, page, total).await
    }

    async fn filters(&self, _: Viewer<'_>, connection: &mut AnyConnection, edition: Option<i64>) -> Result<Vec<Input>> {
        let sql = "SELECT DISTINCT bank FROM statement_imports WHERE edition_id = $1 AND bank <> '' ORDER BY bank";
        let banks: Vec<String> =
            sqlx::query_scalar(sql).bind(edition.unwrap_or_default()).fetch_all(connection).await?;
        let choices: Vec<Choice> = banks.iter().map(|bank| Choice::new(bank, bank, "")).collect();
        Ok(if choices.is_empty() { Vec::new() } else { vec![Input::choice("account", "Account", choices)] })
    }

    fn filter(&self, _: Viewer<'_>, select: Select, _: &str, value: &str) -> Select {
        select.filter(BANK, Test::Is, Datum::Text(value.to_owned()))
    }

    fn heading(&self, _: Viewer<'_>, line: &StoredLine) -> Heading {
        Heading {
            id: line.id,
            reference: shortened(&line.line.narration),
            title: line.title(),
            beside: String::new(),
            picture: None,
            href: format!("{HOME}/{}", line.id),
        }
    }

    fn cell(&self, _: Viewer<'_>, line: &StoredLine, key: &str) -> Cell {
        match key {
            "amount" => Cell { figure: true, ..Cell::text(Amount::text(line.line.amount)) },
            "status" => Cell { is_badge: true, tone: line.queue.tone, ..Cell::text(line.queue.label) },
            "reason" => Cell::text(&line.reason),
            "submissions" => Cell::text(line.references()),
            "number" => Cell::text(shortened(&line.line.number)),
            "account" => Cell::text(&line.bank),
            _ => Cell { figure: true, ..Cell::text(line.line.line.to_string()) },
        }
    }

    fn distinction(&self, _: Viewer<'_>, line: &StoredLine) -> String {
        shortened(&line.line.narration)
    }

    fn state_of<'r>(&self, line: &'r StoredLine) -> &'r str {
        line.queue.key
    }

    fn complete(&self, request: &AdminRequest, _: &str, page: Page) -> Page {
        let button = |path: &str, label: &str, is_main: bool| json!({ "href": format!("{HOME}/{path}"), "label": label, "is_main": is_main });
        let mut buttons = vec![button("sums", "Sums", false)];
        if request.may(&PEOPLE, Action::Edit) {
            buttons.push(button("import", "Import a statement", true));
        }
        let choices: Vec<_> = ACTIONS.iter().map(|it| json!({ "key": it.key, "label": it.label })).collect();
        let file = request.address(&format!("{HOME}/file"), &[("page", "")]);
        page.with("buttons", buttons)
            .with("actions", [json!({ "label": "Payments", "choices": choices })])
            .with("links", [json!({ "href": format!("{HOME}/import"), "label": "Imports" })])
            .with("file", request.may(&PEOPLE, Action::Export).then_some(file))
    }

    fn exported(&self, _: Viewer<'_>, _: Format) -> Vec<export::Column> {
        report::columns_of_list()
    }

    async fn write(
        &self,
        viewer: Viewer<'_>,
        snapshot: &mut AnyConnection,
        query: (&Select, &Order),
        _: Format,
        table: &mut TableWriter<File>,
    ) -> Result<u64> {
        let lines = stored::read(snapshot, query, (0, i64::MAX), None).await?;
        deadline::progress();
        let settings = viewer.site.in_force_on(snapshot).await?;
        lines.iter().try_for_each(|line| table.row(&report::cells_of_list(&settings, line)))?;
        Ok(lines.len() as u64)
    }
}
