//! Stored submissions: their kinds, statuses and SQL, and reading them with their files.

mod kind;
mod reader;
mod submission;

pub(crate) use festival_core::admin::collections::{State, tone_of};
pub(crate) use kind::{
    CONFIRMED, KEPT_IN_QUARANTINE, KINDS, PAYMENTS, PEOPLE_SEARCH_TEXT, SEARCH_TEXT, SubmissionKind, UNCLASSIFIED,
    WAIVED, contact, delegate, file_folders, film, label_of,
};
pub(crate) use reader::{BATCH_SIZE, SubmissionReader, edition_of, possible_duplicates};
pub(crate) use submission::{SCREENER_PASSWORDS, SentFile, Submission, damage_remark, encrypt, has_flag};
