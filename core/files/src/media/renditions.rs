//! Public pictures at smaller widths: `/media/posters/<hash>.png?w=480`.
//!
//! A rendition is made when it is first asked for and kept as `<media>/renditions/posters/<hash>.png.480.webp`. It is
//! derived: the folder can be deleted at any time. Where no rendition serves (the picture is small already, of a kind
//! that we do not read, or there is no time), the original answers under the same address.

use std::fs;
use std::io::{Cursor, ErrorKind, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread::available_parallelism;

use image::ImageDecoder as _;
use image::codecs::webp::WebPDecoder;
use tokio::fs::File;
use tokio::sync::Semaphore;
use webp::WebPConfig;

use super::Media;
use crate::budget::Asker;
use crate::checks::{picture_budget, reduce_picture};
use crate::workers::Workers;
use festival_base::error::{Error, Result};

/// The widths in pixels that pictures can be asked for. The frontend's `shared/ui/picture` knows the same.
pub const WIDTHS: [u32; 5] = [240, 480, 720, 1080, 1600];
/// Where WebP's files are two thirds of JPEG's and nobody sees which is which.
const QUALITY: f32 = 76.0;
/// So many visitors wait for a rendition that is being made; the others get the original.
const WAITING: usize = 24;
/// What may have renditions, by the extension of its key.
const PICTURES: [&str; 3] = ["jpg", "png", "webp"];

/// What makes renditions.
pub(super) struct Renditions {
    /// Half of the cores work on them at most: visitors of pages come first.
    workers: OnceLock<Workers>,
    room: Semaphore,
}

impl Default for Renditions {
    fn default() -> Self {
        Self { workers: OnceLock::new(), room: Semaphore::new(WAITING) }
    }
}

/// A public picture at the width that was asked for.
pub enum Rendition {
    /// A WebP: file, length in bytes.
    Made(File, u64),
    /// The original is what there is to send, now and later.
    Original,
    /// The original serves this time; the next request may have better luck.
    OriginalForNow,
}

impl Media {
    /// The public picture `key`, at most `width` pixels wide and never larger than the original.
    pub async fn rendition(&self, key: &str, width: u32) -> Result<Rendition> {
        if !WIDTHS.contains(&width) {
            let known = WIDTHS.map(|width| width.to_string()).join(", ");
            return Err(Error::BadRequest(format!("Pictures come at these widths: {known}.")));
        }
        let (_, length) = self.open_public(key).await?;
        if !PICTURES.iter().any(|extension| key.ends_with(&format!(".{extension}"))) {
            return Ok(Rendition::Original);
        }
        let path = self.dir.join("renditions").join(format!("{key}.{width}.webp"));
        if let Some(known) = open_made(&path).await? {
            return Ok(known);
        }
        let Ok(_place) = self.renditions.room.try_acquire() else { return Ok(Rendition::OriginalForNow) };
        let work =
            Work { original: self.public_dir.join(key), length, staging: self.staging_dir(), path: path.clone() };
        let workers = self
            .renditions
            .workers
            .get_or_init(|| Workers::new(available_parallelism().map_or(1, NonZeroUsize::get).div_ceil(2)));
        match workers.run(move |asker| work.make(width, asker)).await? {
            Some(Ok(())) => Ok(open_made(&path).await?.unwrap_or(Rendition::OriginalForNow)),
            Some(Err(error)) => {
                tracing::warn!(%error, key, width, "a rendition could not be written");
                Ok(Rendition::OriginalForNow)
            }
            None => Ok(Rendition::OriginalForNow),
        }
    }
}

/// The rendition at `path`, if it was made. An empty one says that the original serves.
async fn open_made(path: &Path) -> Result<Option<Rendition>> {
    let file = match File::open(path).await {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let length = file.metadata().await?.len();
    Ok(Some(if length == 0 { Rendition::Original } else { Rendition::Made(file, length) }))
}

/// One rendition to make.
struct Work {
    original: PathBuf,
    /// The original's length in bytes.
    length: u64,
    staging: PathBuf,
    path: PathBuf,
}

impl Work {
    fn make(&self, width: u32, asker: &Asker) -> std::io::Result<()> {
        if self.path.exists() {
            return Ok(()); // Somebody else waited for the same.
        }
        let made = smaller(fs::read(&self.original)?, width, asker);
        if asker.has_gone() {
            return Ok(()); // It may have been given up: that is no verdict on the picture.
        }
        let made = made.filter(|made| (made.len() as u64) < self.length).unwrap_or_default();
        fs::create_dir_all(&self.staging)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.staging)?;
        file.write_all(&made)?;
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        // Whole or not at all; after a power cut it is made again.
        file.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// The picture as a WebP of at most this width; `None` where it cannot be read or is one already.
fn smaller(original: Vec<u8>, width: u32, asker: &Asker) -> Option<Vec<u8>> {
    if is_packed(&original, width) {
        return None;
    }
    let budget = picture_budget(asker);
    let picture = reduce_picture(original, width, &budget).ok()?;
    let transparent = picture.color().has_alpha();
    let (wide, high) = (picture.width(), picture.height());
    let mut config = WebPConfig::new().ok()?;
    config.quality = QUALITY;
    let pixels = picture.as_bytes();
    let encoder = if transparent {
        webp::Encoder::from_rgba(pixels, wide, high)
    } else {
        webp::Encoder::from_rgb(pixels, wide, high)
    };
    Some(encoder.encode_advanced(&config).ok()?.to_vec())
}

/// Whether it is a WebP no wider than this: packing it anew would lose more than it saves.
fn is_packed(picture: &[u8], width: u32) -> bool {
    WebPDecoder::new(Cursor::new(picture)).is_ok_and(|decoder| decoder.dimensions().0 <= width)
}

#[cfg(test)]
mod tests {
    use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
    use tokio::io::AsyncReadExt as _;

    use super::*;

    /// A picture that no packing makes small: noise, transparent in its upper half.
    fn noise(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let mut state = 7_u32;
        let picture = RgbaImage::from_fn(width, height, |_, y| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [_, red, green, blue] = state.to_be_bytes();
            Rgba([red, green, blue, if y < height / 2 { 0 } else { 255 }])
        });
        let picture = DynamicImage::from(picture);
        let picture = if format == ImageFormat::Jpeg { picture.into_rgb8().into() } else { picture };
        let mut bytes = Vec::new();
        picture.write_to(&mut Cursor::new(&mut bytes), format).expect("a picture");
        bytes
    }

    async fn made(media: &Media, key: &str, width: u32) -> Option<DynamicImage> {
        let Rendition::Made(mut file, length) = media.rendition(key, width).await.expect("a rendition") else {
            return None;
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).await.expect("readable");
        assert_eq!(bytes.len() as u64, length);
        assert!(bytes.starts_with(b"RIFF"), "a WebP");
        Some(image::load_from_memory(&bytes).expect("a picture"))
    }

    #[tokio::test]
    async fn a_picture_comes_as_wide_as_it_is_asked_for_and_never_wider_than_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let media = Media::open(folder.path()).expect("a store");
        for format in [ImageFormat::Png, ImageFormat::Jpeg] {
            let key = media.put_public("posters", noise(500, 750, format)).await.expect("kept");
            let small = made(&media, &key, 240).await.expect("a rendition");
            assert_eq!((small.width(), small.height()), (240, 360), "{key}");
            let large = made(&media, &key, 1600).await.expect("packed better");
            assert_eq!((large.width(), large.height()), (500, 750), "{key}");
        }
    }

    #[tokio::test]
    async fn what_is_transparent_stays_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let media = Media::open(folder.path()).expect("a store");
        let key = media.put_public("partners", noise(600, 600, ImageFormat::Png)).await.expect("kept");
        let small = made(&media, &key, 240).await.expect("a rendition").into_rgba8();
        assert_eq!(small.get_pixel(120, 30)[3], 0);
        assert_eq!(small.get_pixel(120, 210)[3], 255);
    }

    #[tokio::test]
    async fn the_original_serves_where_a_rendition_would_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let media = Media::open(folder.path()).expect("a store");
        // One colour packs best without loss.
        let flat = DynamicImage::from(RgbaImage::from_pixel(64, 64, Rgba([9, 9, 9, 255])));
        let mut bytes = Vec::new();
        flat.write_to(&mut Cursor::new(&mut bytes), ImageFormat::WebP).expect("a picture");
        let tiny = media.put_public("posters", bytes).await.expect("kept");
        let broken = media.put_public("posters", b"\x89PNG\r\n\x1a\n0000".to_vec()).await.expect("kept");
        let document = media.put_public("magazines", b"%PDF-1.7\n".to_vec()).await.expect("kept");
        for key in [&tiny, &broken, &document] {
            for _ in 0..2 {
                assert!(matches!(media.rendition(key, 240).await, Ok(Rendition::Original)), "{key}");
            }
        }
        assert_eq!(media.rendition(&tiny, 241).await.err().map(|error| error.status().code), Some(400));
        assert_eq!(media.rendition("posters/none.png", 240).await.err().map(|error| error.status().code), Some(404));
    }

    #[tokio::test]
    async fn deleted_renditions_come_again_and_too_many_at_once_get_the_original() {
        let folder = tempfile::tempdir().expect("a folder");
        let media = Media::open(folder.path()).expect("a store");
        let key = media.put_public("posters", noise(400, 600, ImageFormat::Png)).await.expect("kept");
        assert!(made(&media, &key, 240).await.is_some());
        fs::remove_dir_all(folder.path().join("renditions")).expect("deleted");
        let everybody = media.renditions.room.acquire_many(u32::try_from(WAITING).expect("few")).await;
        assert!(matches!(media.rendition(&key, 240).await, Ok(Rendition::OriginalForNow)));
        drop(everybody);
        assert!(made(&media, &key, 240).await.is_some());
        let left = fs::read_dir(folder.path().join("staging")).expect("a folder").count();
        assert_eq!(left, 0, "nothing half made stays behind");
    }
}
