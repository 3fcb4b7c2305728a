//! Tests of receiving forms: complete, in pieces, broken and hostile.

mod any;
mod files;
mod form;
mod network;
mod pictures;
mod real_files;
mod store;
mod stream;

use std::future::ready;
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use image::{DynamicImage, ImageFormat, RgbImage};
use tempfile::TempDir;
use tokio::io::{AsyncRead, ReadBuf};

use super::body::{Body, Pace};
use super::{AcceptedFile, Accepts, MAX_FORM_BYTES, MultipartReceiver, Received, RequestHead};
use crate::budget::Cancellation;
use crate::checks::{AcceptedKinds, DAMAGED, picture_budget, reduce_picture};
use crate::media::Media;
use festival_base::error::{Error, Result};
use festival_base::settings::Uploads;

const BOUNDARY: &str = "----a1b2c3";
const CONTENT_TYPE: &str = "multipart/form-data; boundary=----a1b2c3";

/// A store in a temporary folder.
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
        self.receiver().receive_body(head, Body::new(source, MAX_FORM_BYTES, pace), &accepts(true), ready(())).await
    }

    fn receiver(&self) -> MultipartReceiver<'_> {
        MultipartReceiver { media: &self.media, settings: &self.settings }
    }

    /// All files in the folder `name`, recursively.
    fn files(&self, name: &str) -> Vec<PathBuf> {
        fn walk(folder: &Path, paths: &mut Vec<PathBuf>) {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.path().is_dir() { walk(&entry.path(), paths) } else { paths.push(entry.path()) }
            }
        }
        let mut paths = Vec::new();
        walk(&self.folder.path().join(name), &mut paths);
        paths
    }
}

fn accepts(ignore_unknown: bool) -> Accepts {
    let files = [("poster", false), ("consent", true)];
    Accepts {
        texts: vec!["title".to_owned(), "director".to_owned()],
        files: files
            .map(|(field, pdf)| {
                AcceptedFile::new(field, if pdf { AcceptedKinds::PictureOrPdf } else { AcceptedKinds::Picture })
            })
            .to_vec(),
        ignore_unknown,
        ..Accepts::default()
    }
}

/// Builds a form from parts.
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

/// A body that arrives in pieces of the given sizes, repeated, with pauses in between.
struct Pieces {
    bytes: Cursor<Vec<u8>>,
    sizes: Vec<usize>,
    index: usize,
    paused: bool,
    /// Whether it stalls at the end instead of ending.
    stalls: bool,
}

impl Pieces {
    fn whole(bytes: Vec<u8>) -> Self {
        Self::of(bytes, vec![usize::MAX])
    }

    fn of(bytes: Vec<u8>, sizes: Vec<usize>) -> Self {
        Self { bytes: Cursor::new(bytes), sizes, index: 0, paused: false, stalls: false }
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
        let size = self.sizes[self.index % self.sizes.len()].max(1).min(buffer.remaining());
        self.index += 1;
        let count = io::Read::read(&mut self.bytes, buffer.initialize_unfilled_to(size))?;
        buffer.advance(count);
        Poll::Ready(Ok(()))
    }
}

/// A pseudo-random generator that is the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next(256) as u8).collect()
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
    reduce_picture(bytes, u32::MAX, &picture_budget(&Cancellation::default()))
}

/// The error message of `field`; empty if there is none.
fn message(result: Result<Received>, field: &str) -> String {
    match result {
        Err(Error::Invalid(fields) | Error::TooLarge(fields)) => {
            fields.into_iter().find(|error| error.field == field).map(|error| error.message).unwrap_or_default()
        }
        _ => String::new(),
    }
}
