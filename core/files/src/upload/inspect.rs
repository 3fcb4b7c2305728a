//! From what was sent to what is kept: each file is told, checked and cleaned.

use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::hex;
use super::parts::SentFile;
use crate::budget::Asker;
use crate::checks::kind::{self, Kind};
use crate::checks::{Clean, DAMAGED, Picture, Takes, inspect_pdf, pdf_budget, picture_budget, unreadable};
use crate::media::{Gate, Media, StagedFile, storage_error};
use crate::scanner::{self, NOT_SCANNED};
use festival_base::error::{Error, Result};
use festival_base::settings::{Scanner, WhenDown};

/// A file that was looked at.
enum Seen {
    /// A PDF, a video, a table: kept as it is.
    Whole {
        size: u64,
        flags: Vec<&'static str>,
    },
    Picture(Clean),
}

/// What is kept of a file, or what to tell its sender.
pub(super) async fn inspect(
    media: &Media,
    settings: &Scanner,
    gate: &Gate,
    sent: SentFile,
) -> Result<Result<StagedFile, String>> {
    // Before anything of ours reads it.
    let not_scanned = match scan(settings, &sent).await? {
        Ok(flag) => flag,
        Err(words) => return Ok(Err(words)),
    };
    let _core = gate.core().await?;
    let path = sent.place.path().map(Path::to_owned).unwrap_or_default();
    let takes = sent.accepted.takes;
    let seen = on_a_core(gate, move |asker| check_file(&path, takes, asker)).await?;
    let keep = |kind: Kind, place, size, sha256, flags: Vec<&'static str>| StagedFile {
        field: sent.accepted.field,
        name: sent.name,
        size,
        sha256,
        sent_sha256: sent.sha256.clone(),
        mime: kind.mime(),
        extension: kind.extension(),
        flags: flags.into_iter().chain(not_scanned).collect(),
        place,
    };
    let (kind, Clean { bytes, is_damaged }) = match seen {
        Ok((kind, Seen::Picture(picture))) => (kind, picture),
        Ok((kind, Seen::Whole { size, flags })) => {
            return Ok(Ok(keep(kind, sent.place, size, sent.sha256.clone(), flags)));
        }
        Err(words) => return Ok(Err(words)),
    };
    let (place, file) = media.stage().await?;
    let mut file = file.into_std().await;
    let written = on_a_core(gate, move |_| {
        file.write_all(&bytes)?;
        Ok(Ok((bytes.len() as u64, hex(&Sha256::digest(&bytes)))))
    });
    let flags = if is_damaged { vec![DAMAGED] } else { Vec::new() };
    Ok(written.await?.map(|(size, sha256)| keep(kind, place, size, sha256, flags)))
}

/// Has a file scanned, where there is a scanner: the flag that it gets, or what to tell its sender.
async fn scan(settings: &Scanner, sent: &SentFile) -> Result<Result<Option<&'static str>, String>> {
    let Some(path) = sent.place.path().filter(|_| !settings.address.is_empty()) else { return Ok(Ok(None)) };
    match scanner::scan(settings, path).await {
        Ok(None) => Ok(Ok(None)),
        Ok(Some(name)) => {
            tracing::warn!(field = sent.accepted.field, malware = name, "a file with malware was refused");
            Ok(Err(format!(
                "This file holds malware ({name}) and was not stored. Please check your device, and choose another file."
            )))
        }
        Err(error) => {
            tracing::error!(%error, field = sent.accepted.field, "the virus scanner did not scan a file");
            match settings.when_down {
                WhenDown::Keep => Ok(Ok(Some(NOT_SCANNED))),
                WhenDown::Refuse => Err(Error::Unavailable(
                    "Files cannot be checked for malware at the moment. Please send this again in a few minutes."
                        .into(),
                )),
            }
        }
    }
}

/// Reads a file, tells what it is, and cleans it.
fn check_file(path: &Path, takes: Takes, asker: &Asker) -> io::Result<Result<(Kind, Seen), String>> {
    let bytes = std::fs::read(path)?;
    Ok(kind::tell(&bytes, takes).and_then(|kind| match kind {
        Kind::Pdf => {
            let flags = inspect_pdf(&bytes, &pdf_budget(bytes.len(), asker))?;
            Ok((kind, Seen::Whole { size: bytes.len() as u64, flags }))
        }
        Kind::Mp4 | Kind::Table => Ok((kind, Seen::Whole { size: bytes.len() as u64, flags: Vec::new() })),
        _ => Ok((kind, Seen::Picture(Picture::read_header(kind, bytes)?.clean(&picture_budget(asker))?))),
    }))
}

/// Works on a file away from the request threads. A decoder that gives up on a file by panicking has met a
/// damaged one.
async fn on_a_core<T: Send + 'static>(
    gate: &Gate,
    work: impl FnOnce(&Asker) -> io::Result<Result<T, String>> + Send + 'static,
) -> Result<Result<T, String>> {
    match gate.workers.run(work).await? {
        Some(done) => done.map_err(|error| storage_error(&error)),
        None => Ok(Err(unreadable())),
    }
}
