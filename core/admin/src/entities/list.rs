//! The list of an entity's rows.

use std::collections::{BTreeSet, HashSet};
use std::fs::File;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::cells;
use super::paths::{bin, home, imports, row_path};
use crate::back_office::AdminRequest;
use crate::collections::{self, Cell, Collection, Column, Heading, Viewer};
use crate::identity::role::{Action, CONTENT, Resource};
use crate::search::{SearchContext, SearchGroup};
use crate::serving::frame::capitalized;
use crate::serving::input::{Choice, Input};
use crate::serving::reply::{Page, Reply};
use festival_base::db::{Order, Select, SelectedRow, Test, timestamp_text};
use festival_base::error::Result;
use festival_files::export::{self, Format, TableWriter};
use festival_records::editing::IS_PUBLISHED;
use festival_records::edition::{self, EDITION};
use festival_records::entity::{Datum, Entity, Field, Kind, ListedRow, table};
use festival_records::exporting;
use festival_records::search_key;

/// A reference to an entity with more rows has no filter.
const MAX_CHOICES: usize = 500;
/// Times on more days have no filter.
const MAX_DAYS: usize = 60;
/// Maximum number of values shown next to the title of a hit.
const MAX_BESIDE: usize = 2;

/// What can be done with several rows at once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BulkAction {
    Publish,
    Hide,
    Delete,
}

impl BulkAction {
    pub(super) const ALL: [Self; 3] = [Self::Publish, Self::Hide, Self::Delete];

    /// Its key, its participle, and what it means for the rows.
    pub(super) const fn texts(self) -> [&'static str; 3] {
        match self {
            Self::Publish => ["publish", "published", "They will be visible on the site at once."],
            Self::Hide => ["hide", "hidden", "They will no longer be visible on the site. You can publish them again."],
            Self::Delete => [
                "delete",
                "deleted",
                "They will be removed from the site. You can restore them from the deleted items.",
            ],
        }
    }

    pub(super) const fn key(self) -> &'static str {
        self.texts()[0]
    }
}

/// The list of an entity.
pub(super) struct RecordList {
    pub(super) entity: &'static Entity,
}

pub(super) async fn show(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    collections::show(request, &RecordList { entity }).await
}

pub(super) async fn download(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    collections::download(request, &RecordList { entity }).await
}

/// Finds the records that contain these words, by entity: those of the current edition, and those that belong to none,
/// in lists with these paths.
pub(crate) async fn search(context: &SearchContext, open: &HashSet<String>) -> Result<Vec<SearchGroup>> {
    let edition = edition::find_current(&mut *context.site.db.read().await?).await?.map(|edition| edition.id);
    let mut all = Vec::new();
    for entity in context.site.records.enabled().filter(|entity| open.contains(&home(entity))) {
        all.push(collections::find(context, &RecordList { entity }, edition).await?);
    }
    Ok(all)
}

#[rocket::async_trait]
impl Collection for RecordList {
    type Row = ListedRow;

