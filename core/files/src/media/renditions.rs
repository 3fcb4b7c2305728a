//! Renditions: public pictures at smaller widths, `/media/posters/<hash>.png?w=480`.
//!
//! A rendition is created on first request and cached as `<media>/renditions/posters/<hash>.png.480.webp`; the folder
//! can be deleted at any time. It is on this machine's disk even if the originals are in a bucket. If there is no
//! useful rendition (the picture is small already, of an unsupported kind, or too many are being created), the original
//! is served at the same address.

use std::fs;
use std::io::{self, Cursor, ErrorKind, Read as _, Write as _};
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread::available_parallelism;

use image::ImageDecoder as _;
use image::codecs::webp::WebPDecoder;
use tokio::fs::File;
use webp::WebPConfig;

use super::keys::is_valid_key;
use super::store::Store;
use super::{Media, OpenFile};
use crate::budget::Cancellation;
use crate::checks::kind::Kind;
use crate::checks::{picture_budget, reduce_picture};
use crate::workers::Workers;
use festival_base::durable::folder_of;
use festival_base::error::{Error, Result};

/// The available widths in pixels. The frontend's `shared/ui/picture` has the same list.
pub const WIDTHS: [u32; 5] = [240, 480, 720, 1080, 1600];
/// WebP quality: files are two thirds the size of JPEGs without a visible difference.
const QUALITY: f32 = 76.0;

/// A public picture at a requested width.
pub enum Rendition {
    /// A WebP.
    Scaled(OpenFile),
    /// The original has to be served, permanently.
    Original,
    /// The original has to be served this time; a later request may get a rendition.
    OriginalForNow,
}

impl Media {
    /// Returns the public picture `key` at a width of at most `width` pixels, never larger than the original.
    ///
    /// # Errors
    /// [`Error::BadRequest`] if `width` is not one of [`WIDTHS`], [`Error::NotFound`] if there is no such picture.
    pub async fn rendition(&self, key: &str, width: u32) -> Result<Rendition> {
        if !WIDTHS.contains(&width) {
            let available = WIDTHS.map(|width| width.to_string()).join(", ");
            return Err(Error::BadRequest(format!("Pictures come at these widths: {available}.")));
        }
        let path = self.dir.join("renditions").join(format!("{key}.{width}.webp"));
        // A bucket is another machine: what was made from it is served without asking it.
        if matches!(self.store, Store::S3(_))
            && is_valid_key(key)
            && let Some(rendition) = open_cached(&path).await?
        {
            return Ok(rendition);
        }
        let original = self.open_public(key).await?;
        if Kind::of_key(key).is_none_or(|kind| !kind.is_picture() || kind == Kind::Avif) {
            return Ok(Rendition::Original);
        }
        if let Some(rendition) = open_cached(&path).await? {
            return Ok(rendition);
        }
        let Ok(_permit) = self.rendition_workers.permits.try_acquire() else { return Ok(Rendition::OriginalForNow) };
        let (original, staging, to) = (original.local().await?, self.staging_dir(), path.clone());
        let workers = self
            .rendition_workers
            .workers
            .get_or_init(|| Workers::new(available_parallelism().map_or(1, NonZeroUsize::get).div_ceil(2)));
        match workers.run(move |cancellation| create(original, width, &staging, &to, cancellation)).await? {
            Some(Ok(())) => Ok(open_cached(&path).await?.unwrap_or(Rendition::OriginalForNow)),
            Some(Err(error)) => {
                tracing::warn!(%error, key, width, "cannot write a rendition");
                Ok(Rendition::OriginalForNow)
            }
            None => Ok(Rendition::OriginalForNow),
        }
    }
}

