//! Starting the next edition: a row of its own, and copies of what stays from one year to the next.

use jiff::civil::Date;
use sqlx::AnyConnection;

use crate::Records;
use crate::editing::{self, Editor};
use crate::edition::{self, EDITION, Edition, ordinal_text};
use crate::entity::{Entity, Values, table};
use festival_base::error::{Error, FieldError, Result};

/// Maximum number of rows of one entity that are copied.
const MAX_ROWS: i64 = 10_000;

/// An edition that was started.
#[derive(Debug)]
pub struct NextEdition {
    /// Row id.
    pub id: i64,
    /// Whether it is the current edition, because there was none.
    pub is_current: bool,
    /// The number of copied rows of each entity that has any.
    pub copied: Vec<(&'static Entity, usize)>,
}

/// Suggests the values of the edition after `last`: the next year and number, and the name with both replaced. Its
/// dates are not known.
pub fn suggest(last: &Edition) -> Values {
    let name = last
        .name
        .replace(&ordinal_text(last.ordinal), &ordinal_text(last.ordinal + 1))
        .replace(&last.year.to_string(), &(last.year + 1).to_string());
    Values::from([
        ("year".to_owned(), (last.year + 1).to_string()),
        ("ordinal".to_owned(), (last.ordinal + 1).to_string()),
        ("name".to_owned(), name),
    ])
}

/// Creates an edition with copies of what is carried over from the edition `from`; `None`: without copies. The current
/// edition stays current; without one, the new one becomes it.
///
/// # Errors
/// [`Error::Invalid`] if a value is invalid, the last day is before the first, or
/// there is an edition of this year.
pub async fn start(
    records: &Records,
    connection: &mut AnyConnection,
    values: &Values,
    from: Option<i64>,
    editor: &Editor,
) -> Result<NextEdition> {
    check_days(values)?;
    let id = editing::create(records, connection, &EDITION, None, values, editor).await?;
    let is_current = edition::find_current(connection).await?.is_none();
    if is_current {
        edition::activate(connection, id).await?;
    }
    let mut copied = Vec::new();
    let carried_over = records.described.iter().filter(|described| described.is_enabled && described.is_carried_over);
    for entity in carried_over.map(|described| described.entity).filter(|_| from.is_some()) {
        let (select, order) = (table::select(entity, from), table::order(entity, None));
        let rows = table::rows(connection, entity, &select, &order, (0, MAX_ROWS)).await?;
        let count = rows.len();
        for mut row in rows {
            table::unresolve(connection, entity, &mut row.record).await?;
            let values = entity.print(&row.record, &records.time_zone);
            editing::create(records, connection, entity, Some(id), &values, editor).await?;
        }
        if count > 0 {
            copied.push((entity, count));
        }
    }
    Ok(NextEdition { id, is_current, copied })
}

fn check_days(values: &Values) -> Result<()> {
    let day = |name: &str| values.get(name).and_then(|day| day.trim().parse::<Date>().ok());
    match (day("starts_on"), day("ends_on")) {
        (Some(first), Some(last)) if last < first => {
            Err(Error::Invalid(vec![FieldError::new("ends_on", "The last day is before the first")]))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_edition_has_the_next_year_number_and_name() {
        let last = Edition {
            id: 1,
            year: 2025,
            ordinal: 20,
            name: "20th Festival of Waters 2025".to_owned(),
            starts_on: "2025-10-24".to_owned(),
            ends_on: "2025-10-31".to_owned(),
            submission_deadline: None,
            countdown_at: None,
            countdown_label: None,
            logo: None,
        };
        let next = suggest(&last);
        assert_eq!(next["year"], "2026");
        assert_eq!(next["ordinal"], "21");
        assert_eq!(next["name"], "21st Festival of Waters 2026");
    }
}