    fn entity(&self) -> &'static Entity {
        self.entity
    }

    fn resource(&self) -> &'static Resource {
        &CONTENT
    }

    fn page_parameter(&self) -> &'static str {
        // "page" could be the name of a field to filter by.
        "p"
    }

    fn columns(&self, _viewer: Viewer<'_>) -> Vec<Column> {
        cells::columns(self.entity)
    }

    fn row(&self, _viewer: Viewer<'_>, row: SelectedRow) -> ListedRow {
        table::listed(self.entity, row)
    }

    /// A filter for each flag, choice and reference, and for the day of each time that all rows have.
    async fn filters(
        &self,
        viewer: Viewer<'_>,
        connection: &mut AnyConnection,
        edition: Option<i64>,
    ) -> Result<Vec<Input>> {
        let mut filters = Vec::new();
        for field in self.entity.columns() {
            let choice =
                |key: &str, label: &str| Choice { key: key.to_owned(), label: label.to_owned(), chosen: false };
            let choices = match field.kind {
                Kind::Flag => vec![choice("yes", "yes"), choice("no", "no")],
                Kind::Choice(options) => options.iter().map(|(key, label)| choice(key, label)).collect(),
                Kind::Reference(target) => {
                    let rows = table::choices(connection, target, edition).await?;
                    if rows.len() > MAX_CHOICES {
                        continue;
                    }
                    rows.into_iter().map(|row| choice(&row.id.to_string(), &row.name)).collect()
                }
                Kind::DateTime if field.required && !field.ends => {
                    let times = table::select(self.entity, edition).counts(connection, &column_of(field)).await?;
                    let days = days(times.into_keys(), &viewer.site.time_zone);
                    if days.len() > MAX_DAYS {
                        continue;
                    }
                    let label = |day: &Date| day.strftime("%A %-d %B %Y").to_string();
                    days.into_iter().map(|day| choice(&day.to_string(), &label(&day))).collect()
                }
                _ => continue,
            };
            filters.push(Input::choice(field.name, field.label, choices));
        }
        Ok(filters)
    }

    fn filter(&self, viewer: Viewer<'_>, select: Select, name: &str, value: &str) -> Select {
        let Some(field) = self.entity.field(name) else { return select };
        if let (Kind::DateTime, Ok(day)) = (field.kind, value.parse()) {
            return on_day(select, field, day, &viewer.site.time_zone);
        }
        let datum = match field.kind {
            Kind::Flag => Datum::Integer(i64::from(value == "yes")),
            Kind::Reference(_) => Datum::Integer(value.parse().unwrap_or_default()),
            _ => Datum::Text(value.to_owned()),
        };
        table::having(select, field, datum)
    }

    fn heading(&self, viewer: Viewer<'_>, row: &ListedRow) -> Heading {
        Heading {
            id: row.id,
            reference: String::new(),
            title: cells::title(self.entity, row, &viewer.site.time_zone),
            beside: String::new(),
            picture: cells::picture(self.entity, row),
            href: row_path(self.entity, row.id),
        }
    }

    fn cell(&self, viewer: Viewer<'_>, row: &ListedRow, key: &str) -> Cell {
        cells::cell(self.entity, key, row, &viewer.site.time_zone)
    }

    fn distinction(&self, viewer: Viewer<'_>, row: &ListedRow) -> String {
        let columns = self.columns(viewer);
        let usual = columns.iter().filter(|column| column.is_usual).filter_map(|it| self.entity.field(it.key));
        let texts = usual.map(|field| cells::text(self.entity, field, row, &viewer.site.time_zone));
        texts.filter(|text| !text.is_empty()).take(MAX_BESIDE).collect::<Vec<_>>().join(", ")
    }

    /// The place of the first short text that has all words, as titles come first; of equal places, a text of these words
    /// alone precedes longer ones.
    fn rank(&self, row: &ListedRow, words: &[String]) -> (usize, bool) {
        let rank_in = |place: usize, field: &Field, datum: &Datum| {
            let (Datum::Text(text), Kind::Text { .. }) = (datum, field.kind) else { return None };
            let keys = search_key::keys(text);
            let has = |word: &String| keys.iter().any(|key| key.starts_with(word.as_str()));
            words.iter().all(has).then_some((place, keys != words))
        };
        let mut texts = self.entity.columns().zip(&row.record).enumerate();
        texts.find_map(|(place, (field, datum))| rank_in(place, field, datum)).unwrap_or((usize::MAX, true))
    }

    fn complete(&self, request: &AdminRequest, shown_year: &str, page: Page) -> Page {
        let (entity, home) = (self.entity, self.path());
        let below = |path: &str| request.address(&format!("{home}/{path}"), &[]);
        let button =
            |path: String, label: String, is_main: bool| json!({ "href": path, "label": label, "is_main": is_main });
        let mut buttons = Vec::new();
        if request.may(&CONTENT, Action::Edit) {
            let is_edition = entity.table == EDITION.table;
            let year = if is_edition { String::new() } else { format!("?edition={shown_year}") };
            buttons.push(button(format!("{home}/import?edition={shown_year}"), "Import a list".to_owned(), false));
            buttons.push(button(format!("{home}/new{year}"), format!("Add {}", entity.singular), !is_edition));
            if is_edition {
                let next = "/admin/current-edition/next".to_owned();
                buttons.push(button(next, "Start the next edition".to_owned(), true));
            }
        }
        let link = |path: String, label: String| json!({ "href": path, "label": label });
        let may_order = request.may(&CONTENT, Action::Edit) && entity.field("position").is_some();
        let mut links: Vec<Value> = may_order.then(|| link(below("order"), "Reorder".to_owned())).into_iter().collect();
        links.push(link(bin(entity), format!("Deleted {}", entity.plural)));
        links.push(link(imports(entity), "Imports".to_owned()));
        let is_offered = |action: &BulkAction| *action == BulkAction::Delete || entity.field(IS_PUBLISHED).is_some();
        let actions = BulkAction::ALL.into_iter().filter(is_offered);
        let actions: Vec<Value> =
            actions.map(|it| json!({ "key": it.key(), "label": capitalized(it.key()) })).collect();
        page.with("buttons", buttons)
            .with("links", links)
            .with("actions", [json!({ "label": capitalized(entity.plural), "choices": actions })])
            .with("file", request.may(&CONTENT, Action::Export).then(|| below("file")))
    }

    fn exported(&self, _: Viewer<'_>, _: Format) -> Vec<export::Column> {
        exporting::columns(self.entity)
    }

    async fn write(
        &self,
        viewer: Viewer<'_>,
        snapshot: &mut AnyConnection,
        query: (&Select, &Order),
        _: Format,
        table: &mut TableWriter<File>,
    ) -> Result<u64> {
        exporting::write_rows(&viewer.site.records, snapshot, self.entity, query, table).await
    }
}

fn column_of(field: &Field) -> String {
    format!("t.{}", field.column())
}

/// The days of stored times in the festival's time zone.
fn days(times: impl Iterator<Item = String>, zone: &TimeZone) -> BTreeSet<Date> {
    times.filter_map(|time| time.parse::<Timestamp>().ok()).map(|time| time.to_zoned(zone.clone()).date()).collect()
}

/// Narrows `select` to the rows whose time in `field` is on this day in the festival's time zone.
fn on_day(select: Select, field: &Field, day: Date, zone: &TimeZone) -> Select {
    let midnight = |day: Date| Some(Datum::Text(timestamp_text(day.to_zoned(zone.clone()).ok()?.timestamp())));
    match (midnight(day), day.tomorrow().ok().and_then(midnight)) {
        (Some(begin), Some(end)) => {
            let column = column_of(field);
            select.filter(&column, Test::From, begin).filter(&column, Test::Before, end)
        }
        _ => select,
    }
}
