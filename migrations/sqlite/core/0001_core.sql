-- Editions of the festival.
CREATE TABLE editions (
    id INTEGER PRIMARY KEY,
    year BIGINT NOT NULL UNIQUE,
    ordinal BIGINT NOT NULL,
    name TEXT NOT NULL,
    starts_on TEXT NOT NULL,
    ends_on TEXT NOT NULL,
    submission_deadline TEXT,
    countdown_at TEXT,
    -- Label of the countdown, such as "until submissions close"; if empty, "Countdown to the festival".
    countdown_label TEXT,
    logo TEXT,
    is_current BIGINT NOT NULL DEFAULT 0,
    -- 1 if the edition was ever current or archived: once it is over, the site shows it at /archive/{year}.
    is_public BIGINT NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

-- One row for each seeded row, so that seeding again duplicates nothing, restores nothing that was deleted, and
-- overwrites nothing that an organiser changed.
CREATE TABLE seeds (
    entity TEXT NOT NULL,
    edition_id BIGINT NOT NULL,
    key TEXT NOT NULL,
    row_id BIGINT NOT NULL,
    source_hash TEXT NOT NULL,
    stored_hash TEXT NOT NULL,
    PRIMARY KEY (entity, edition_id, key)
);

-- Documents to read and download: rules, schedules, programmes of earlier years.
CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id) ON DELETE CASCADE,
    slug TEXT NOT NULL,
    title TEXT NOT NULL,
    -- Paths of the pages that show it, separated by spaces.
    pages TEXT,
    file TEXT,
    href TEXT,
    position BIGINT NOT NULL DEFAULT 0,
    is_published BIGINT NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (edition_id, slug)
);

-- Changes to rows, each with the content of the row afterwards (for a deletion: before it).
CREATE TABLE revisions (
    id INTEGER PRIMARY KEY,
    entity TEXT NOT NULL,
    row_id BIGINT NOT NULL,
    edition_id BIGINT,
    action TEXT NOT NULL,
    -- Title of the row at that time.
    title TEXT NOT NULL,
    -- A JSON object: column to text, number or null.
    record TEXT NOT NULL,
    account_id BIGINT,
    editor TEXT NOT NULL,
    at TEXT NOT NULL,
    -- The import that made the change.
    import_id BIGINT
);
CREATE INDEX revisions_of_row ON revisions (entity, row_id, id);
CREATE INDEX revisions_by_time ON revisions (at, id);
CREATE INDEX revisions_of_import ON revisions (import_id, id) WHERE import_id IS NOT NULL;

-- Imported lists. Their changes to rows are in revisions.
CREATE TABLE imports (
    id INTEGER PRIMARY KEY,
    entity TEXT NOT NULL,
    edition_id BIGINT,
    -- The name of the file.
    source TEXT NOT NULL,
    account_id BIGINT,
    editor TEXT NOT NULL,
    at TEXT NOT NULL,
    created BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    undone_by TEXT,
    undone_at TEXT
);

-- Publication times of rows before an import changed them, to undo it. NULL: the row was not scheduled.
CREATE TABLE import_schedules (
    import_id BIGINT NOT NULL,
    entity TEXT NOT NULL,
    row_id BIGINT NOT NULL,
    publish_at TEXT,
    PRIMARY KEY (import_id, entity, row_id)
);

-- Saved mappings: which field each column of a list fills.
CREATE TABLE import_mappings (
    id INTEGER PRIMARY KEY,
    entity TEXT NOT NULL,
    name TEXT NOT NULL,
    -- Header and field of each column, as JSON: [["Work", "name"]].
    columns TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (entity, name)
);

-- Rows with a scheduled publication.
CREATE TABLE publications (
    entity TEXT NOT NULL,
    row_id BIGINT NOT NULL,
    publish_at TEXT NOT NULL,
    account_id BIGINT,
    editor TEXT NOT NULL,
    PRIMARY KEY (entity, row_id)
);
CREATE INDEX publications_due ON publications (publish_at);

-- Pictures for formatted texts, with the alternative text that is suggested when one is inserted.
CREATE TABLE pictures (
    id INTEGER PRIMARY KEY,
    -- The key in the public media store.
    image TEXT NOT NULL,
    image_alt TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (image)
);

-- Settings changed in the browser. They override those of the settings file; a setting equal to the file has no row.
CREATE TABLE settings (
    -- Path in the settings file: "fees.film_submission_inr".
    path TEXT PRIMARY KEY,
    -- JSON.
    value TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

-- Id of the site that the database belongs to; the media folder has the same (site-id). One row.
CREATE TABLE site_identity (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    site_id TEXT NOT NULL
);

-- Counts changes to what visitors see: cached responses carry the version that they were computed from. After changing
-- such data by hand or in a migration, increment it: UPDATE data_version SET version = version + 1.
CREATE TABLE data_version (version BIGINT NOT NULL);
INSERT INTO data_version (version) VALUES (1);

-- Times of the backups.
CREATE TABLE backups (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL
);

-- Outgoing mails, sent and unsent.
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    to_name TEXT NOT NULL,
    to_address TEXT NOT NULL,
    reply_to_name TEXT,
    reply_to_address TEXT,
    subject TEXT NOT NULL,
    body_text TEXT NOT NULL,
    -- The same at every attempt, so that a mail that arrives twice is recognised.
    message_id TEXT UNIQUE,
    created_at TEXT NOT NULL,
    -- No attempt before this time: the pause after a failure, or the lease of the process that is sending the mail.
    not_before TEXT NOT NULL,
    -- Id of the attempt in progress; null if there is none.
    claim TEXT,
    attempts BIGINT NOT NULL DEFAULT 0,
    last_error TEXT,
    -- 1: the last attempt was rejected permanently; retrying alone does not help.
    is_refused BIGINT NOT NULL DEFAULT 0,
    -- 1: an organiser holds the mail back; it is not sent until it is released.
    is_held BIGINT NOT NULL DEFAULT 0,
    sent_at TEXT
);
CREATE INDEX outbox_due ON outbox (not_before, id) WHERE sent_at IS NULL;

