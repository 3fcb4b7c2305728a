//! The films of an edition as a list that Letterboxd imports: <https://letterboxd.com/about/importing-data/>.

use festival_core::importing::values::split_names;
use festival_core::{RequestContext, Result};
use sqlx::FromRow;

/// Content type of the list.
pub(crate) const CONTENT_TYPE: &str = "text/csv; charset=utf-8";
/// Maximum size of a list that Letterboxd imports, in bytes.
const MAX_BYTES: usize = 1_000_000;

#[derive(FromRow)]
struct Row {
    name: String,
    director_name: Option<String>,
    year: Option<i64>,
    imdb_id: Option<String>,
}

/// `GET /films/letterboxd.csv`: a film has its IMDb id, or else is found by title, year and directors. Titles stay as
/// they are, also those that a spreadsheet would take for a formula, and there is no byte order mark in front of the
/// first header.
pub(crate) async fn list(request: RequestContext) -> Result<String> {
    let sql = "SELECT f.name, f.director_name, f.year, f.imdb_id FROM films f JOIN categories c ON c.id = f.category_id \
         WHERE c.edition_id = $1 AND c.is_published = 1 AND f.is_published = 1 \
         ORDER BY c.position, c.id, f.position, f.id";
    let rows: Vec<Row> = request.rows_of_edition(sql).await?;
    let mut list = String::from("imdbID,Title,Year,Directors\r\n");
    for row in rows {
        let directors = split_names(row.director_name.as_deref().unwrap_or_default()).map(str::trim);
        let directors: Vec<&str> = directors.filter(|name| !name.is_empty()).collect();
        let year = row.year.map(|year| year.to_string()).unwrap_or_default();
        let cells = [row.imdb_id.as_deref().unwrap_or_default(), &row.name, &year, &directors.join(", ")];
        let line = cells.map(quoted).join(",") + "\r\n";
        if list.len() + line.len() > MAX_BYTES {
            break;
        }
        list.push_str(&line);
    }
    Ok(list)
}

fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}
