//! Texts that name a day: they do not change with the deadline, so somebody has to check them.

use festival_core::Result;
use festival_core::admin::AdminRequest;
use festival_core::browser_settings::{current, display_text};
use festival_core::editing;
use festival_core::entity::{Datum, table};
use jiff::civil::Date;
use serde_json::{Value, json};
use sqlx::AnyConnection;

use crate::browser_settings::AFTER_SENDING;

/// Maximum number of rows of an entity that are searched.
const MAX_ROWS: i64 = 50;
/// Names of the months in Malayalam.
const MALAYALAM_MONTHS: [&str; 12] =
    ["ജനുവരി", "ഫെബ്രുവരി", "മാർച്ച്", "ഏപ്രിൽ", "മേയ്", "ജൂൺ", "ജൂലൈ", "ഓഗസ്റ്റ്", "സെപ്റ്റംബർ", "ഒക്ടോബർ", "നവംബർ", "ഡിസംബർ"];

/// Title and link of all records of the edition and all settings whose texts name the day.
pub(super) async fn of(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    edition: Option<i64>,
    day: Date,
) -> Result<Vec<Value>> {
    let spellings = spellings(day);
    let mut found = Vec::new();
    for entity in request.site.records.enabled() {
        let select = table::mentioning(table::select(entity, edition), entity, &spellings);
        let order = table::order(entity, None);
        let rows = table::rows(connection, entity, &select, &order, (0, MAX_ROWS)).await?;
        let rows = rows.iter().filter(|row| row.record.iter().any(|datum| is_named(datum, &spellings)));
        found.extend(rows.map(|row| {
            json!({
                "title": editing::title_of(entity, &row.record),
                "kind": entity.singular,
                "href": format!("/admin/{}/{}", entity.slug(), row.id),
            })
        }));
    }
    let state = current(&request.site, connection, &AFTER_SENDING).await?;
    for item in AFTER_SENDING.items {
        let Some(value) = state.values.get(item.path()) else { continue };
        let text = display_text(item, value, &request.site.time_zone);
        if spellings.iter().any(|spelling| contains(&text, spelling)) {
            let href = format!("/admin/settings/{}#input-{}", AFTER_SENDING.key, item.path());
            found.push(json!({ "title": item.field.label, "kind": "setting", "href": href }));
        }
    }
    Ok(found)
}

fn is_named(datum: &Datum, spellings: &[String]) -> bool {
    let Datum::Text(text) = datum else { return false };
    // A text of exactly this day is a date of its own, such as that of an event or of the edition.
    spellings.iter().any(|spelling| contains(text, spelling) && text.trim() != spelling)
}

/// The ways in which texts write a day.
fn spellings(day: Date) -> Vec<String> {
    let (number, month, year) = (day.day(), day.month(), day.year());
    let ordinal = match number {
        1 | 21 | 31 => "st",
        2 | 22 => "nd",
        3 | 23 => "rd",
        _ => "th",
    };
    let mut all = Vec::new();
    for name in [day.strftime("%B").to_string(), day.strftime("%b").to_string()] {
        for number in [number.to_string(), format!("{number}{ordinal}")] {
            all.extend([format!("{number} {name}"), format!("{number} of {name}"), format!("{name} {number}")]);
        }
    }
    let malayalam = MALAYALAM_MONTHS[usize::from(month.unsigned_abs()) - 1];
    all.extend([format!("{malayalam} {number}"), format!("{number} {malayalam}")]);
    for separator in ['.', '/', '-'] {
        all.push(format!("{number}{separator}{month}{separator}{year}"));
        all.push(format!("{number:02}{separator}{month:02}{separator}{year}"));
    }
    all.push(day.to_string());
    all
}

/// Whether `text` has `spelling` in any case, not as a part of a longer number or word.
fn contains(text: &str, spelling: &str) -> bool {
    let (text, spelling) = (text.to_lowercase(), spelling.to_lowercase());
    text.match_indices(&spelling).any(|(start, found)| {
        let before = text[..start].chars().next_back();
        let after = text[start + found.len()..].chars().next();
        let begins_number = found.starts_with(|letter: char| letter.is_ascii_digit());
        let ends_number = found.ends_with(|letter: char| letter.is_ascii_digit());
        !(begins_number && before.is_some_and(|letter| letter.is_ascii_digit())
            || ends_number && after.is_some_and(|letter| letter.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_found_however_texts_write_them_and_not_in_longer_numbers() {
        let spellings = spellings("2025-09-01".parse().unwrap_or_default());
        let is_found = |text: &str| spellings.iter().any(|spelling| contains(text, spelling));
        for text in [
            "Last Date for Submission: September 1, 2025",
            "<p>until 1st september</p>",
            "by 01.09.2025.",
            "2025-09-01",
            "സെപ്റ്റംബർ 1 വരെ",
            "Sept. ends; 1 Sep is the day",
        ] {
            assert!(is_found(text), "{text}");
        }
        for text in ["September 12, 2025", "21 September 2025", "11.09.2025", "September"] {
            assert!(!is_found(text), "{text}");
        }
    }
}
