//! Stored submissions: their kinds, statuses and SQL, and reading them with their files.

mod kind;
mod reader;
mod screener_password;
mod state;
mod submission;

pub(crate) use festival_core::admin::collections::{State, tone_of};
pub(crate) use kind::{
    KINDS, PEOPLE_SEARCH_TEXT, SEARCH_TEXT, SubmissionKind, UNCLASSIFIED, contact, delegate, file_folders, film,
};
pub(crate) use reader::{SubmissionReader, edition_of};
pub(crate) use screener_password::{SCREENER_PASSWORDS, encrypt};
pub(crate) use state::{CONFIRMED, KEPT_IN_QUARANTINE, PAYMENTS, label_of};
pub(crate) use submission::{SentFile, Submission, damage_remark, has_flag};
