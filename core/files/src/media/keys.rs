//! Keys of files, and their paths in the store.

/// The folders of the store.
pub(super) const PUBLIC: &str = "public";
pub(super) const PRIVATE: &str = "private";
pub(super) const TRASH: &str = "trash";

/// The path of a public file in the store.
pub(super) fn public_path(key: &str) -> String {
    format!("{PUBLIC}/{key}")
}

/// The path of a private file in the store.
pub(super) fn private_path(key: &str) -> String {
    format!("{PRIVATE}/{key}")
}

/// The rest of `path` below `folder`.
pub(super) fn key_below<'a>(folder: &str, path: &'a str) -> Option<&'a str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}

/// Whether `key` is a valid key: no hidden files, no way out of the store.
pub(super) fn is_valid_key(key: &str) -> bool {
    key.split('/').all(|part| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    })
}

/// The file in the store that contains the site's id.
pub(super) const SITE_ID: &str = "site-id";
