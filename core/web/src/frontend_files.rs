//! The built frontend.

use rust_embed::EmbeddedFile;

/// The built frontend, `dist/`: embedded in the program, or read from disk in a development build.
#[derive(Clone, Copy)]
pub struct FrontendFiles {
    /// A file by its path in `dist/`.
    pub get: fn(&str) -> Option<EmbeddedFile>,
    /// The paths of all files.
    pub names: fn() -> Vec<String>,
}
