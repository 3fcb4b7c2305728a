//! Film lists in the back office: what `festival films import` reads, behind core's screen.

use std::collections::BTreeMap;

use festival_core::entity::Entity;
use festival_core::importing::{Column, Import, ImportOptions, Matches, ParsedSheet, Reader, Row};
use festival_core::sheet::Sheet;
use festival_core::{Records, Result};
use sqlx::AnyConnection;

use super::{Field, FilmList, Mapping, Options, Source, matching, read_films};
use crate::film::FILM;

/// Reads film lists as festivals write them.
pub(crate) struct FilmLists;

#[rocket::async_trait]
impl Reader for FilmLists {
    fn fields(&self, _entity: &'static Entity) -> Vec<(&'static str, &'static str)> {
        Field::ALL.map(|field| (field.name(), FILM.field(field.name()).map_or("", |known| known.label))).into()
    }

    fn read(
        &self,
        records: &Records,
        _entity: &'static Entity,
        sheet: Sheet,
        options: &ImportOptions,
    ) -> Result<ParsedSheet, String> {
        let today = records.clock.now().to_zoned(records.time_zone.clone()).date();
        let options = Options {
            category: options.for_all.get(Field::Category.name()).cloned(),
            mappings: options.columns.as_deref().map(mappings).unwrap_or_default(),
            no_header: options.no_header,
            this_year: i64::from(today.year()),
        };
        let list = read_films(sheet, &options).map_err(|error| error.plain())?;
        Ok(reading(list))
    }

    async fn match_rows(
        &self,
        import: &Import<'_>,
        connection: &mut AnyConnection,
        rows: &[Row],
    ) -> Result<Option<Matches>> {
        matching::match_rows(connection, import.edition, rows).await.map(Some)
    }
}

/// What a person said of each column, field by field: one without a column has none, whatever the headers say.
fn mappings(columns: &[String]) -> Vec<Mapping> {
    let mut mappings = Vec::new();
    for field in Field::ALL {
        let mut chosen = columns.iter().enumerate().filter(|(_, name)| *name == field.name()).peekable();
        if chosen.peek().is_none() {
            mappings.push(Mapping { field, source: Source::Nothing });
        }
        mappings.extend(chosen.map(|(column, _)| Mapping { field, source: Source::Column(column + 1) }));
    }
    mappings
}

/// A film list as core takes it.
pub(super) fn reading(list: FilmList) -> ParsedSheet {
    let FilmList { rows, report } = list;
    let understood = report.understood.into_iter().map(|known| {
        (known.column, Column { header: known.header, field: Some(known.field.name()), why: String::new() })
    });
    let ignored = report
        .ignored
        .into_iter()
        .map(|ignored| (ignored.column, Column { header: ignored.header, field: None, why: ignored.reason.plain() }));
    let columns: BTreeMap<usize, Column> = understood.chain(ignored).collect();
    ParsedSheet {
        columns: columns.into_values().collect(),
        rows: rows.iter().map(|row| Row { line: row.line, id: None, values: row.values.values() }).collect(),
        errors: report.errors,
        notes: report.warnings.iter().map(ToString::to_string).collect(),
    }
}
