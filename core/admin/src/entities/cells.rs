//! The columns of a list, and the cells of a row.

use serde_json::{Value, json};

use crate::list_view::Column;
use festival_base::time_text;
use festival_files::media::WIDTHS;
use festival_records::editing::IS_PUBLISHED;
use festival_records::entity::{Datum, Entity, Field, Kind, ListedRow};
use jiff::tz::TimeZone;

/// Fields that a list shows next to title and visibility.
const MAX_COLUMNS: usize = 4;
/// Maximum length of a text in a list, in characters.
const MAX_CHARS: usize = 80;

/// Returns the columns of a list: the title, then short informative fields, then visibility.
pub(super) fn columns(entity: &Entity) -> Vec<&'static Field> {
    let title = entity.title();
    let is_informative = |field: &&'static Field| {
        field.name != title.name
            && !matches!(field.name, "position" | IS_PUBLISHED)
            && !matches!(
                field.kind,
                Kind::Lines { .. }
                    | Kind::Html
                    | Kind::Slug
                    | Kind::Image
                    | Kind::AlternativeText
                    | Kind::Document
                    | Kind::Video
            )
    };
    let mut columns = vec![title];
    columns.extend(entity.columns().filter(is_informative).take(MAX_COLUMNS));
    columns.extend(entity.field(IS_PUBLISHED));
    columns
}

/// Returns the columns that a list can show next to the title.
pub(super) fn all_columns(entity: &Entity) -> Vec<Column> {
    let title = entity.title().name;
    let is_readable = |field: &&'static Field| {
        field.name != title && !matches!(field.kind, Kind::Html | Kind::Image | Kind::Document | Kind::Video)
    };
    entity.columns().filter(is_readable).map(|field| Column { key: field.name, label: field.label }).collect()
}

/// Returns the address of the picture next to the title, in the smallest width.
pub(super) fn picture(entity: &Entity, row: &ListedRow) -> Option<String> {
    let index = entity.columns().position(|field| matches!(field.kind, Kind::Image))?;
    match row.record.get(index) {
        Some(Datum::Text(key)) => Some(format!("/media/{key}?w={}", WIDTHS[0])),
        _ => None,
    }
}

/// Returns a cell for the template; `plan` is the scheduled time of publication, as stored.
pub(super) fn cell(entity: &Entity, field: &Field, row: &ListedRow, plan: Option<&str>, zone: &TimeZone) -> Value {
    let datum = datum(entity, field, row);
    let planned = plan.filter(|_| field.name == IS_PUBLISHED);
    let text = match planned {
        Some(plan) if matches!(field.kind, Kind::Flag) => format!("from {}", time_text::short(plan, zone)),
        _ => text(entity, field, row, zone),
    };
    let flag = matches!(field.kind, Kind::Flag);
    let moment = matches!(field.kind, Kind::Date | Kind::DateTime | Kind::LocalDateTime);
    let yes = flag && *datum == Datum::Integer(1);
    json!({ "text": text, "flag": flag, "yes": yes, "planned": planned.is_some(), "moment": moment })
}

/// Returns a value for display, a long one shortened.
pub(super) fn text(entity: &Entity, field: &Field, row: &ListedRow, zone: &TimeZone) -> String {
    match field.kind {
        Kind::Reference(_) => row.names.get(field.name).cloned().unwrap_or_default(),
        _ => shortened(&field.display(datum(entity, field, row), zone)),
    }
}

fn datum<'a>(entity: &Entity, field: &Field, row: &'a ListedRow) -> &'a Datum {
    entity.position(field.name).and_then(|index| row.record.get(index)).unwrap_or(&Datum::Null)
}

/// Returns the title of a row, or its kind and id if it has none.
pub(super) fn title(entity: &Entity, row: &ListedRow, zone: &TimeZone) -> String {
    let field = entity.title();
    let text = match field.kind {
        Kind::Reference(_) => row.names.get(field.name).cloned().unwrap_or_default(),
        _ => field.display(datum(entity, field, row), zone),
    };
    match text {
        text if text.is_empty() => format!("{} {}", entity.singular, row.id),
        text => text,
    }
}

/// Returns the time of the last change for display.
pub(super) fn updated(row: &ListedRow, zone: &TimeZone) -> String {
    time_text::short(&row.updated_at, zone)
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= MAX_CHARS {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(MAX_CHARS).collect();
    short.push('…');
    short
}
