//! The store in a bucket of an S3-compatible store.
//!
//! Every request ends: after a few attempts, or when its time is up. The waiting client gets a 503, and the next
//! request tries again, so a store that comes back needs no restart.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{
    BackoffConfig, GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutMode, RetryConfig,
};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::io::StreamReader;

use super::Listed;
use super::content::{Content, unreadable};
use super::http::{Connector, certificate_problem};
use crate::transfer::digest_of;
use festival_base::error::{Error, Result, with_causes};
use festival_base::settings;

/// Time for one operation with all of its attempts, not counting the bytes of an object that is sent.
const TIMEOUT: Duration = Duration::from_secs(8);
/// The slowest pace of sending an object that is waited for, in bytes per second.
const MIN_BYTES_PER_SECOND: u64 = 512 * 1024;
/// Time to wait for the next bytes of an object that is read.
const READ_TIMEOUT: Duration = Duration::from_secs(8);
/// Attempts after the first.
const MAX_RETRIES: usize = 3;
/// Objects that are sent at the same time; each is in memory while it is sent.
const MAX_PUTS: usize = 8;
/// The longest key that S3 knows, in bytes.
const MAX_KEY_LENGTH: usize = 1024;

/// A bucket.
#[derive(Clone)]
pub(in super::super) struct S3 {
    client: Arc<AmazonS3>,
    /// The folder in the bucket, with a slash at its end; or empty.
    prefix: String,
    location: String,
    puts: Arc<Semaphore>,
    /// The folder of this machine's disk that objects are copied to for code that needs a file.
    staging: PathBuf,
}

impl fmt::Debug for S3 {
    // Without the client, which has the keys.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.location)
    }
}

