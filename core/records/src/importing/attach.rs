//! Files that come with a list: they are stored, and named in its rows by their keys.

use std::collections::{BTreeMap, BTreeSet};

use super::{CellError, ParsedSheet, Row};
use crate::Records;
use crate::entity::{Entity, Field, Kind};
use crate::html;
use festival_base::error::{Error, Result};
use festival_base::settings::Uploads;
use festival_base::size_text::size;
use festival_files::bundle::Bundle;
use festival_files::checks::AcceptedKinds;
use festival_files::upload::AcceptedFile;

/// The files of a list.
pub struct Attachments<'a> {
    /// The store of the files.
    pub records: &'a Records,
    /// How uploaded files are checked.
    pub uploads: &'a Uploads,
    /// The files.
    pub bundle: &'a Bundle,
    /// Whether they are stored. Otherwise only their keys are determined, for a preview.
    pub stores: bool,
    /// Called for each file that a row names, when it is done.
    pub progress: &'a (dyn Fn() + Sync),
}

impl Attachments<'_> {
    /// How many files the rows name, apart from pictures in texts.
    pub fn count(entity: &'static Entity, parsed: &ParsedSheet) -> usize {
        let fields: Vec<&str> =
            entity.columns().filter(|field| field.public_file().is_some()).map(|field| field.name).collect();
        let named = |row: &Row| fields.iter().filter(|field| !row.values[**field].trim().is_empty()).count();
        parsed.rows.iter().map(named).sum()
    }

    /// Replaces the names of files in the rows by their keys, and returns the names by key. A file that cannot be used
    /// is reported as a wrong value, or with `blank_invalid` as one that is left empty.
    ///
    /// # Errors
    /// If the media store cannot be written.
    pub async fn attach(
        &self,
        entity: &'static Entity,
        parsed: &mut ParsedSheet,
        blank_invalid: bool,
    ) -> Result<BTreeMap<String, String>> {
        let mut keys = Keys::new();
        let mut refused = BTreeSet::new();
        for row in &mut parsed.rows {
            for field in entity.columns() {
                let Some(file) = field.public_file() else {
                    if matches!(field.kind, Kind::Html) {
                        self.attach_pictures(entity, (&mut *row, field), &mut keys, &mut parsed.notes).await?;
                    }
                    continue;
                };
                let Some(name) = row.values.get(field.name).filter(|name| !name.trim().is_empty()) else { continue };
                let path = self.bundle.find(name, "").unwrap_or(name).to_owned();
                let key = self.key(entity, &path, file, &mut keys).await?;
                (self.progress)();
                match key {
                    Ok(key) => row.values.insert(field.name, key),
                    Err(expected) => {
                        let header = field.label.to_owned();
                        let error = CellError { line: row.line, header, value: path, expected };
                        if blank_invalid && !field.required {
                            row.values.remove(field.name);
                            parsed.blanked.push(error);
                        } else {
                            refused.insert(row.line);
                            parsed.errors.push(error);
                        }
                    }
                }
            }
        }
        parsed.rows.retain(|row| !refused.contains(&row.line));
        Ok(keys.into_iter().filter_map(|(path, key)| Some((key.ok()?, path))).collect())
    }

    /// Replaces the names of pictures in a text by their addresses.
    async fn attach_pictures(
        &self,
        entity: &Entity,
        (row, field): (&mut Row, &Field),
        keys: &mut Keys,
        notes: &mut Vec<String>,
    ) -> Result<()> {
        let Some(text) = row.values.get(field.name).filter(|text| text.contains("<img")) else { return Ok(()) };
        let mut text = html::sanitise(text);
        let mut addresses = BTreeMap::new();
        // From the end, so that the positions of the others stay valid.
        for html::Picture { source, place, .. } in html::pictures(&text).into_iter().rev() {
            if source.starts_with('/') || source.contains("://") {
                continue;
            }
            let key = match self.bundle.find(&source, "") {
                Some(path) => {
                    let file = AcceptedFile::of_organisers(field.name, AcceptedKinds::Picture);
                    self.key(entity, path, file, keys).await?
                }
                None => Err("it is not among the files".to_owned()),
            };
            match key {
                Ok(key) => _ = addresses.insert(source, format!("/media/{key}")),
                Err(reason) => {
                    notes.push(format!("line {}: the picture {source} of the text is left out: {reason}", row.line));
                    text.replace_range(place, "");
                }
            }
        }
        row.values.insert(field.name, html::with_pictures(&text, |source| addresses.get(source).cloned()));
        Ok(())
    }

    /// The key of a file; the inner error says what is expected instead.
    async fn key(
        &self,
        entity: &Entity,
        path: &str,
        AcceptedFile { kinds, max_bytes, .. }: AcceptedFile,
        keys: &mut Keys,
    ) -> Result<std::result::Result<String, String>> {
        if let Some(known) = keys.get(path) {
            return Ok(known.clone());
        }
        let key = match self.bundle.read(path, max_bytes) {
            _ if self.bundle.find(path, "").is_none() => {
                // Lists that were exported here name files of the site.
                let is_stored = self.records.media.has_public(path).await?;
                if is_stored {
                    Ok(path.to_owned())
                } else {
                    Err("the name of a file that came with the list".to_owned())
                }
            }
            Ok(bytes) if bytes.len() as u64 > max_bytes => Err(format!("a file of at most {}", size(max_bytes))),
            Ok(bytes) => {
                let media = &self.records.media;
                let prepared = media.prepare_public(self.uploads, kinds, &entity.slug(), bytes).await;
                match prepared {
                    Ok(file) if self.stores => Ok(media.store_public(file).await?),
                    Ok(file) => Ok(file.key),
                    Err(Error::BadRequest(reason)) => Err(format!("a file that can be shown: {reason}")),
                    Err(error) => return Err(error),
                }
            }
            Err(error) => Err(format!("a file that can be read: {error}")),
        };
        keys.insert(path.to_owned(), key.clone());
        Ok(key)
    }
}

/// Keys of files, or what is expected instead, by path.
type Keys = BTreeMap<String, std::result::Result<String, String>>;