-- Accounts of the back office.
CREATE TABLE admin_accounts (
    id INTEGER PRIMARY KEY,
    -- In lower case; used to sign in.
    email TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    -- The submissions that the account is limited to: "edition=2025,2026 section=asian". Empty: all.
    scope TEXT NOT NULL DEFAULT '',
    -- Null until an invitation is accepted.
    password_hash TEXT,
    is_disabled BIGINT NOT NULL DEFAULT 0,
    -- Base32; null: no second factor.
    totp_secret TEXT,
    -- Time step of the last code that was used: each code works once.
    totp_step BIGINT NOT NULL DEFAULT 0,
    signed_in_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

-- Sessions. The browser has the token, the table its hash.
CREATE TABLE admin_sessions (
    id INTEGER PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    account_id BIGINT NOT NULL REFERENCES admin_accounts (id),
    -- 0: the password was correct, the second factor is pending.
    is_complete BIGINT NOT NULL,
    network TEXT NOT NULL,
    browser TEXT NOT NULL,
    created_at TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    -- When the password was last entered.
    confirmed_at TEXT NOT NULL
);
CREATE INDEX admin_sessions_account ON admin_sessions (account_id);

-- Recovery codes, for when the phone is lost: each works once.
CREATE TABLE admin_recovery_codes (
    id INTEGER PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES admin_accounts (id),
    code_hash TEXT NOT NULL,
    used_at TEXT
);
CREATE INDEX admin_recovery_codes_account ON admin_recovery_codes (account_id);

-- Links to set the first password, or a new one after a reset. Deleted when used.
CREATE TABLE admin_invitations (
    id INTEGER PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    account_id BIGINT NOT NULL REFERENCES admin_accounts (id),
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
);
CREATE INDEX admin_invitations_account ON admin_invitations (account_id);

-- Keys by which searches find words in another script than that of the query: those of the words in a row's short texts, each
-- after a space (core/records/src/search_key.rs). Texts in plain Latin letters have rows of their own.
CREATE TABLE search_keys (
    entity TEXT NOT NULL,
    is_latin BIGINT NOT NULL,
    row_id BIGINT NOT NULL,
    keys TEXT NOT NULL,
    PRIMARY KEY (entity, is_latin, row_id)
);

-- Saved filters of lists, and the columns that each account chose.
CREATE TABLE admin_list_views (
    id INTEGER PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES admin_accounts (id) ON DELETE CASCADE,
    -- The path of the list: "/admin/films".
    list TEXT NOT NULL,
    -- Name of a saved filter. Empty: the row holds the columns.
    name TEXT NOT NULL,
    -- Query of the filter, or names of the columns, separated by spaces.
    content TEXT NOT NULL,
    -- Whether all accounts see the filter.
    is_shared BIGINT NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    UNIQUE (list, account_id, name)
);

-- Failed sign-ins of the last 15 minutes, by the hash of the address that was entered.
CREATE TABLE admin_failures (
    id INTEGER PRIMARY KEY,
    address_hash TEXT NOT NULL,
    network TEXT NOT NULL,
    failed_at TEXT NOT NULL
);
CREATE INDEX admin_failures_address ON admin_failures (address_hash, failed_at);
CREATE INDEX admin_failures_network ON admin_failures (network, failed_at);

-- Audit log of the back office. Rows are added and never deleted. One change is allowed: what an entry says of an
-- erased person is replaced by a hash. Who did what, and when, stays.
CREATE TABLE admin_audit (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    -- Null: the command line, or somebody unknown who tried to sign in.
    account_id BIGINT REFERENCES admin_accounts (id),
    network TEXT NOT NULL,
    action TEXT NOT NULL,
    object TEXT NOT NULL,
    object_id BIGINT,
    before_json TEXT,
    after_json TEXT
);
CREATE INDEX admin_audit_account ON admin_audit (account_id, action, network, at);
CREATE INDEX admin_audit_object ON admin_audit (object, object_id);
CREATE INDEX admin_audit_at ON admin_audit (at);

CREATE TRIGGER admin_audit_stays_as_it_is BEFORE UPDATE ON admin_audit
WHEN NOT (NEW.id IS OLD.id AND NEW.at IS OLD.at AND NEW.account_id IS OLD.account_id AND NEW.network IS OLD.network
    AND NEW.action IS OLD.action AND NEW.object IS OLD.object AND NEW.object_id IS OLD.object_id
    AND NEW.before_json IS NULL AND coalesce(NEW.after_json, '') LIKE '{"erased":"%"}' AND length(NEW.after_json) < 100)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is only added to');
END;

CREATE TRIGGER admin_audit_stays BEFORE DELETE ON admin_audit
BEGIN
    SELECT RAISE(ABORT, 'the audit log is only added to');
END;
