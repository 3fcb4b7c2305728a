//! What lists show of a row.

use serde_json::{Value, json};

use festival_base::time_text;
use festival_files::media::WIDTHS;
use festival_records::editing::IS_PUBLISHED;
use festival_records::entity::{Datum, Entity, Field, Kind, ListedRow};
use jiff::tz::TimeZone;

/// How many fields a list shows beside the title.
const BESIDE: usize = 4;
/// The most characters of a text in a list.
const LONGEST: usize = 80;

/// The columns of a list: the title first, then what is short and tells something.
pub(super) fn columns(entity: &Entity) -> Vec<&'static Field> {
    let title = entity.title();
    let tells = |field: &&'static Field| {
        field.name != title.name
            && !matches!(field.name, "position" | IS_PUBLISHED)
            && !matches!(
                field.kind,
                Kind::Lines { .. } | Kind::Html | Kind::Slug | Kind::Image | Kind::Document | Kind::Video
            )
    };
    let mut columns = vec![title];
    columns.extend(entity.columns().filter(tells).take(BESIDE));
    columns.extend(entity.field(IS_PUBLISHED));
    columns
}

/// The picture that stands before the title, as small as there is one: fifty as cameras make them are a long wait.
pub(super) fn picture(entity: &Entity, row: &ListedRow) -> Option<String> {
    let place = entity.columns().position(|field| matches!(field.kind, Kind::Image))?;
    match row.record.get(place) {
        Some(Datum::Text(key)) => Some(format!("/media/{key}?w={}", WIDTHS[0])),
        _ => None,
    }
}

/// One value of a row as a list shows it; `plan` is the moment at which it is published by itself.
pub(super) fn cell(entity: &Entity, field: &Field, row: &ListedRow, plan: Option<&str>, zone: &TimeZone) -> Value {
    let datum = entity.position(field.name).and_then(|place| row.record.get(place)).unwrap_or(&Datum::Null);
    let text = match field.kind {
        Kind::Reference(_) => row.names.get(field.name).cloned().unwrap_or_default(),
        Kind::Flag if field.name == IS_PUBLISHED && plan.is_some() => {
            format!("from {}", time_text::short(plan.unwrap_or_default(), zone))
        }
        _ => shortened(&field.display(datum, zone)),
    };
    let flag = matches!(field.kind, Kind::Flag);
    let planned = field.name == IS_PUBLISHED && plan.is_some();
    json!({ "text": text, "flag": flag, "yes": flag && *datum == Datum::Integer(1), "planned": planned })
}

/// The title of a row; a row without one is called by its number.
pub(super) fn title(entity: &Entity, row: &ListedRow, zone: &TimeZone) -> String {
    let field = entity.title();
    let datum = entity.position(field.name).and_then(|place| row.record.get(place)).unwrap_or(&Datum::Null);
    match field.display(datum, zone) {
        text if text.is_empty() => format!("{} {}", entity.singular, row.id),
        text => text,
    }
}

/// When a row was last written, for people.
pub(super) fn written(row: &ListedRow, zone: &TimeZone) -> String {
    time_text::short(&row.updated_at, zone)
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(LONGEST).collect();
    short.push('…');
    short
}