impl S3 {
    /// Opens the bucket of the settings, without connecting to it.
    ///
    /// # Errors
    /// If a setting cannot be used, such as the file of certificates.
    pub(in super::super) fn open(settings: &settings::S3, staging: PathBuf) -> Result<Self> {
        let connector = Connector::new(&settings.ca_file).map_err(Error::BadRequest)?;
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&settings.bucket)
            .with_region(&settings.region)
            .with_access_key_id(&settings.access_key)
            .with_secret_access_key(settings.secret_key.reveal())
            .with_allow_http(settings.is_plain_http())
            .with_retry(RetryConfig {
                max_retries: MAX_RETRIES,
                retry_timeout: TIMEOUT,
                backoff: BackoffConfig { max_backoff: Duration::from_secs(1), ..BackoffConfig::default() },
            })
            .with_http_connector(connector);
        if !settings.endpoint.is_empty() {
            builder = builder.with_endpoint(settings.endpoint.trim_end_matches('/'));
        }
        let client = builder.build().map_err(|error| Error::internal(format!("the settings in [s3]: {error}")))?;
        let prefix = if settings.prefix.is_empty() { String::new() } else { format!("{}/", settings.prefix) };
        Ok(Self {
            client: Arc::new(client),
            location: format!("s3://{}/{prefix}", settings.bucket).trim_end_matches('/').to_owned(),
            prefix,
            puts: Arc::new(Semaphore::new(MAX_PUTS)),
            staging,
        })
    }

    pub(super) fn location(&self) -> String {
        self.location.clone()
    }

    pub(super) fn staging(&self) -> &std::path::Path {
        &self.staging
    }

    fn key(&self, path: &str) -> Path {
        Path::from(format!("{}{path}", self.prefix))
    }

    /// Returns size and time of an object.
    pub(super) async fn head(&self, path: &str) -> Result<ObjectMeta> {
        if self.prefix.len() + path.len() > MAX_KEY_LENGTH {
            return Err(missing());
        }
        let key = self.key(path);
        timeout(TIMEOUT, self.client.head(&key)).await.map_err(|_| too_slow(path))?.map_err(|error| read_error(&error))
    }

    /// Sends a new object. If there is one already, it was sent by an attempt whose answer was lost: then its content
    /// is the same.
    pub(super) async fn put_new(&self, path: &str, bytes: Vec<u8>) -> Result<()> {
        let bytes = Bytes::from(bytes);
        match self.send(path, bytes.clone(), PutMode::Create).await? {
            Sent::Stored => Ok(()),
            Sent::Exists => {
                let found = self.head(path).await?;
                let mut content = self.read(path, found.e_tag, 0..found.size).await?;
                let mut stored = Vec::new();
                tokio::io::copy(&mut content, &mut stored).await.map_err(|error| unreadable(&error))?;
                if digest_of(&stored) == digest_of(&bytes) {
                    return Ok(());
                }
                tracing::error!(path, "another object has this name already; it was not replaced");
                Err(unavailable())
            }
        }
    }

    /// Sends an object unless there is one, and returns whether there was none.
    pub(in super::super) async fn claim(&self, path: &str, bytes: Vec<u8>) -> Result<bool> {
        Ok(matches!(self.send(path, bytes.into(), PutMode::Create).await?, Sent::Stored))
    }

    /// Sends an object, replacing an existing one.
    pub(in super::super) async fn put(&self, path: &str, bytes: Vec<u8>) -> Result<()> {
        self.send(path, bytes.into(), PutMode::Overwrite).await.map(drop)
    }

    async fn send(&self, path: &str, bytes: Bytes, mode: PutMode) -> Result<Sent> {
        let limit = TIMEOUT + Duration::from_secs(bytes.len() as u64 / MIN_BYTES_PER_SECOND);
        let key = self.key(path);
        let send = async {
            let _permit = self.puts.acquire().await.map_err(Error::internal)?;
            match self.client.put_opts(&key, bytes.into(), mode.into()).await {
                Ok(_) => Ok(Sent::Stored),
                Err(object_store::Error::AlreadyExists { .. }) => Ok(Sent::Exists),
                Err(error) => Err(write_error(&error)),
            }
        };
        timeout(limit, send).await.map_err(|_| too_slow(path))?
    }

    /// Reads a part of an object. The answer has begun when this returns; a connection that breaks later is replaced,
    /// and the rest of the same object requested.
    pub(super) async fn read(&self, path: &str, e_tag: Option<String>, range: Range<u64>) -> Result<Content> {
        if range.is_empty() {
            return Ok(Box::new(tokio::io::empty())); // S3 has no empty ranges.
        }
        let options = GetOptions { range: Some(GetRange::Bounded(range)), if_match: e_tag, ..GetOptions::default() };
        let key = self.key(path);
        let found = timeout(TIMEOUT, self.client.get_opts(&key, options)).await;
        let found = found.map_err(|_| too_slow(path))?.map_err(|error| read_error(&error))?;
        let chunks = stream::try_unfold(found.into_stream(), |mut chunks| async move {
            match timeout(READ_TIMEOUT, chunks.next()).await {
                Ok(Some(chunk)) => Ok(Some((chunk.map_err(std::io::Error::other)?, chunks))),
                Ok(None) => Ok(None),
                Err(_) => Err(std::io::Error::from(std::io::ErrorKind::TimedOut)),
            }
        });
        Ok(Box::new(StreamReader::new(Box::pin(chunks))))
    }

    pub(super) async fn list(&self, folder: &str) -> Result<Vec<Listed>> {
        let folder = self.key(folder);
        let mut found = self.client.list(Some(&folder));
        let mut files = Vec::new();
        while let Some(object) = timeout(TIMEOUT, found.try_next())
            .await
            .map_err(|_| too_slow("a list"))?
            .map_err(|error| read_error(&error))?
        {
            let modified = object.last_modified.into();
            if let Some(path) = object.location.as_ref().strip_prefix(&self.prefix) {
                files.push(Listed { path: path.to_owned(), size: object.size, modified, stored_at: Some(modified) });
            }
        }
        Ok(files)
    }

    pub(super) async fn folders(&self, folder: &str) -> Result<Vec<String>> {
        let folder = self.key(folder);
        let found = timeout(TIMEOUT, self.client.list_with_delimiter(Some(&folder))).await;
        let found = found.map_err(|_| too_slow("a list"))?.map_err(|error| read_error(&error))?;
        Ok(found.common_prefixes.iter().filter_map(|prefix| prefix.filename().map(str::to_owned)).collect())
    }

    pub(super) async fn rename(&self, from: &str, to: &str) -> Result<bool> {
        let (source, target) = (self.key(from), self.key(to));
        match timeout(TIMEOUT, self.client.copy(&source, &target)).await.map_err(|_| too_slow(from))? {
            Err(object_store::Error::NotFound { .. }) => return Ok(false),
            copied => copied.map_err(|error| write_error(&error))?,
        }
        self.delete(from).await?;
        Ok(true)
    }

    /// Checks first whether the object exists, because the response of S3 does not tell.
    pub(super) async fn delete(&self, path: &str) -> Result<bool> {
        match self.head(path).await {
            Err(Error::NotFound(_)) => return Ok(false),
            found => found?,
        };
        let key = self.key(path);
        match timeout(TIMEOUT, self.client.delete(&key)).await.map_err(|_| too_slow(path))? {
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            deleted => deleted.map(|()| true).map_err(|error| write_error(&error)),
        }
    }

    /// Tries everything that the site does with the bucket, on an object created for this check, and returns what
    /// fails.
    pub(in super::super) async fn probe(&self, name: &str) -> std::result::Result<(), String> {
        let key = self.key(name);
        let probe = async {
            let cause =
                |what: &'static str| move |error: object_store::Error| format!("{what}: {}", root_cause(&error));
            let create = || self.client.put_opts(&key, Bytes::from_static(b"probe").into(), PutMode::Create.into());
            create().await.map_err(cause("an object cannot be written"))?;
            let second = create().await;
            let read = self.client.get(&key).await.map_err(cause("an object cannot be read"))?;
            read.bytes().await.map_err(cause("an object cannot be read"))?;
            let folder = self.key("");
            self.client.list_with_delimiter(Some(&folder)).await.map_err(cause("the bucket cannot be listed"))?;
            self.client.delete(&key).await.map_err(cause("an object cannot be deleted"))?;
            match second {
                Err(object_store::Error::AlreadyExists { .. }) => Ok(()),
                _ => Err("an object is overwritten though it may only be created (If-None-Match)".to_owned()),
            }
        };
        timeout(2 * TIMEOUT, probe).await.unwrap_or_else(|_| Err("it does not answer in time".to_owned()))
    }
}

/// The outcome of sending an object.
enum Sent {
    Stored,
    /// There was one already, which was left unchanged.
    Exists,
}

fn missing() -> Error {
    Error::NotFound("There is no such file.".into())
}

fn unavailable() -> Error {
    Error::Unavailable("Files cannot be stored at the moment. Nothing was stored. Please try again.".into())
}

fn too_slow(path: &str) -> Error {
    tracing::warn!(path, "the bucket did not answer in time");
    Error::Unavailable("Files cannot be reached at the moment. Please try again.".into())
}

fn write_error(error: &object_store::Error) -> Error {
    tracing::warn!(error = root_cause(error), "the bucket cannot be written");
    unavailable()
}

fn read_error(error: &object_store::Error) -> Error {
    if matches!(error, object_store::Error::NotFound { .. }) {
        return missing();
    }
    tracing::warn!(error = root_cause(error), "the bucket cannot be read");
    Error::Unavailable("Files cannot be read at the moment. Please try again.".into())
}

/// The message with those of its causes that it does not contain; of a certificate, what is wrong with it.
fn root_cause(error: &object_store::Error) -> String {
    certificate_problem(error).unwrap_or_else(|| with_causes(error))
}
