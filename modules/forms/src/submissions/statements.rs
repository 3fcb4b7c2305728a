//! SQL statements for the tables of submissions, which differ only in the names of tables and columns.

/// SQL of one table of submissions.
#[derive(Debug)]
pub(crate) struct Statements {
    /// Finds the newest row with a fingerprint, created at or after a time: id, reference, created_at, is_late.
    pub(crate) find_repeated: &'static str,
    /// Finds the data of a receipt for a row: id, reference, created_at, is_late.
    pub(crate) find_receipt: &'static str,
    /// Sets updated_at, which locks the row until the transaction ends.
    pub(crate) lock: &'static str,
    pub(crate) set_status: &'static str,
    /// Sets the payment, where rows have one: state, transaction number, amount, reason, the amount as it is read, its
    /// currency, id.
    pub(crate) set_payment: &'static str,
    /// Finds the year of the edition that a row belongs to.
    pub(crate) find_year: &'static str,
    /// Releases a row from quarantine.
    pub(crate) release: &'static str,
    /// Lists the e-mail addresses of all senders.
    pub(crate) list_senders: &'static str,
    /// Lists the events of a row, newest first: id, kind, before_text, after_text, who, at.
    pub(crate) list_events: &'static str,
    /// Lists the version of each row with decisions, from one id to another: id of the row, id of its last event that is
    /// not a note.
    pub(crate) list_versions: &'static str,
    /// The column in which files and events refer to a row.
    pub(crate) event_owner: &'static str,
    pub(crate) delete_events: &'static str,
    /// SQL of its files; `None` if its form has none.
    pub(crate) files: Option<FileStatements>,
    /// Deletes a row, whose files must have been deleted before.
    pub(crate) delete: &'static str,
    /// Clears the columns that are not fields of the form and keeps the payment: number of the payment, id.
    pub(crate) keep_payment: &'static str,
}

/// SQL of the files that belong to the rows of one table.
#[derive(Debug)]
pub(crate) struct FileStatements {
    /// Lists the rows of the edition that may be the same submission as a row, because they have its subject, proof of
    /// payment or poster: id, reference.
    pub(crate) list_possible_duplicates: &'static str,
    /// Marks a row as a possible duplicate.
    pub(crate) mark_possible_duplicate: &'static str,
    /// Lists the files of the rows after one id and up to another: id of the row, field, key, mime, size, name, flags.
    pub(crate) list: &'static str,
    /// Inserts a file: id of the row, field, key, name, mime, size, sha256, flags, created_at.
    pub(crate) insert: &'static str,
}

/// Takes the table, and the column in which files refer to it.
macro_rules! file_statements {
    ($table:literal, $owner:literal) => {
        FileStatements {
            list_possible_duplicates: concat!(
                "WITH same AS (SELECT s.id FROM ",
                $table,
                " a JOIN ",
                $table,
                " s ON s.edition_id = a.edition_id AND s.subject_hash = a.subject_hash WHERE a.id = $1 AND a.subject_hash <> '' \
                 UNION SELECT o.",
                $owner,
                " FROM submission_files f JOIN submission_files o ON o.sha256 = f.sha256 AND o.field = f.field WHERE f.",
                $owner,
                " = $1 AND f.field IN ('screenshot', 'film_poster')) SELECT b.id, b.reference FROM ",
                $table,
                " b JOIN same ON same.id = b.id WHERE b.id <> $1 AND b.is_quarantined = 0 AND b.edition_id = (\
                 SELECT edition_id FROM ",
                $table,
                " WHERE id = $1) ORDER BY b.id LIMIT 20"
            ),
            mark_possible_duplicate: concat!("UPDATE ", $table, " SET is_possible_duplicate = 1 WHERE id = $1"),
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

/// Takes the table, the column with the e-mail address of its senders, the column in which files and events refer to it,
/// SQL that clears further columns with keys of names, and the SQL of its files.
macro_rules! statements {
    ($table:literal, $sender:literal, $owner:literal, $clear_keys:literal, $files:expr) => {
        Statements {
            find_repeated: concat!(
                "SELECT id, reference, created_at, is_late FROM ",
                $table,
                " WHERE fingerprint = $1 AND created_at >= $2 ORDER BY id DESC LIMIT 1"
            ),
            find_receipt: concat!("SELECT id, reference, created_at, is_late FROM ", $table, " WHERE id = $1"),
            lock: concat!("UPDATE ", $table, " SET updated_at = $1 WHERE id = $2"),
            set_status: concat!("UPDATE ", $table, " SET status = $1 WHERE id = $2"),
            set_payment: concat!(
                "UPDATE ",
                $table,
                " SET payment = $1, payment_transaction = $2, payment_amount = $3, payment_reason = $4, payment_read = $5, \
                 payment_currency = $6 WHERE id = $7"
            ),
            find_year: concat!("SELECT e.year FROM ", $table, " t JOIN editions e ON e.id = t.edition_id WHERE t.id = $1"),
            release: concat!("UPDATE ", $table, " SET is_quarantined = 0, status = 'new' WHERE id = $1"),
            list_senders: concat!("SELECT DISTINCT ", $sender, " FROM ", $table),
            list_events: concat!(
                "SELECT id, kind, before_text, after_text, who, at FROM submission_events WHERE ",
                $owner,
                " = $1 ORDER BY id DESC"
            ),
            list_versions: concat!(
                "SELECT ",
                $owner,
                ", max(id) FROM submission_events WHERE ",
                $owner,
                " >= $1 AND ",
                $owner,
                " <= $2 AND kind <> 'note' GROUP BY ",
                $owner
            ),
            event_owner: $owner,
            delete_events: concat!("DELETE FROM submission_events WHERE ", $owner, " = $1"),
            files: $files,
            delete: concat!("DELETE FROM ", $table, " WHERE id = $1"),
            keep_payment: concat!(
                "UPDATE ",
                $table,
                " SET status = 'erased', payment_transaction = $1, payment_reason = '', flagged = '', findings = '[]', \
                 over_long = '', is_possible_duplicate = 0, is_late = 0, consent_notice = NULL, consented_at = NULL, \
                 fingerprint = '', subject_hash = '', search_keys = ''",
                $clear_keys,
                " WHERE id = $2"
            ),
        }
    };
}

pub(super) const FILM_SUBMISSIONS: Statements = statements!(
    "film_submissions",
    "correspondence_email",
    "film_submission_id",
    ", sender_search_keys = ''",
    Some(file_statements!("film_submissions", "film_submission_id"))
);
pub(super) const DELEGATES: Statements =
    statements!("delegates", "email", "delegate_id", "", Some(file_statements!("delegates", "delegate_id")));
pub(super) const MESSAGES: Statements = statements!("contact_messages", "email", "contact_message_id", "", None);
