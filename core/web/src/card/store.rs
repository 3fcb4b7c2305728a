//! Cache of drawn cards on disk, in a folder that may be deleted at any time.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

use tokio::sync::Semaphore;

use super::draw;
use super::social_card::SocialCardSpec;
use super::social_card::WIDTH;
use festival_base::error::{Error, Result};
use festival_base::settings::Uploads;
use festival_files::budget::Cancellation;
use festival_files::checks::{picture_budget, reduce_picture};
use festival_files::media::Media;
use festival_files::workers::Workers;

/// Requests that may wait for a card at the same time. More are answered with 503.
const MAX_WAITING: usize = 16;
/// Size of the folder, in bytes, beyond which the oldest cards are deleted until a quarter of it is free.
const MAX_FOLDER_BYTES: u64 = 128 * 1024 * 1024;

/// The drawn cards, and the one thread that draws them.
pub struct Cards {
    folder: PathBuf,
    max_bytes: u64,
    waiting: Semaphore,
    drawing: Semaphore,
    worker: OnceLock<Workers>,
}

impl Cards {
    /// Stores cards in `folder`, which is created with the first of them.
    pub fn new(folder: PathBuf) -> Self {
        let (waiting, drawing) = (Semaphore::new(MAX_WAITING), Semaphore::new(1));
        Self { folder, max_bytes: MAX_FOLDER_BYTES, waiting, drawing, worker: OnceLock::new() }
    }

    /// Returns the card as a JPEG, from disk or drawn now.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if too many requests wait for cards already, [`Error::Internal`] if the card cannot be
    /// drawn.
    pub(crate) async fn get(&self, media: &Media, settings: &Uploads, spec: SocialCardSpec) -> Result<Vec<u8>> {
        let file = self.folder.join(spec.hash()? + ".jpg");
        if let Some(bytes) = read_card(&file).await {
            return Ok(bytes);
        }
        let busy = |_| Error::Unavailable("Many pictures are being drawn. Please try again in a moment.".into());
        let _waiting = self.waiting.try_acquire().map_err(busy)?;
        let _drawing = self.drawing.acquire().await.map_err(Error::internal)?;
        if let Some(bytes) = read_card(&file).await {
            return Ok(bytes); // Drawn meanwhile, for another request.
        }
        let picture = match &spec.card.picture {
            Some(key) => match read_picture(media, key).await {
                // Otherwise a card without its picture would be stored.
                Err(error @ Error::Unavailable(_)) => return Err(error),
                read => read.ok(),
            },
            None => None,
        };
        let (folder, max_bytes) = (self.folder.clone(), self.max_bytes);
        let min_free_bytes = settings.keep_free_mib << 20;
        let work = move |cancellation: &Cancellation| {
            let budget = picture_budget(cancellation);
            let picture = picture.and_then(|bytes| reduce_picture(bytes, WIDTH, &budget).ok());
            if cancellation.is_cancelled() {
                return None; // Its picture may not have been read to the end.
            }
            let bytes = draw::draw(&spec.card, &spec.branding, picture.as_ref())?;
            if let Err(error) = store(&folder, &file, &bytes, max_bytes, min_free_bytes) {
                tracing::warn!(%error, "a card could not be stored");
            }
            Some(bytes)
        };
        let drawn = self.worker.get_or_init(|| Workers::new(1)).run(work).await?;
        drawn.flatten().ok_or_else(|| Error::internal("a card could not be drawn"))
    }
}

/// Reads a stored card; none if there is none, or its file is incomplete.
async fn read_card(file: &Path) -> Option<Vec<u8>> {
    let bytes = tokio::fs::read(file).await.ok()?;
    (bytes.starts_with(&[0xFF, 0xD8]) && bytes.ends_with(&[0xFF, 0xD9])).then_some(bytes)
}

async fn read_picture(media: &Media, key: &str) -> Result<Vec<u8>> {
    media.open_public(key).await?.read().await
}

/// Stores a card atomically and deletes old ones beyond `max_bytes`. Does nothing on a disk with less free space than
/// `min_free_bytes`.
fn store(folder: &Path, file: &Path, bytes: &[u8], max_bytes: u64, min_free_bytes: u64) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    if fs4::available_space(folder)? < min_free_bytes {
        return Ok(());
    }
    let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
    temporary.write_all(bytes)?;
    temporary.persist(file).map_err(|error| error.error)?;
    delete_oldest(folder, max_bytes)
}

/// Deletes the oldest cards if the folder is larger than `max_bytes`.
fn delete_oldest(folder: &Path, max_bytes: u64) -> std::io::Result<()> {
    let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        files.push((metadata.modified()?, metadata.len(), entry.path()));
    }
    let mut size: u64 = files.iter().map(|(_, size, _)| size).sum();
    if size <= max_bytes {
        return Ok(());
    }
    files.sort();
    for (_, length, path) in files {
        if size <= max_bytes / 4 * 3 {
            break;
        }
        fs::remove_file(path)?;
        size -= length;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oldest_cards_are_deleted_beyond_the_size_limit() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let card = |number: u8| folder.path().join(format!("{number}.jpg"));
        for number in 0..6 {
            store(folder.path(), &card(number), &[number; 100], 450, 0)?;
            // Files with the same modification time have no order.
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let left: Vec<u8> = (0..6).filter(|number| card(*number).exists()).collect();
        assert_eq!(left, [2, 3, 4, 5], "the fifth card exceeded the limit: two were deleted, then one was added");
        store(folder.path(), &card(9), &[9; 100], 450, u64::MAX)?;
        assert!(!card(9).exists(), "nothing is stored on a disk that is nearly full");
        Ok(())
    }
}
