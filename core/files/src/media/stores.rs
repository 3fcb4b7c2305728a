//! The file stores of a site, and what their methods share.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use smart_default::SmartDefault;
use tokio::sync::Semaphore;

use super::gate::Gate;
use super::keys::SITE_ID;
use super::slots::SlotUse;
use super::staging::Staging;
use super::store::{Disk, S3, Store};
use crate::budget::Cancellation;
use crate::pdf_pages::PdfRenderer;
use crate::workers::Workers;
use festival_base::error::Result;
use festival_base::settings::{self, Uploads};
use festival_base::ttl_value::TtlValue;

/// The public and private file stores of a site.
pub struct Media {
    /// Where the files are.
    pub(super) store: Store,
    /// The media folder of this machine: the store, if that is on its disk; staged files, renditions and the lock in
    /// any case.
    pub(super) dir: PathBuf,
    pub(super) gate: OnceLock<Gate>,
    pub(super) rendition_workers: RenditionWorkers,
    pub(super) pdf_renderer: PdfRenderer,
    pub(super) pictures: TtlValue<Arc<[String]>>,
    /// The lengths of the public files of a bucket that were opened, by key.
    pub(super) lengths: Mutex<HashMap<String, u64>>,
    /// The lock on the stores, and whether no other server held one when it was acquired.
    pub(super) lock: OnceLock<(std::fs::File, bool)>,
    /// Whether the file with the site's id was seen.
    pub(super) is_identified: AtomicBool,
    pub(super) last_sweep: Mutex<Swept>,
}

impl Media {
    /// Opens the stores in the folder `directory` and creates missing folders.
    ///
    /// # Errors
    /// If a folder cannot be created.
    pub fn open(directory: &Path) -> Result<Self> {
        Ok(Self::new(directory, Store::Disk(Disk::new(directory)?)))
    }

    /// Opens the stores in the bucket of the settings, if they name one, otherwise those in `directory`, which is used
    /// for staged files in any case. Does not connect to the bucket.
    ///
    /// # Errors
    /// If a folder cannot be created or the settings are not those of a bucket.
    pub fn open_configured(directory: &Path, settings: &settings::S3) -> Result<Self> {
        if !settings.is_enabled() {
            return Self::open(directory);
        }
        Ok(Self::new(directory, Store::S3(S3::open(settings, directory.join("staging"))?)))
    }

    fn new(directory: &Path, store: Store) -> Self {
        Self {
            store,
            dir: directory.to_owned(),
            gate: OnceLock::new(),
            rendition_workers: RenditionWorkers::default(),
            pdf_renderer: PdfRenderer::default(),
            pictures: TtlValue::default(),
            lengths: Mutex::default(),
            lock: OnceLock::new(),
            is_identified: AtomicBool::new(false),
            last_sweep: Mutex::default(),
        }
    }

    /// Names the store for operators: its folder, or `s3://bucket/prefix`.
    pub fn location(&self) -> String {
        self.store.location()
    }

    /// Returns the media folder, if the store is on this machine's disk.
    pub fn folder(&self) -> Option<&Path> {
        match &self.store {
            Store::Disk(disk) => Some(disk.folder()),
            Store::S3(_) => None,
        }
    }

    /// Runs CPU work on an uploaded file on the worker threads; `None` if it panicked. If the returned future is
    /// dropped, queued work is skipped, and running work can see it from its [`Cancellation`].
    ///
    /// # Errors
    /// If no thread could be started.
    pub async fn work_on_file<T: Send + 'static>(
        &self,
        settings: &Uploads,
        work: impl FnOnce(&Cancellation) -> T + Send + 'static,
    ) -> Result<Option<T>> {
        self.gate(settings).workers.run(work).await
    }

    /// Returns the renderer for the pages of PDFs in these stores.
    pub fn pdf_renderer(&self) -> &PdfRenderer {
        &self.pdf_renderer
    }

    /// Returns how many upload slots are in use.
    pub fn upload_slots(&self, settings: &Uploads) -> SlotUse {
        self.gate(settings).slots.in_use()
    }

    /// Returns the concurrency limits of uploads to these stores.
    pub(crate) fn gate(&self, settings: &Uploads) -> &Gate {
        self.gate.get_or_init(|| Gate::new(settings))
    }

    /// Returns the staging folder, which has to be created before it is used.
    pub(super) fn staging(&self) -> Staging {
        let is_known = self.is_identified.load(Ordering::Relaxed) && matches!(self.store, Store::Disk(_));
        Staging { folder: self.staging_dir(), site_id: is_known.then(|| self.dir.join(SITE_ID)) }
    }

    pub(super) fn staging_dir(&self) -> PathBuf {
        self.dir.join("staging")
    }

    /// Returns the total size of all files in the store in bytes.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn total_bytes(&self) -> Result<u64> {
        match &self.store {
            Store::Disk(disk) => disk.total_bytes().await,
            Store::S3(_) => Ok(self.store.list("").await?.iter().map(|file| file.size).sum()),
        }
    }
}

/// The result of a sweep: numbers of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Staged files that were deleted.
    pub staged: u64,
    /// Unreferenced files that were moved to the trash.
    pub trashed: u64,
    /// Referenced files that were restored from the trash.
    pub restored: u64,
    /// Unreferenced files that were left in place because there are too many.
    pub refused: u64,
    /// Referenced files that are missing, from the trash too.
    pub missing: u64,
}

/// Requests that may wait for renditions at the same time; further ones get the original.
pub(super) const MAX_PENDING: usize = 24;

/// The worker threads and limits for creating renditions.
#[derive(SmartDefault)]
pub(super) struct RenditionWorkers {
    /// One thread per two cores, so that pages are not slowed down.
    pub(super) workers: OnceLock<Workers>,
    #[default(Semaphore::new(MAX_PENDING))]
    pub(super) permits: Semaphore,
}
