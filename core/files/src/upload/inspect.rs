//! Processing of received files: virus scan, detection of the kind, checks and cleaning.

use std::io::{self, Write};
use std::path::Path;

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

use super::parts::SentFile;
use crate::budget::Cancellation;
use crate::checks::kind::{self, Kind};
use crate::checks::{
    AcceptedKinds, CleanedPicture, DAMAGED, Picture, inspect_pdf, pdf_budget, picture_budget, unreadable,
};
use crate::media::{Gate, Media, StagedFile, storage_error};
use crate::scanner::{self, NOT_SCANNED};
use festival_base::error::{Error, Result};
use festival_base::settings::{Scanner, WhenDown};

/// The result of checking a file.
enum Checked {
    /// A PDF, video or table, stored unchanged.
    Unchanged {
        size: u64,
        flags: Vec<&'static str>,
    },
    Picture(CleanedPicture),
}

/// Checks and cleans a received file. The inner error is a sentence for the sender.
pub(super) async fn inspect(
    media: &Media,
    settings: &Scanner,
    gate: &Gate,
    sent: SentFile,
) -> Result<Result<StagedFile, String>> {
    // Before it is parsed.
    let not_scanned = match scan(settings, &sent).await? {
        Ok(flag) => flag,
        Err(message) => return Ok(Err(message)),
    };
    let _core = gate.acquire_core().await?;
    let path = sent.path.to_path_buf();
    let kinds = sent.accepted.kinds;
    let checked = run_on_worker(gate, move |cancellation| check_file(&path, kinds, cancellation)).await?;
    let stage = |kind: Kind, path, size, sha256, flags: Vec<&'static str>| StagedFile {
        field: sent.accepted.field,
        name: sent.name,
        size,
        sha256,
        sent_sha256: sent.sha256.clone(),
        mime: kind.mime(),
        extension: kind.extension(),
        flags: flags.into_iter().chain(not_scanned).collect(),
        path: Some(path),
    };
    let (kind, CleanedPicture { bytes, is_damaged }) = match checked {
        Ok((kind, Checked::Picture(picture))) => (kind, picture),
        Ok((kind, Checked::Unchanged { size, flags })) => {
            return Ok(Ok(stage(kind, sent.path, size, sent.sha256.clone(), flags)));
        }
        Err(message) => return Ok(Err(message)),
    };
    let (path, file) = media.stage().await?;
    let mut file = file.into_std().await;
    let written = run_on_worker(gate, move |_| {
        file.write_all(&bytes)?;
        Ok(Ok((bytes.len() as u64, HEXLOWER.encode(&Sha256::digest(&bytes)))))
    });
    let flags = if is_damaged { vec![DAMAGED] } else { Vec::new() };
    Ok(written.await?.map(|(size, sha256)| stage(kind, path, size, sha256, flags)))
}

/// Scans a file, if a scanner is configured, and returns the flag to set. The inner error is a sentence for the sender.
async fn scan(settings: &Scanner, sent: &SentFile) -> Result<Result<Option<&'static str>, String>> {
    if settings.address.is_empty() {
        return Ok(Ok(None));
    }
    match scanner::scan(settings, &sent.path).await {
        Ok(None) => Ok(Ok(None)),
        Ok(Some(name)) => {
            tracing::warn!(field = sent.accepted.field, malware = name, "refused a file with malware");
            Ok(Err(format!(
                "This file holds malware ({name}) and was not stored. Please check your device, and choose another file."
            )))
        }
        Err(error) => {
            tracing::error!(%error, field = sent.accepted.field, "the virus scanner failed to scan a file");
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

/// Reads a file, detects its kind, checks and cleans it. The inner error is a sentence for the sender.
fn check_file(
    path: &Path,
    accepted: AcceptedKinds,
    cancellation: &Cancellation,
) -> io::Result<Result<(Kind, Checked), String>> {
    let bytes = std::fs::read(path)?;
    Ok(kind::detect(&bytes, accepted).and_then(|kind| match kind {
        Kind::Pdf => {
            let flags = inspect_pdf(&bytes, &pdf_budget(bytes.len(), cancellation))?;
            Ok((kind, Checked::Unchanged { size: bytes.len() as u64, flags }))
        }
        Kind::Mp4 | Kind::Table => Ok((kind, Checked::Unchanged { size: bytes.len() as u64, flags: Vec::new() })),
        _ => Ok((kind, Checked::Picture(Picture::read_header(kind, bytes)?.clean(&picture_budget(cancellation))?))),
    }))
}

/// Runs work on a file on a worker thread. A panic of a decoder is reported as a damaged file.
async fn run_on_worker<T: Send + 'static>(
    gate: &Gate,
    work: impl FnOnce(&Cancellation) -> io::Result<Result<T, String>> + Send + 'static,
) -> Result<Result<T, String>> {
    match gate.workers.run(work).await? {
        Some(result) => result.map_err(|error| storage_error(&error)),
        None => Ok(Err(unreadable())),
    }
}
