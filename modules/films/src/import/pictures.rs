//! Posters and stills of an import: from a folder or a ZIP archive, named in the list or after the titles of the films.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use festival_core::bundle::Bundle;
use festival_core::export::Progress;
use festival_core::sheet::Sheet;
use festival_core::{App, Error, Result};

use super::arguments::Arguments;
use super::picture_names::{Assigned, NameColumn, POSTER, PictureNames, STILL_ONE, STILL_TWO};
use super::{FilmList, Report, Understood};
use crate::film::FILM;

/// Bytes of a picture at most.
const MAX_BYTES: u64 = 40 << 20;
/// Files of no film that are named at most.
const MAX_NAMED: usize = 10;

/// The pictures in a folder or an archive.
pub(super) struct Pictures {
    source: PathBuf,
    bundle: Bundle,
    names: PictureNames,
}

impl Pictures {
    /// Lists the pictures in a folder with its subfolders, or in a ZIP archive, and the columns of `sheet` that name some.
    ///
    /// # Errors
    /// A sentence that says why there are none.
    pub(super) fn open(source: &Path, sheet: &Sheet) -> Result<Self, String> {
        let unreadable = |error: &dyn std::fmt::Display| format!("--pictures {}: {error}", source.display());
        let bundle = Bundle::open(source).map_err(|error| unreadable(&error))?;
        let names = PictureNames::new(&bundle, source.display().to_string(), sheet);
        if names.files.is_empty() {
            return Err(unreadable(&"there are no pictures in it (JPEG, PNG or WebP)"));
        }
        Ok(Self { source: source.to_owned(), bundle, names })
    }

    /// Leaves the columns out that fill other fields, and reports the others as understood.
    pub(super) fn with_columns(mut self, report: &mut Report) -> Self {
        self.names.columns.retain(|column| report.understood.iter().all(|known| known.column != column.column));
        for NameColumn { field, column, header, .. } in &self.names.columns {
            report.ignored.retain(|ignored| ignored.column != *column);
            report.understood.push(Understood { field, column: *column, header: header.clone() });
        }
        self
    }

    /// Finds the pictures of the films, stores them, unless it is a dry run, and names them in the rows. What does not fit
    /// is reported.
    ///
    /// # Errors
    /// If a file or the media store cannot be read or written.
    pub(super) async fn add_to(&self, app: &App, list: &mut FilmList, arguments: &Arguments) -> Result<()> {
        let mut wrong = Vec::new();
        let assigned = self.names.assign(&list.rows, &mut wrong);
        eprintln!("{}", self.summary(&assigned));
        let progress = Progress::slow(assigned.len() as u64, "pictures");
        let mut keys: HashMap<usize, std::result::Result<String, String>> = HashMap::new();
        let lines: HashMap<u64, usize> = list.rows.iter().enumerate().map(|(index, row)| (row.line, index)).collect();
        for ((line, field), file) in assigned {
            if !arguments.list.dry_run && !keys.contains_key(&file) {
                keys.insert(file, self.store(app, file).await?);
            }
            progress.step();
            let Some(row) = lines.get(&line).and_then(|index| list.rows.get_mut(*index)) else { continue };
            match keys.get(&file) {
                Some(Ok(key)) => row.values.insert(field, key.clone()),
                Some(Err(reason)) => wrong.push(self.names.error(line, field, &self.names.files[file], reason)),
                None => {}
            }
        }
        if arguments.list.options.blank_invalid {
            list.report.blanked.extend(wrong);
        } else {
            let refused: BTreeSet<u64> = wrong.iter().map(|error| error.line).collect();
            list.rows.retain(|row| !refused.contains(&row.line));
            list.report.errors.extend(wrong);
        }
        Ok(())
    }

    /// Stores a picture; the inner error says what is wrong with it.
    async fn store(&self, app: &App, file: usize) -> Result<std::result::Result<String, String>> {
        let bytes = match self.bundle.read(&self.names.files[file], MAX_BYTES) {
            Ok(bytes) if bytes.len() as u64 > MAX_BYTES => {
                return Ok(Err(format!("a picture of at most {} MB", MAX_BYTES >> 20)));
            }
            Ok(bytes) => bytes,
            Err(error) => return Ok(Err(format!("a file that can be read: {error}"))),
        };
        match app.media.put_picture(&app.settings.uploads, &FILM.slug(), bytes).await {
            Ok(key) => Ok(Ok(key)),
            Err(Error::BadRequest(reason)) => Ok(Err(format!("a picture that can be shown: {reason}"))),
            Err(error) => Err(error),
        }
    }

    /// What was found, and what fits no film.
    fn summary(&self, assigned: &Assigned) -> String {
        let count = |field: &str| assigned.keys().filter(|(_, of)| *of == field).count();
        let stills = count(STILL_ONE) + count(STILL_TWO);
        let mut text = format!("{}: {} posters and {stills} stills", self.source.display(), count(POSTER));
        let used: BTreeSet<usize> = assigned.values().copied().collect();
        let unused = self.names.files.iter().enumerate().filter(|(index, _)| !used.contains(index));
        let unused: Vec<&str> = unused.map(|(_, path)| &**path).collect();
        if !unused.is_empty() {
            let names = unused.iter().take(MAX_NAMED).copied().collect::<Vec<_>>().join(", ");
            let more = unused.len().saturating_sub(MAX_NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            text.push_str(&format!(
                "\n  note: of no film: {names}{more}; name files after the title, as in \"Title.jpg\" and \"Title still 1.jpg\", or \
                 in a column"
            ));
        }
        text
    }
}
