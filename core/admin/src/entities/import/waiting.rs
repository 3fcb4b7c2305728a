//! A file between two steps of one person: in the private store, for an hour, for one session.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::io::AsyncReadExt as _;

use crate::request::AdminRequest;
use crate::token;
use festival_base::error::{Error, Result};
use festival_files::media::Media;
use festival_files::media::StagedFile;
use festival_records::entity::Entity;
use festival_web::site::Site;

/// The folder in the private store.
const FOLDER: &str = "imports";
/// How long a file waits.
const PATIENCE: Duration = Duration::from_secs(60 * 60);

/// What names a file that waits: its place, and a seal that only the session that sent it can have.
pub(super) struct Ticket {
    place: String,
    seal: String,
}

impl Ticket {
    fn seal(request: &AdminRequest, entity: &Entity, place: &str) -> String {
        token::hash("import", &format!("{} {} {place}", request.csrf, entity.table))
    }

    /// The ticket of this session and entity that `text` is.
    pub(super) fn read(request: &AdminRequest, entity: &Entity, text: &str) -> Option<Self> {
        let (place, seal) = text.split_once('-')?;
        let is_ours = token::same(&Self::seal(request, entity, place), seal);
        is_ours.then(|| Self { place: place.to_owned(), seal: seal.to_owned() })
    }

    pub(super) fn text(&self) -> String {
        format!("{}-{}", self.place, self.seal)
    }

    /// The file, while it waits.
    fn waiting(&self) -> String {
        format!("{FOLDER}/{}.table", self.place)
    }

    /// The file, once somebody brings it in.
    fn taken(&self) -> String {
        format!("{FOLDER}/{}.taken", self.place)
    }
}

/// A file that waits.
pub(super) struct Waiting {
    pub(super) ticket: Ticket,
    /// The name that it had on the sender's machine, to be shown.
    pub(super) name: String,
}

impl Waiting {
    /// Lets a file wait.
    pub(super) async fn begin(request: &AdminRequest, entity: &Entity, mut staged: StagedFile) -> Result<Self> {
        let key = request.site.media.commit_private(FOLDER, &mut staged).await?;
        let place = key.strip_prefix(FOLDER).and_then(|rest| rest.strip_prefix('/')?.strip_suffix(".table"));
        let place = place.ok_or_else(|| Error::internal("a table was kept under another name"))?.to_owned();
        let seal = Ticket::seal(request, entity, &place);
        Ok(Self { ticket: Ticket { place, seal }, name: staged.name })
    }

    /// Its content; `None` where it waited too long, or is brought in.
    pub(super) async fn open(&self, request: &AdminRequest) -> Result<Option<Vec<u8>>> {
        let (mut file, length) = match request.site.media.open_private(&self.ticket.waiting()).await {
            Ok(opened) => opened,
            Err(Error::NotFound(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let written = file.metadata().await?.modified()?;
        if SystemTime::now().duration_since(written).is_ok_and(|age| age > PATIENCE) {
            return Ok(None);
        }
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
        file.read_to_end(&mut bytes).await?;
        Ok(Some(bytes))
    }

    /// Takes it away to bring it in: of several who try, one does.
    pub(super) async fn claim(&self, request: &AdminRequest) -> Result<Claimed> {
        // A file that waited too long is gone, whether it was swept or not.
        let Some(bytes) = self.open(request).await? else {
            let taken = request.site.media.open_private(&self.ticket.taken()).await.is_ok();
            return Ok(if taken { Claimed::ByAnother } else { Claimed::Gone });
        };
        let (waiting, taken) = (self.ticket.waiting(), self.ticket.taken());
        if !request.site.media.rename_private(&waiting, &taken)? {
            return Ok(Claimed::ByAnother);
        }
        Ok(Claimed::Ours(Claim { site: request.site.clone(), waiting, taken, bytes, is_in: false }))
    }
}

/// What became of a claim.
pub(super) enum Claimed {
    /// Nobody else brings the file in.
    Ours(Claim),
    /// Somebody does, or did: the same person, with another click.
    ByAnother,
    /// There is no such file any more.
    Gone,
}

/// A file that is being brought in. Dropped before [`Claim::end`], it waits again: nothing of it came in.
pub(super) struct Claim {
    site: Arc<Site>,
    waiting: String,
    taken: String,
    bytes: Vec<u8>,
    is_in: bool,
}

impl Claim {
    /// Its content.
    pub(super) fn content(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    /// It is in. What stays for the rest of its hour is an empty file that says so to another click.
    pub(super) fn end(mut self) {
        self.is_in = true;
        if let Err(error) = self.site.media.truncate_private(&self.taken) {
            tracing::info!(%error, "a table that was brought in waits for the sweep");
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if !self.is_in
            && let Err(error) = self.site.media.rename_private(&self.taken, &self.waiting)
        {
            tracing::info!(%error, "a table that was not brought in has to be sent again");
        }
    }
}

/// Removes files that waited too long.
pub(crate) async fn sweep(media: &Media) -> Result<u64> {
    let before = SystemTime::now().checked_sub(PATIENCE).unwrap_or(SystemTime::UNIX_EPOCH);
    media.sweep_folder(FOLDER, before).await
}
