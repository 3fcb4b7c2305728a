//! The statements that differ between the tables of submissions by name only.

use festival_core::entity::Entity;

use crate::description::{CONTACT_MESSAGE, DELEGATE, FILM_SUBMISSION};

/// The statements of one table of submissions.
pub(crate) struct Statements {
    /// The table.
    pub(crate) table: &'static str,
    /// The latest row with this fingerprint since a moment: id, reference, created_at, is_late.
    pub(crate) same: &'static str,
    /// How many rows of an edition are about the same thing.
    pub(crate) about: &'static str,
    /// What the answer says of a row: id, reference, created_at, is_late.
    pub(crate) receipt: &'static str,
    /// The rows that are about the same thing as this one: id, reference.
    pub(crate) alike: &'static str,
    /// Takes a row for a change until the transaction ends, and answers its status.
    pub(crate) take: &'static str,
    /// Gives a row a status.
    pub(crate) set_status: &'static str,
    /// The year that a row belongs to.
    pub(crate) year: &'static str,
    /// Takes a row out of quarantine.
    pub(crate) release: &'static str,
    /// Every address of a sender.
    pub(crate) senders: &'static str,
    /// The lines about a row, the newest first: id, kind, before_text, after_text, who, at.
    pub(crate) events: &'static str,
    /// Writes a line: id of the row, kind, before_text, after_text, account_id, who, at.
    pub(crate) insert_event: &'static str,
    /// Deletes the lines about a row.
    pub(crate) delete_events: &'static str,
    /// Those of its files, where it has some.
    pub(crate) files: Option<FileStatements>,
    /// Deletes a row. Its files must be gone, its lines go with it.
    pub(crate) delete: &'static str,
    /// Takes what the site itself keeps from a row whose payment stays: number of the payment, id.
    pub(crate) keep_payment: &'static str,
}

/// The statements of the files that belong to the rows of one table.
pub(crate) struct FileStatements {
    /// The files of the rows after one id and up to another: id of the row, field, key, mime, size, name, flags.
    pub(crate) list: &'static str,
    /// Writes a file: id of the row, field, key, name, mime, size, sha256, flags, created_at.
    pub(crate) insert: &'static str,
}

macro_rules! file_statements {
    ($owner:literal) => {
        FileStatements {
            list: concat!(
                "SELECT ",
                $owner,
                ", field, key, mime, size, name, flags FROM submission_files WHERE ",
                $owner,
                " > $1 AND ",
                $owner,
                " <= $2 ORDER BY ",
                $owner,
                ", id"
            ),
            insert: concat!(
                "INSERT INTO submission_files (",
                $owner,
                ", field, key, name, mime, size, sha256, flags, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
            ),
        }
    };
}

/// Of a table: the column of its senders' addresses, the column in which files and lines name its rows.
macro_rules! statements {
    ($table:literal, $sender:literal, $owner:literal, $files:expr) => {
        Statements {
            table: $table,
            same: concat!(
                "SELECT id, reference, created_at, is_late FROM ",
                $table,
                " WHERE fingerprint = $1 AND created_at >= $2 ORDER BY id DESC LIMIT 1"
            ),
            about: concat!(
                "SELECT count(*) FROM ",
                $table,
                " WHERE edition_id = $1 AND subject_hash = $2 AND is_quarantined = 0"
            ),
            receipt: concat!("SELECT id, reference, created_at, is_late FROM ", $table, " WHERE id = $1"),
            alike: concat!(
                "SELECT b.id, b.reference FROM ",
                $table,
                " a JOIN ",
                $table,
                " b ON b.edition_id = a.edition_id AND b.subject_hash = a.subject_hash AND b.id <> a.id \
                 WHERE a.id = $1 AND a.subject_hash <> '' AND b.is_quarantined = 0 ORDER BY b.id LIMIT 20"
            ),
            take: concat!("UPDATE ", $table, " SET updated_at = $1 WHERE id = $2 RETURNING status"),
            set_status: concat!("UPDATE ", $table, " SET status = $1 WHERE id = $2"),
            year: concat!("SELECT e.year FROM ", $table, " t JOIN editions e ON e.id = t.edition_id WHERE t.id = $1"),
            release: concat!("UPDATE ", $table, " SET is_quarantined = 0, status = 'new' WHERE id = $1"),
            senders: concat!("SELECT DISTINCT ", $sender, " FROM ", $table),
            events: concat!(
                "SELECT id, kind, before_text, after_text, who, at FROM submission_events WHERE ",
                $owner,
                " = $1 ORDER BY id DESC"
            ),
            insert_event: concat!(
                "INSERT INTO submission_events (",
                $owner,
                ", kind, before_text, after_text, account_id, who, at) VALUES ($1, $2, $3, $4, $5, $6, $7)"
            ),
            delete_events: concat!("DELETE FROM submission_events WHERE ", $owner, " = $1"),
            files: $files,
            delete: concat!("DELETE FROM ", $table, " WHERE id = $1"),
            keep_payment: concat!(
                "UPDATE ",
                $table,
                " SET status = 'erased', payment_transaction = $1, payment_reason = '', flagged = '', findings = '[]', \
                 over_long = '', is_possible_duplicate = 0, is_late = 0, consent_notice = NULL, consented_at = NULL, \
                 fingerprint = '', subject_hash = '' WHERE id = $2"
            ),
        }
    };
}

static ALL: [Statements; 3] = [
    statements!("delegates", "email", "delegate_id", Some(file_statements!("delegate_id"))),
    statements!(
        "film_submissions",
        "correspondence_email",
        "film_submission_id",
        Some(file_statements!("film_submission_id"))
    ),
    statements!("contact_messages", "email", "contact_message_id", None),
];

/// The folders of the private store that hold files of submissions.
pub(crate) fn folders() -> Vec<String> {
    [&DELEGATE, &FILM_SUBMISSION, &CONTACT_MESSAGE].map(Entity::slug).to_vec()
}

/// The statements of the table called `name`.
pub(crate) fn of_table(name: &str) -> Option<&'static Statements> {
    ALL.iter().find(|statements| statements.table == name)
}

/// The statements of an entity's table.
pub(crate) fn of(entity: &Entity) -> festival_core::Result<&'static Statements> {
    of_table(entity.table)
        .ok_or_else(|| festival_core::Error::internal(format!("{} is no table of submissions", entity.table)))
}
