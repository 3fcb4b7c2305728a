//! Forms as they come: whole, in pieces, broken, hostile.

mod any;
mod files;
mod form;
mod network;
mod real_files;
mod store;
mod stream;

use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use image::{DynamicImage, ImageFormat, RgbImage};
use tempfile::TempDir;
use tokio::io::{AsyncRead, ReadBuf};

use super::body::{Body, Pace};
use super::{AcceptedFile, Accepts, LARGEST_FORM, MultipartReceiver, Received, RequestHead};
use crate::budget::Asker;
use crate::checks::{DAMAGED, Takes, exif, picture_budget, reduce_picture};
use crate::media::Media;
use festival_base::error::{Error, Result};
use festival_base::settings::Uploads;

const BOUNDARY: &str = "----a1b2c3";
const CONTENT_TYPE: &str = "multipart/form-data; boundary=----a1b2c3";

/// A store in a folder of its own.
struct Store {
    folder: TempDir,
    media: Media,
    settings: Uploads,
}

impl Store {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let media = Media::open(folder.path()).expect("a store");
        Self { folder, media, settings: Uploads { at_once: 4, keep_free_mib: 0, ..Uploads::default() } }
    }

    async fn receive(&self, form: impl Into<Vec<u8>>) -> Result<Received> {
        self.receive_as(CONTENT_TYPE, Pieces::whole(form.into())).await
    }

    async fn receive_as(&self, content_type: &str, source: Pieces) -> Result<Received> {
        let head = RequestHead { content_type, length: None, ..RequestHead::default() };
        let pace = Pace { idle: Duration::from_millis(150), ..Pace::default() };
        self.receiver().receive_body(head, Body::new(source, LARGEST_FORM, pace), &accepts(true)).await
    }

    fn receiver(&self) -> MultipartReceiver<'_> {
        MultipartReceiver { media: &self.media, settings: &self.settings }
    }

    /// The files below the folder `name`.
    fn files(&self, name: &str) -> Vec<PathBuf> {
        fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.path().is_dir() { walk(&entry.path(), found) } else { found.push(entry.path()) }
            }
        }
        let mut found = Vec::new();
        walk(&self.folder.path().join(name), &mut found);
        found
    }
}

fn accepts(ignore_unknown: bool) -> Accepts {
    let files = [("poster", false), ("consent", true)];
    Accepts {
        texts: vec!["title".to_owned(), "director".to_owned()],
        files: files
            .map(|(field, pdf)| AcceptedFile::new(field, if pdf { Takes::PictureOrPdf } else { Takes::Picture }))
            .to_vec(),
        ignore_unknown,
        ..Accepts::default()
    }
}

/// A form, part by part.
#[derive(Clone, Default)]
struct Form(Vec<u8>);

impl Form {
    fn part(mut self, headers: &str, content: &[u8]) -> Self {
        self.0.extend(format!("--{BOUNDARY}\r\n{headers}\r\n\r\n").bytes());
        self.0.extend(content);
        self.0.extend(b"\r\n");
        self
    }

    fn text(self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.part(&format!("Content-Disposition: form-data; name=\"{name}\""), value.as_ref())
    }

    fn file(self, name: &str, file_name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let disposition = format!("Content-Disposition: form-data; name=\"{name}\"; filename=\"{file_name}\"");
        self.part(&format!("{disposition}\r\nContent-Type: application/octet-stream"), bytes.as_ref())
    }

    fn end(mut self) -> Vec<u8> {
        self.0.extend(format!("--{BOUNDARY}--\r\n").bytes());
        self.0
    }
}

/// A body that comes in pieces of given sizes, over and over, with pauses between them.
struct Pieces {
    bytes: Cursor<Vec<u8>>,
    sizes: Vec<usize>,
    turn: usize,
    paused: bool,
    /// At its end it stalls instead of ending.
    stalls: bool,
}

impl Pieces {
    fn whole(bytes: Vec<u8>) -> Self {
        Self::of(bytes, vec![usize::MAX])
    }

    fn of(bytes: Vec<u8>, sizes: Vec<usize>) -> Self {
        Self { bytes: Cursor::new(bytes), sizes, turn: 0, paused: false, stalls: false }
    }
}

impl AsyncRead for Pieces {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.paused = !self.paused;
        if self.paused {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        if self.stalls && self.bytes.position() == self.bytes.get_ref().len() as u64 {
            return Poll::Pending;
        }
        let size = self.sizes[self.turn % self.sizes.len()].max(1).min(buffer.remaining());
        self.turn += 1;
        let count = io::Read::read(&mut self.bytes, buffer.initialize_unfilled_to(size))?;
        buffer.advance(count);
        Poll::Ready(Ok(()))
    }
}

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.roll(256) as u8).collect()
    }
}

/// A picture, left half red and right half blue.
fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let pixels = RgbImage::from_fn(width, height, |x, _| {
        if x < width / 2 { image::Rgb([250, 10, 10]) } else { image::Rgb([10, 10, 250]) }
    });
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::from(pixels).write_to(&mut bytes, format).expect("a picture");
    bytes.into_inner()
}

fn status(result: &Result<Received>) -> u16 {
    result.as_ref().map_or_else(|error| error.status().code, |_| 200)
}

fn decoded(bytes: Vec<u8>) -> std::result::Result<DynamicImage, String> {
    reduce_picture(bytes, u32::MAX, &picture_budget(&Asker::default()))
}

/// What is said of `field`.
fn words(result: Result<Received>, field: &str) -> String {
    match result {
        Err(Error::Invalid(fields) | Error::TooLarge(fields)) => {
            fields.into_iter().find(|error| error.field == field).map(|error| error.message).unwrap_or_default()
        }
        _ => String::new(),
    }
}