/// Opens the cached rendition at `path`, if any. An empty file means that the original has to be served.
async fn open_cached(path: &Path) -> Result<Option<Rendition>> {
    let file = match File::open(path).await {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let metadata = file.metadata().await?;
    let is_empty = metadata.len() == 0;
    Ok(Some(if is_empty { Rendition::Original } else { Rendition::Scaled(OpenFile::on_disk(file, &metadata)?) }))
}

/// Creates the rendition at `path`; an empty file if it is not useful.
fn create(
    mut original: fs::File,
    width: u32,
    staging: &Path,
    path: &Path,
    cancellation: &Cancellation,
) -> io::Result<()> {
    if path.exists() {
        return Ok(()); // Created by a concurrent request.
    }
    let mut bytes = Vec::new();
    let length = original.read_to_end(&mut bytes)?;
    let encoded = encode_smaller(bytes, width, cancellation);
    if cancellation.is_cancelled() {
        return Ok(()); // A missing result may be due to the cancellation.
    }
    fs::create_dir_all(staging)?;
    let mut file = tempfile::NamedTempFile::new_in(staging)?;
    file.write_all(&encoded.filter(|encoded| encoded.len() < length).unwrap_or_default())?;
    fs::create_dir_all(folder_of(path))?;
    // Atomic, but not synced: after a power failure it is created again.
    file.persist(path)?;
    Ok(())
}

/// Encodes the picture as a WebP of at most this width; `None` if it cannot be read or is a small WebP already.
fn encode_smaller(original: Vec<u8>, width: u32, cancellation: &Cancellation) -> Option<Vec<u8>> {
    if is_small_webp(&original, width) {
        return None;
    }
    let budget = picture_budget(cancellation);
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

/// Whether it is a WebP of at most this width: encoding it again would lose more quality than it saves space.
fn is_small_webp(picture: &[u8], width: u32) -> bool {
    WebPDecoder::new(Cursor::new(picture)).is_ok_and(|decoder| decoder.dimensions().0 <= width)
}

#[cfg(test)]
mod tests {
    use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};

    use super::super::stores::MAX_PENDING;
    use super::*;

    /// A picture that does not compress well: noise, transparent in its upper half.
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

    async fn scaled(media: &Media, key: &str, width: u32) -> Option<DynamicImage> {
        let Rendition::Scaled(file) = media.rendition(key, width).await.expect("a rendition") else {
            return None;
        };
        let length = file.length();
        let bytes = file.read().await.expect("readable");
        assert_eq!(bytes.len() as u64, length);
        assert!(bytes.starts_with(b"RIFF"), "a WebP");
        Some(image::load_from_memory(&bytes).expect("a picture"))
    }

    #[tokio::test]
    async fn renditions_have_the_requested_width_and_are_never_upscaled() {
        let folder = tempfile::tempdir().expect("a folder");
        let media = Media::open(folder.path()).expect("a store");
        for format in [ImageFormat::Png, ImageFormat::Jpeg] {
            let key = media.put_public("posters", noise(500, 750, format)).await.expect("stored");
            let small = scaled(&media, &key, 240).await.expect("a rendition");
            assert_eq!((small.width(), small.height()), (240, 360), "{key}");
            let large = scaled(&media, &key, 1600).await.expect("compressed better");
            assert_eq!((large.width(), large.height()), (500, 750), "{key}");
        }
    }

    #[tokio::test]
    async fn renditions_keep_transparency() {
        let folder = tempfile::tempdir().expect("a folder");
        let media = Media::open(folder.path()).expect("a store");
        let key = media.put_public("partners", noise(600, 600, ImageFormat::Png)).await.expect("stored");
        let small = scaled(&media, &key, 240).await.expect("a rendition").into_rgba8();
        assert_eq!(small.get_pixel(120, 30)[3], 0);
        assert_eq!(small.get_pixel(120, 210)[3], 255);
    }

    #[tokio::test]
    async fn original_is_served_if_a_rendition_is_not_useful() {
        let folder = tempfile::tempdir().expect("a folder");
        let media = Media::open(folder.path()).expect("a store");
        // A single colour compresses best without loss.
        let flat = DynamicImage::from(RgbaImage::from_pixel(64, 64, Rgba([9, 9, 9, 255])));
        let mut bytes = Vec::new();
        flat.write_to(&mut Cursor::new(&mut bytes), ImageFormat::WebP).expect("a picture");
        let tiny = media.put_public("posters", bytes).await.expect("stored");
        let broken = media.put_public("posters", b"\x89PNG\r\n\x1a\n0000".to_vec()).await.expect("stored");
        let document = media.put_public("magazines", b"%PDF-1.7\n".to_vec()).await.expect("stored");
        for key in [&tiny, &broken, &document] {
            for _ in 0..2 {
                assert!(matches!(media.rendition(key, 240).await, Ok(Rendition::Original)), "{key}");
            }
        }
        assert_eq!(media.rendition(&tiny, 241).await.err().map(|error| error.status().code), Some(400));
        assert_eq!(media.rendition("posters/none.png", 240).await.err().map(|error| error.status().code), Some(404));
    }

    #[tokio::test]
    async fn deleted_renditions_are_recreated_and_excess_requests_get_the_original() {
        let folder = tempfile::tempdir().expect("a folder");
        let media = Media::open(folder.path()).expect("a store");
        let key = media.put_public("posters", noise(400, 600, ImageFormat::Png)).await.expect("stored");
        assert!(scaled(&media, &key, 240).await.is_some());
        fs::remove_dir_all(folder.path().join("renditions")).expect("deleted");
        let all_permits = media.rendition_workers.permits.acquire_many(u32::try_from(MAX_PENDING).expect("few")).await;
        assert!(matches!(media.rendition(&key, 240).await, Ok(Rendition::OriginalForNow)));
        drop(all_permits);
        assert!(scaled(&media, &key, 240).await.is_some());
        let staged = fs::read_dir(folder.path().join("staging")).expect("a folder").count();
        assert_eq!(staged, 0, "no temporary file is left");
    }
}
