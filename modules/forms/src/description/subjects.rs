//! The people whom submissions are about.

use festival_core::entity::Subject;

/// The sender, whose submission is exported and erased as a whole.
pub(crate) const SENDER: &Subject = &Subject { rows: "submissions" };
