//! Pages of PDFs as pictures.
//!
//! A PDF that a stranger sent is drawn by another process: the same program, started with [`COMMAND`], which gets the
//! file as its standard input and can open nothing else ([`process`]). Whatever the file does to it, that process ends.

mod process;

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;
use tokio::sync::Semaphore;

pub use process::run_if_requested;

use crate::media::OpenFile;
use festival_base::blocking;
use festival_base::error::{Error, Result};

/// First argument of the program that makes it draw.
const COMMAND: &str = "draw-pdf";
/// Second argument for a list of the pages; otherwise it is the number of a page.
const LIST: &str = "list";
/// Maximum number of pages of a document that are shown.
pub const MAX_PAGES: usize = 50;
/// Maximum output of the process, in bytes. A page of noise needs less.
const MAX_OUTPUT: u64 = 8 << 20;
/// Time for a page. A request has a little longer; the limit of computing time normally comes first.
const MAX_DURATION: Duration = Duration::from_secs(8);

/// The pages of a document.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct PdfPages {
    /// Number of pages.
    pub count: usize,
    /// Width and height in pixels of the pictures of the first [`MAX_PAGES`].
    pub sizes: Vec<(u16, u16)>,
}

/// Draws pages of PDFs, one after the other.
#[derive(SmartDefault)]
pub struct PdfRenderer {
    program: OnceLock<PathBuf>,
    /// One at a time: it may take as much memory as half of the server.
    #[default(Semaphore::new(1))]
    turn: Semaphore,
}

impl PdfRenderer {
    /// Makes `program` draw instead of this one. Must be called before the first page is drawn.
    pub fn use_program(&self, program: &Path) {
        let _ = self.program.set(program.to_owned());
    }

    /// Returns the pages of the document; `None` if it cannot be read within the limits.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the store does not answer; if no process can be started.
    pub async fn list(&self, file: OpenFile) -> Result<Option<PdfPages>> {
        let output = self.run(file, LIST).await?;
        Ok(output.and_then(|output| serde_json::from_slice(&output).ok()))
    }

    /// Returns page `number` of the document, counted from 1, as a WebP; `None` if it cannot be drawn within the
    /// limits.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the store does not answer; if no process can be started.
    pub async fn draw(&self, file: OpenFile, number: usize) -> Result<Option<Vec<u8>>> {
        if !(1..=MAX_PAGES).contains(&number) {
            return Ok(None);
        }
        self.run(file, &number.to_string()).await
    }

    /// Returns whether no page is being drawn.
    pub fn is_idle(&self) -> bool {
        self.turn.available_permits() > 0
    }

    /// Returns the output of the process; `None` if it failed. If the returned future is dropped, the process is
    /// killed.
    async fn run(&self, file: OpenFile, argument: &str) -> Result<Option<Vec<u8>>> {
        let work = async {
            let _turn = self.turn.acquire().await.map_err(Error::internal)?;
            // This is the program that runs, even where an upgrade has replaced its file.
            let program = self.program.get().map_or(Path::new("/proc/self/exe"), PathBuf::as_path);
            let process = Command::new(program)
                .args([COMMAND, argument])
                // It needs none of our secrets; and its allocator must not reserve more memory than it uses.
                .env_clear()
                .env("MIMALLOC_ARENA_RESERVE", "0")
                .stdin(file.local().await?)
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn();
            let mut process = Process(process?);
            let stdout = process.0.stdout.take().ok_or_else(|| Error::internal("a process without output"))?;
            let output = blocking(move || {
                let mut output = Vec::new();
                stdout.take(MAX_OUTPUT + 1).read_to_end(&mut output)?;
                Ok(output)
            });
            let output = output.await?;
            Ok::<_, Error>((output.len() as u64 <= MAX_OUTPUT && process.0.wait()?.success()).then_some(output))
        };
        // Dropping the work at the timeout kills the process.
        tokio::time::timeout(MAX_DURATION, work).await.unwrap_or(Ok(None))
    }
}

/// A process that draws, killed when this is dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already; waiting lets the system forget it.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
