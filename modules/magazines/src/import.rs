//! Reads issues of the magazine from PDF files: each file is one issue, with its cover next to it.

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
        let pictures: Vec<Picture<'_>> = files.with_extension(PICTURES).map(Picture::new).collect();
        let row = |(index, path): (usize, &&str)| sheet::Row {
            line: index as u64 + 1,
            cells: cells(&pictures, &paths, path).iter().collect(),
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

/// A picture that may be the cover of an issue.
struct Picture<'a> {
    path: &'a str,
    /// The letters of its name without "cover".
    name: String,
}

impl<'a> Picture<'a> {
    fn new(path: &'a str) -> Self {
        Self { path, name: letters(bundle::stem(path)).replace("cover", "") }
    }
}

fn letters(text: &str) -> String {
    text.to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect()
}

fn cells(pictures: &[Picture<'_>], paths: &[&str], path: &str) -> Vec<String> {
    let name = bundle::stem(path).replace(['_', '-'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
    let cover = cover(pictures, paths, path).unwrap_or_default();
    let part = |words| part(&name, words).unwrap_or_default();
    vec![name.clone(), part(VOLUME), part(ISSUE), cover, path.to_owned()]
}

/// The picture with the name of the PDF, with or without "cover"; or the only one in a folder with a single PDF.
fn cover(pictures: &[Picture<'_>], paths: &[&str], path: &str) -> Option<String> {
    let folder = bundle::folder(path);
    let name = letters(bundle::stem(path));
    let named = pictures.iter().find(|picture| picture.name == name);
    let mut in_folder = pictures.iter().filter(|picture| bundle::folder(picture.path) == folder);
    let is_alone = || paths.iter().filter(|pdf| bundle::folder(pdf) == folder).count() == 1;
    match (named, in_folder.next(), in_folder.next()) {
        (None, Some(only), None) if (paths.len() == 1 || !folder.is_empty()) && is_alone() => {
            Some(only.path.to_owned())
        }
        _ => named.map(|picture| picture.path.to_owned()),
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
