//! Reads issues of the magazine from PDF files: each is one issue, and its cover lies beside it.

use festival_core::Result;
use festival_core::bundle::{self, Bundle};
use festival_core::entity::Entity;
use festival_core::importing::{Import, Matches, Reader, Row, match_by_title};
use festival_core::sheet::{self, Sheet};
use sqlx::AnyConnection;

/// The header of the table, in the labels of [`crate::MAGAZINE`].
const HEADER: [&str; 5] = ["Name", "Volume", "Issue", "Cover", "PDF"];
const PICTURES: &[&str] = &["jpg", "jpeg", "png", "webp"];
const VOLUME: &[&str] = &["vol", "volume"];
const ISSUE: &[&str] = &["issue", "no", "number", "nr"];

/// Reads lists of issues, and issues that are files.
pub(crate) struct Issues;

#[rocket::async_trait]
impl Reader for Issues {
    fn matching(&self) -> &'static str {
        "A ZIP archive of PDF files is a list, too: each is an issue called after the file, and the picture of the same name is \
         its cover. A list in the archive names them instead. A line is about an issue that is here already if it has its name."
    }

    fn read_documents(&self, _entity: &'static Entity, files: &Bundle) -> Option<std::result::Result<Sheet, String>> {
        let paths: Vec<&str> = files.with_extension(&["pdf"]).collect();
        if paths.is_empty() {
            return None;
        }
        let row = |(index, path): (usize, &&str)| sheet::Row {
            line: index as u64 + 1,
            cells: cells(files, path, paths.len()),
        };
        let rows = paths.iter().enumerate().map(row).collect();
        Some(Ok(Sheet::of_documents(HEADER.map(str::to_owned).into(), rows, Vec::new())))
    }

    async fn match_rows(
        &self,
        import: &Import<'_>,
        connection: &mut AnyConnection,
        rows: &[Row],
    ) -> Result<Option<Matches>> {
        match_by_title(import, connection, rows).await.map(Some)
    }
}

fn cells(files: &Bundle, path: &str, count: usize) -> Vec<String> {
    let name = bundle::stem(path).replace(['_', '-'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
    let cover = cover(files, path, count).unwrap_or_default();
    let part = |words| part(&name, words).unwrap_or_default();
    vec![name.clone(), part(VOLUME), part(ISSUE), cover, path.to_owned()]
}

/// The picture called as the PDF, perhaps with "cover"; or the only one in a folder with a single PDF.
fn cover(files: &Bundle, path: &str, count: usize) -> Option<String> {
    let folder = bundle::folder(path);
    let letters =
        |text: &str| text.to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect::<String>();
    let stem = letters(bundle::stem(path));
    let named =
        files.with_extension(PICTURES).find(|picture| letters(bundle::stem(picture)).replace("cover", "") == stem);
    let in_folder: Vec<&str> =
        files.with_extension(PICTURES).filter(|picture| bundle::folder(picture) == folder).collect();
    let is_alone = files.with_extension(&["pdf"]).filter(|pdf| bundle::folder(pdf) == folder).count() == 1;
    match in_folder[..] {
        [only] if named.is_none() && is_alone && (count == 1 || !folder.is_empty()) => Some(only.to_owned()),
        _ => named.map(str::to_owned),
    }
}

/// The word after one of these: "3" in "Kottaka vol 3", and in "Kottaka vol3".
fn part(name: &str, words: &[&str]) -> Option<String> {
    let lower = name.to_lowercase();
    let mut parts = lower.split([' ', '.', ',', '(', ')']).filter(|part| !part.is_empty());
    while let Some(part) = parts.next() {
        let number = part.trim_start_matches(|letter: char| letter.is_alphabetic());
        let word = &part[..part.len() - number.len()];
        if words.contains(&word) {
            return if number.is_empty() { parts.next().map(str::to_owned) } else { Some(number.to_owned()) };
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volumes_and_issues_are_read_from_names() {
        for (name, vol, issue) in [
            ("Kottaka Vol 3 Issue 2", Some("3"), Some("2")),
            ("Kottaka vol3 no.12", Some("3"), Some("12")),
            ("കൊട്ടക 2025", None, None),
            ("Novel", None, None),
        ] {
            assert_eq!((part(name, VOLUME).as_deref(), part(name, ISSUE).as_deref()), (vol, issue), "{name}");
        }
    }
}
