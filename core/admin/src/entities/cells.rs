//! The columns of a list of records, and the cells of a row.

use crate::collections::{Cell, Column, shortened};
use festival_base::db::Order;
use festival_base::time_text;
use festival_files::media::WIDTHS;
use festival_records::editing::IS_PUBLISHED;
use festival_records::entity::{Datum, Entity, Field, Kind, ListedRow, table};
use jiff::tz::TimeZone;

/// Fields that a list shows next to title and visibility.
const MAX_COLUMNS: usize = 4;
/// Key of the column with the time of the last change.
const CHANGED: &str = "updated_at";

/// Returns the columns of a list: the title, the other fields that can be shown, the last change. The short informative
/// ones and the visibility are usual.
pub(super) fn columns(entity: &Entity) -> Vec<Column> {
    let title = entity.title();
    let is_shown = |field: &&'static Field| {
        field.name != title.name && !matches!(field.kind, Kind::Html | Kind::Image | Kind::Document | Kind::Video)
    };
    let is_informative = |field: &Field| {
        !matches!(field.name, "position" | IS_PUBLISHED)
            && !matches!(field.kind, Kind::Lines { .. } | Kind::Slug | Kind::AlternativeText)
    };
    let column = |field: &'static Field| {
        let is_sortable = !matches!(field.kind, Kind::Lines { .. } | Kind::AlternativeText);
        Column::of(field, is_sortable.then(|| table::order(entity, Some((field, false)))))
    };
    let mut columns = vec![column(title)];
    let mut informative = 0;
    for field in entity.columns().filter(is_shown) {
        informative += usize::from(is_informative(field));
        let is_usual = field.name == IS_PUBLISHED || is_informative(field) && informative <= MAX_COLUMNS;
        columns.push(column(field).usual(is_usual));
    }
    columns.push(Column { is_fixed: true, ..Column::new(CHANGED, "Last changed", Some(Order::by("t.updated_at"))) });
    columns
}

/// Returns the address of the picture next to the title, in the smallest width.
pub(super) fn picture(entity: &Entity, row: &ListedRow) -> Option<String> {
    let index = entity.columns().position(|field| matches!(field.kind, Kind::Image))?;
    match row.record.get(index) {
        Some(Datum::Text(key)) => Some(format!("/media/{key}?w={}", WIDTHS[0])),
        _ => None,
    }
}

/// Returns a cell for the template.
pub(super) fn cell(entity: &Entity, key: &str, row: &ListedRow, zone: &TimeZone) -> Cell {
    let Some(field) = entity.field(key) else {
        return Cell { moment: true, ..Cell::text(time_text::short(&row.updated_at, zone)) };
    };
    let cell = Cell::of(field, &whole_text(entity, field, row, zone));
    match row.publish_at.as_ref().filter(|_| field.name == IS_PUBLISHED) {
        Some(time) => Cell { text: format!("from {}", time_text::short(time, zone)), tone: "soon", ..cell },
        None if *datum(entity, field, row) == Datum::Integer(1) => Cell { tone: "good", ..cell },
        None => cell,
    }
}

/// Returns a value for display, a long one shortened.
pub(super) fn text(entity: &Entity, field: &Field, row: &ListedRow, zone: &TimeZone) -> String {
    shortened(&whole_text(entity, field, row, zone))
}

/// Returns the title of a row, or its kind and id if it has none.
pub(super) fn title(entity: &Entity, row: &ListedRow, zone: &TimeZone) -> String {
    match whole_text(entity, entity.title(), row, zone) {
        text if text.is_empty() => format!("{} {}", entity.singular, row.id),
        text => text,
    }
}

fn whole_text(entity: &Entity, field: &Field, row: &ListedRow, zone: &TimeZone) -> String {
    match field.kind {
        Kind::Reference(_) => row.names.get(field.name).cloned().unwrap_or_default(),
        _ => field.display(datum(entity, field, row), zone),
    }
}

fn datum<'a>(entity: &Entity, field: &Field, row: &'a ListedRow) -> &'a Datum {
    entity.position(field.name).and_then(|index| row.record.get(index)).unwrap_or(&Datum::Null)
}
