//! `festival films export --format catalogue` and `--format press-kit`.

use std::io::{BufWriter, Seek, Write};
use std::path::Path;

use festival_core::command::Outcome;
use festival_core::export::{PendingFile, Progress, counted};
use festival_core::site::Site;
use festival_core::{Result, edition};

use super::html::Paper;
use super::selection::Selection;
use super::{html, press_kit};

/// Publications made from the films, besides lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Publication {
    /// A page to print, on this paper.
    Catalogue(Paper),
    /// An archive of pictures and texts.
    PressKit,
}

/// The names of the formats on the command line.
pub(crate) const FORMAT_NAMES: [&str; 2] = ["catalogue", "press-kit"];

impl Publication {
    /// The publication with this name, on this paper.
    pub(crate) fn of_name(format: &str, paper: &str) -> Option<Self> {
        let paper = if paper == "a4" { Paper::A4 } else { Paper::A5 };
        match format {
            "catalogue" => Some(Self::Catalogue(paper)),
            "press-kit" => Some(Self::PressKit),
            _ => None,
        }
    }

    /// Extension of its file name.
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Self::Catalogue(_) => "html",
            Self::PressKit => "zip",
        }
    }

    /// Writes the publication and returns `out`.
    pub(crate) async fn write<W: Write + Seek + Send>(
        self,
        site: &Site,
        selection: &Selection,
        out: W,
        step: impl Fn() + Send,
    ) -> Result<W> {
        let mut out = BufWriter::new(out);
        match self {
            Self::Catalogue(paper) => html::write(site, selection, paper, &mut out, step).await?,
            Self::PressKit => out = press_kit::write(site, selection, out, step).await?,
        }
        out.into_inner().map_err(|error| error.into_error().into())
    }
}

/// Writes the films of an edition to `file`.
///
/// # Errors
/// If there is no such edition, if the films cannot be read, or the file exists and `force` is not set.
pub(crate) async fn write_to_file(
    site: &Site,
    publication: Publication,
    (file, force): (&Path, bool),
    (year, drafts): (Option<i64>, bool),
) -> Result<Outcome> {
    let mut connection = site.db.read().await?;
    let edition = edition::chosen(&mut connection, year).await?;
    let selection = Selection::load(&mut connection, edition, drafts).await?;
    drop(connection);
    let target = PendingFile::create(file, force)?;
    let count = selection.count() as u64;
    let progress = Progress::new(count, "films");
    publication.write(site, &selection, target, || progress.step()).await?.commit()?;
    drop(progress);
    eprintln!("{} written to {}.", counted(count, ["film", "films"]), file.display());
    Ok(Outcome::Done)
}
