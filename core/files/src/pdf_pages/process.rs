//! The process that draws. It reads a PDF from its standard input and writes a picture to its standard output.
//!
//! Before it reads anything, it gives up opening files and connections, starting other processes, and using more than a
//! fixed amount of memory and computing time. A PDF that exceeds these ends the process; what the drawing library does
//! with a damaged one (a panic, a recursion without end) does so too.

use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::page::Page;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use webp::WebPConfig;

use super::{COMMAND, LIST, MAX_PAGES, PdfPages};

/// Memory of the process, in bytes, with the document and the picture.
const MAX_MEMORY: u64 = 224 << 20;
/// Computing time, in seconds.
const MAX_CPU_SECONDS: u64 = 5;
/// Maximum size of a document, in bytes: that of the files that the back office accepts.
const MAX_DOCUMENT: u64 = 64 << 20;
/// Largest picture, in pixels. An A4 page is 1200 wide: its small print can be read.
const MAX_WIDTH: f32 = 1200.0;
const MAX_HEIGHT: f32 = 2400.0;
/// Largest enlargement of a small page.
const MAX_SCALE: f32 = 4.0;
/// WebP quality: no halos around letters.
const QUALITY: f32 = 82.0;

/// Draws and returns the exit code, if the program's `arguments` ask for that. Must be called before the program has
/// threads or reads its settings.
pub fn run_if_requested(arguments: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut arguments = arguments.into_iter().skip(1);
    if arguments.next()? != COMMAND {
        return None;
    }
    let argument = arguments.next().and_then(|argument| argument.into_string().ok()).unwrap_or_default();
    let output = confine().and_then(|()| output_of(&argument));
    let is_written = output.and_then(|output| write(&output));
    Some(if is_written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Takes away every right of this process that drawing does not need.
///
/// # Errors
/// If the system refuses; then nothing must be read.
fn confine() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    // If memory gets short all the same, the kernel ends this process and not the server. Other systems have no such
    // file.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    for (resource, limit) in [
        (Resource::Data, MAX_MEMORY),
        (Resource::Cpu, MAX_CPU_SECONDS),
        (Resource::Core, 0),
        (Resource::Fsize, 0),
        // Neither files nor connections: each would need a descriptor.
        (Resource::Nofile, 0),
    ] {
        setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })?;
    }
    Ok(())
}

fn write(output: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(output)?;
    stdout.flush()
}

/// Reads the document and returns what `argument` asks for.
fn output_of(argument: &str) -> io::Result<Vec<u8>> {
    let mut document = Vec::new();
    io::stdin().take(MAX_DOCUMENT).read_to_end(&mut document)?;
    let pdf = Pdf::new(document).map_err(|_| io::ErrorKind::InvalidData)?;
    let pages = pdf.pages();
    if argument == LIST {
        let sizes = pages.iter().take(MAX_PAGES).map(|page| scaled(page).1).collect();
        return Ok(serde_json::to_vec(&PdfPages { count: pages.len(), sizes })?);
    }
    let number: usize = argument.parse().map_err(io::Error::other)?;
    let page = number.checked_sub(1).and_then(|index| pages.get(index)).ok_or(io::ErrorKind::NotFound)?;
    draw(page)
}

/// Returns the scale at which a page is drawn, and the size of its picture.
fn scaled(page: &Page<'_>) -> (f32, (u16, u16)) {
    let (width, height) = page.render_dimensions();
    let scale = (MAX_WIDTH / width).min(MAX_HEIGHT / height).min(MAX_SCALE);
    // Computed as in the library; `as` saturates at the bounds of the type.
    (scale, ((width * scale) as u16, (height * scale) as u16))
}

/// Returns the picture of a page, a WebP.
fn draw<'a>(page: &'a Page<'a>) -> io::Result<Vec<u8>> {
    let (scale, (width, height)) = scaled(page);
    if width == 0 || height == 0 {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let settings = PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE };
    let interpreter = InterpreterSettings::default();
    let picture = hayro::render(page, &RenderCache::new(), &interpreter, &RenderSettings::default(), &settings);
    let mut config = WebPConfig::new().map_err(|()| io::ErrorKind::Other)?;
    config.quality = QUALITY;
    let encoder = webp::Encoder::from_rgba(picture.data_as_u8_slice(), picture.width().into(), picture.height().into());
    let encoded = encoder.encode_advanced(&config).map_err(|_| io::ErrorKind::InvalidData)?;
    Ok(encoded.to_vec())
}
