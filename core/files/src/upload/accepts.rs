//! What a form may contain: its fields and their limits.

use smart_default::SmartDefault;

use crate::checks::AcceptedKinds;

/// Default maximum size of a file, in bytes: 5 MiB, inclusive.
pub const MAX_FILE_BYTES: u64 = 5 * 1024 * 1024;

/// Maximum size of a form with default limits, in bytes: 32 MiB of files and 1 MiB for texts and overhead.
pub(super) const MAX_FORM_BYTES: u64 = 32 * 1024 * 1024 + 1024 * 1024;
/// Default maximum length of a text field, in bytes.
const MAX_TEXT_BYTES: usize = 64 * 1024;
/// The fields and limits of a form.
#[derive(Clone, Debug, SmartDefault)]
pub struct Accepts {
    /// The names of its text fields.
    pub texts: Vec<String>,
    /// Maximum length of each text field, in bytes. Default: 64 KiB.
    #[default(MAX_TEXT_BYTES)]
    pub max_text_bytes: usize,
    /// Its file fields.
    pub files: Vec<AcceptedFile>,
    /// Ignore unknown fields and list them in [`Received::unknown`](super::Received::unknown): older clients may send
    /// fields that were removed. Otherwise they are errors (422). Default: off.
    pub ignore_unknown: bool,
    /// Return invalid fields in [`Received::errors`](super::Received::errors) together with the valid ones, so that the
    /// form can be shown again. Otherwise they are an error (422). Default: off.
    pub tolerate_errors: bool,
}

impl Accepts {
    /// The maximum size of the form, in bytes.
    pub(super) fn max_form_bytes(&self) -> u64 {
        let files: u64 = self.files.iter().map(|file| file.max_bytes).sum();
        MAX_FORM_BYTES.max(files + (1 << 20))
    }
}

/// A file field.
#[derive(Clone, Copy, Debug)]
pub struct AcceptedFile {
    /// The field's name in the form (`film_poster`).
    pub field: &'static str,
    /// The accepted kinds of files.
    pub kinds: AcceptedKinds,
    /// Maximum size in bytes, inclusive.
    pub max_bytes: u64,
}

impl AcceptedFile {
    /// Creates a field for files of at most [`MAX_FILE_BYTES`].
    pub const fn new(field: &'static str, kinds: AcceptedKinds) -> Self {
        Self { field, kinds, max_bytes: MAX_FILE_BYTES }
    }

    /// Creates a field for files of organisers: photos from a camera, up to 20 MiB, and others up to 64 MiB.
    pub const fn of_organisers(field: &'static str, kinds: AcceptedKinds) -> Self {
        let max_bytes = if matches!(kinds, AcceptedKinds::Picture) { 20 << 20 } else { 64 << 20 };
        Self { field, kinds, max_bytes }
    }

    /// Sets the maximum size in bytes.
    #[must_use]
    pub const fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }
}
