//! Cards that were drawn, kept in a folder that may be deleted at any time.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use tokio::io::AsyncReadExt as _;
use tokio::sync::Semaphore;

use super::{SocialCardSpec, WIDTH, draw};
use crate::site::Site;
use festival_base::error::{Error, Result};
use festival_files::budget::Cancellation;
use festival_files::checks::{picture_budget, reduce_picture};
use festival_files::workers::Workers;

/// How many wait for a card to be drawn, at most. Others are told to come again.
const WAITING: usize = 16;
/// The folder's size at most, in bytes; past that the oldest cards go until a quarter of it is free.
const LARGEST: u64 = 128 * 1024 * 1024;

/// The cards that were drawn, and the one thread that draws.
pub struct Cards {
    folder: PathBuf,
    largest: u64,
    waiting: Semaphore,
    turn: Semaphore,
    worker: OnceLock<Workers>,
}

impl Cards {
    /// Cards kept in `folder`, which is made with the first of them.
    pub fn new(folder: PathBuf) -> Self {
        let (waiting, turn) = (Semaphore::new(WAITING), Semaphore::new(1));
        Self { folder, largest: LARGEST, waiting, turn, worker: OnceLock::new() }
    }

    /// The card as a JPEG, kept or drawn now.
    pub(crate) async fn get(&self, site: &Arc<Site>, spec: SocialCardSpec) -> Result<Vec<u8>> {
        let file = self.folder.join(spec.hash()? + ".jpg");
        if let Some(bytes) = read_card(&file).await {
            return Ok(bytes);
        }
        let busy = |_| Error::Unavailable("Many pictures are being drawn. Please try again in a moment.".into());
        let _place = self.waiting.try_acquire().map_err(busy)?;
        let _turn = self.turn.acquire().await.map_err(Error::internal)?;
        if let Some(bytes) = read_card(&file).await {
            return Ok(bytes); // Somebody wanted the same one.
        }
        let picture = match &spec.card.picture {
            Some(key) => read(site, key).await.ok(),
            None => None,
        };
        let (folder, largest) = (self.folder.clone(), self.largest);
        let free = site.settings.uploads.keep_free_mib << 20;
        let work = move |asker: &Cancellation| {
            let budget = picture_budget(asker);
            let picture = picture.and_then(|bytes| reduce_picture(bytes, WIDTH, &budget).ok());
            if asker.is_cancelled() {
                return None; // A card without its picture is not kept.
            }
            let bytes = draw::draw(&spec.card, &spec.branding, picture.as_ref())?;
            if let Err(error) = keep(&folder, &file, &bytes, largest, free) {
                tracing::warn!(%error, "a card cannot be kept");
            }
            Some(bytes)
        };
        let drawn = self.worker.get_or_init(|| Workers::new(1)).run(work).await?;
        drawn.flatten().ok_or_else(|| Error::internal("a card cannot be drawn"))
    }
}

/// A card out of the folder; one that was cut off is none.
async fn read_card(file: &Path) -> Option<Vec<u8>> {
    let bytes = tokio::fs::read(file).await.ok()?;
    (bytes.starts_with(&[0xFF, 0xD8]) && bytes.ends_with(&[0xFF, 0xD9])).then_some(bytes)
}

async fn read(site: &Site, key: &str) -> Result<Vec<u8>> {
    let (mut file, _) = site.media.open_public(key).await?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).await?;
    Ok(bytes)
}

/// Writes a card whole or not at all, and makes room for it.
fn keep(folder: &Path, file: &Path, bytes: &[u8], largest: u64, free: u64) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    if fs4::available_space(folder)? < free {
        return Ok(());
    }
    let mut written = tempfile::NamedTempFile::new_in(folder)?;
    written.write_all(bytes)?;
    written.persist(file).map_err(|error| error.error)?;
    make_room(folder, largest)
}

/// Deletes the oldest cards where the folder has grown too large.
fn make_room(folder: &Path, largest: u64) -> std::io::Result<()> {
    let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let about = entry.metadata()?;
        files.push((about.modified()?, about.len(), entry.path()));
    }
    let mut size: u64 = files.iter().map(|(_, size, _)| size).sum();
    if size <= largest {
        return Ok(());
    }
    files.sort();
    for (_, length, path) in files {
        if size <= largest / 4 * 3 {
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
    fn the_folder_keeps_its_size_and_the_newest_cards() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let card = |number: u8| folder.path().join(format!("{number}.jpg"));
        for number in 0..6 {
            keep(folder.path(), &card(number), &[number; 100], 450, 0)?;
            // Files of one moment have no order.
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let left: Vec<u8> = (0..6).filter(|number| card(*number).exists()).collect();
        assert_eq!(left, [2, 3, 4, 5], "the fifth took the folder past its size: two went, then one came");
        keep(folder.path(), &card(9), &[9; 100], 450, u64::MAX)?;
        assert!(!card(9).exists(), "nothing is kept where the disk is nearly full");
        Ok(())
    }
}
