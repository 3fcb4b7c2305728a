//! A file between two steps of one person: in the private store, for an hour, for one session.

use std::time::{Duration, SystemTime};

use tokio::io::AsyncReadExt as _;

use crate::admin::token;
use crate::admin::visit::Visit;
use crate::entity::Entity;
use crate::error::{Error, Result};
use crate::media::Media;
use crate::upload::StagedFile;

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
    fn seal(visit: &Visit, entity: &Entity, place: &str) -> String {
        token::hash("import", &format!("{} {} {place}", visit.csrf, entity.table))
    }

    /// The ticket of this session and entity that `text` is.
    pub(super) fn read(visit: &Visit, entity: &Entity, text: &str) -> Option<Self> {
        let (place, seal) = text.split_once('-')?;
        let is_ours = token::same(&Self::seal(visit, entity, place), seal);
        is_ours.then(|| Self { place: place.to_owned(), seal: seal.to_owned() })
    }

    pub(super) fn text(&self) -> String {
        format!("{}-{}", self.place, self.seal)
    }

    fn key(&self) -> String {
        format!("{FOLDER}/{}.table", self.place)
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
    pub(super) async fn begin(visit: &Visit, entity: &Entity, mut staged: StagedFile) -> Result<Self> {
        let key = visit.app.media.commit_private(FOLDER, &mut staged).await?;
        let place = key.strip_prefix(FOLDER).and_then(|rest| rest.strip_prefix('/')?.strip_suffix(".table"));
        let place = place.ok_or_else(|| Error::internal("a table was kept under another name"))?.to_owned();
        let seal = Ticket::seal(visit, entity, &place);
        Ok(Self { ticket: Ticket { place, seal }, name: staged.name })
    }

    /// Its content; `None` where it waited too long.
    pub(super) async fn open(&self, visit: &Visit) -> Result<Option<Vec<u8>>> {
        let (mut file, length) = match visit.app.media.open_private(&self.ticket.key()).await {
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

    /// It is not needed any more.
    pub(super) async fn end(&self, visit: &Visit) {
        if let Err(error) = visit.app.media.delete_private(&self.ticket.key()).await {
            tracing::info!(%error, "a table that was brought in waits for the sweep");
        }
    }
}

/// Removes files that waited too long.
pub(in crate::admin) async fn sweep(media: &Media) -> Result<u64> {
    let before = SystemTime::now().checked_sub(PATIENCE).unwrap_or(SystemTime::UNIX_EPOCH);
    media.sweep_folder(FOLDER, before).await
}
