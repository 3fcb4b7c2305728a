//! Staged tables: uploaded files between the steps of an import, in the private store, for an hour and one session.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use futures::FutureExt as _;
use subtle::ConstantTimeEq as _;

use crate::back_office::AdminRequest;
use crate::identity::token;
use festival_base::error::{Error, Result};
use festival_files::media::Media;
use festival_files::media::StagedFile;
use festival_records::entity::Entity;
use festival_web::site::Site;

/// Folder in the private store.
const FOLDER: &str = "imports";
/// Time for which a file is kept.
const TIME_TO_LIVE: Duration = Duration::from_secs(60 * 60);

/// Reference to a staged file: its id, and a signature that binds it to session and entity.
pub(super) struct Ticket {
    id: String,
    signature: String,
}

impl Ticket {
    fn sign(request: &AdminRequest, entity: &Entity, id: &str) -> String {
        token::hash("import", &format!("{} {} {id}", request.csrf, entity.table))
    }

    /// Parses a ticket; `None` if it belongs to another session or entity.
    pub(super) fn parse(request: &AdminRequest, entity: &Entity, text: &str) -> Option<Self> {
        let (id, signature) = text.split_once('-')?;
        let is_valid = Self::sign(request, entity, id).as_bytes().ct_eq(signature.as_bytes());
        bool::from(is_valid).then(|| Self { id: id.to_owned(), signature: signature.to_owned() })
    }

    /// Formats the ticket for a form or URL.
    pub(super) fn text(&self) -> String {
        format!("{}-{}", self.id, self.signature)
    }

    /// Key of the staged file.
    fn staged_key(&self) -> String {
        format!("{FOLDER}/{}.table", self.id)
    }

    /// Key of the file during and after the import.
    fn claimed_key(&self) -> String {
        format!("{FOLDER}/{}.taken", self.id)
    }
}

/// A staged file.
pub(super) struct StagedTable {
    pub(super) ticket: Ticket,
    /// File name on the user's computer, for display.
    pub(super) name: String,
}

impl StagedTable {
    /// Stores an uploaded file.
    pub(super) async fn store(request: &AdminRequest, entity: &Entity, mut staged: StagedFile) -> Result<Self> {
        let key = request.site.media.commit_private(FOLDER, &mut staged).await?;
        let id = key.strip_prefix(FOLDER).and_then(|rest| rest.strip_prefix('/')?.strip_suffix(".table"));
        let id = id.ok_or_else(|| Error::internal("a staged table has an unexpected key"))?.to_owned();
        let signature = Ticket::sign(request, entity, &id);
        Ok(Self { ticket: Ticket { id, signature }, name: staged.name })
    }

    /// Reads the content; `None` if the file has expired or is claimed.
    pub(super) async fn open(&self, request: &AdminRequest) -> Result<Option<Vec<u8>>> {
        let read = async {
            let file = request.site.media.open_private(&self.ticket.staged_key()).await?;
            if SystemTime::now().duration_since(file.modified()).is_ok_and(|age| age > TIME_TO_LIVE) {
                return Ok(None);
            }
            file.read().await.map(Some)
        };
        match read.await {
            Err(Error::NotFound(_)) => Ok(None), // Perhaps claimed just now.
            read => read,
        }
    }

    /// Claims the file for the import, atomically: of several attempts one succeeds.
    pub(super) async fn claim(&self, request: &AdminRequest) -> Result<ClaimResult> {
        // An expired file is not opened, whether it has been deleted yet or not.
        let Some(bytes) = self.open(request).await? else {
            let is_claimed = request.site.media.open_private(&self.ticket.claimed_key()).await.is_ok();
            return Ok(if is_claimed { ClaimResult::AlreadyClaimed } else { ClaimResult::Expired });
        };
        let (staged_key, claimed_key) = (self.ticket.staged_key(), self.ticket.claimed_key());
        if !request.site.media.claim_private(&staged_key, &claimed_key).await? {
            return Ok(ClaimResult::AlreadyClaimed);
        }
        let site = request.site.clone();
        Ok(ClaimResult::Claimed(Claim { site, staged_key, claimed_key, bytes, is_complete: false }))
    }
}

/// Result of claiming a file.
pub(super) enum ClaimResult {
    /// The file is claimed by this request.
    Claimed(Claim),
    /// Another request, for example from a second click, has claimed it.
    AlreadyClaimed,
    /// The file has expired.
    Expired,
}

/// A claimed file. If it is dropped before [`Claim::complete`], the file is staged again, as by [`Claim::release`], but
/// a little later if it is in a bucket.
pub(super) struct Claim {
    site: Arc<Site>,
    staged_key: String,
    claimed_key: String,
    bytes: Vec<u8>,
    is_complete: bool,
}

impl Claim {
    /// Returns the content.
    pub(super) fn content(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    /// Stages the file again, because nothing was imported.
    pub(super) async fn release(mut self) {
        self.is_complete = true;
        release(&self.site.media, &self.claimed_key, &self.staged_key).await;
    }

    /// Marks the import as done. An empty file stays for the rest of the hour, so that another click gets
    /// [`ClaimResult::AlreadyClaimed`].
    pub(super) async fn complete(mut self) {
        self.is_complete = true;
        if let Err(error) = self.site.media.truncate_private(&self.claimed_key).await {
            tracing::info!(%error, "could not empty an imported table; it is deleted when it expires");
        }
    }
}

async fn release(media: &Media, claimed_key: &str, staged_key: &str) {
    if let Err(error) = media.unclaim_private(claimed_key, staged_key).await {
        tracing::info!(%error, "could not restore a staged table; it has to be uploaded again");
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if !self.is_complete {
            let (site, claimed_key, staged_key) =
                (self.site.clone(), self.claimed_key.clone(), self.staged_key.clone());
            let mut release = Box::pin(async move { release(&site.media, &claimed_key, &staged_key).await });
            // On a disk that is all; a bucket takes longer.
            if release.as_mut().now_or_never().is_none() {
                tokio::spawn(release);
            }
        }
    }
}

/// Deletes expired files and returns their number.
pub(crate) async fn delete_expired(media: &Media) -> Result<u64> {
    let before = SystemTime::now().checked_sub(TIME_TO_LIVE).unwrap_or(SystemTime::UNIX_EPOCH);
    media.sweep_folder(FOLDER, before).await
}
