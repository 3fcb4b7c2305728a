//! Reads film lists, for the command line and the back office.

use festival_core::bundle::Bundle;
use festival_core::entity::Entity;
use festival_core::importing::{Import, ImportOptions, Matches, NameFiles, ParsedSheet, Reader, Refusal, Row};
use festival_core::sheet::Sheet;
use festival_core::{Records, Result};
use sqlx::AnyConnection;

use super::film_list::read_films;
use super::matching;
use super::picture_names::PictureNames;

/// Reads film lists as festivals write them.
pub(crate) struct FilmLists;

#[rocket::async_trait]
impl Reader for FilmLists {
    fn matching(&self) -> &'static str {
        "A line is about a film that is here already if it has the film's id, reference or IMDb id, or the same title, \
         director and year: capitals, accents and punctuation make no difference. Where a line only resembles a film, because its title was \
         corrected or its section changed, you are asked. Posters and stills come with the list in a ZIP archive: named \
         in columns called Poster, Still 1 and Still 2, or called after the films, as in “River.jpg” and “River still 1.jpg”."
    }

    fn read(
        &self,
        records: &Records,
        _entity: &'static Entity,
        sheet: Sheet,
        options: &ImportOptions,
    ) -> Result<ParsedSheet, Refusal> {
        read_films(sheet, options, records.this_year())
    }

    fn name_files(&self, files: &Bundle, sheet: &Sheet) -> Option<NameFiles> {
        let names = PictureNames::new(files, sheet);
        Some(Box::new(|parsed| names.name(parsed)))
    }

    async fn match_rows(
        &self,
        import: &Import<'_>,
        connection: &mut AnyConnection,
        rows: &[Row],
    ) -> Result<Option<Matches>> {
        matching::match_rows(connection, import.edition, rows, import.decisions).await.map(Some)
    }
}
