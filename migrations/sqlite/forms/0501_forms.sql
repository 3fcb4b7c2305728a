-- Submissions: registrations, films and messages, with their files, decisions and reference numbers.
-- The files themselves are in the private media store, under the keys of submission_files.
CREATE TABLE delegates (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id),
    reference TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    mobile TEXT NOT NULL,
    address TEXT NOT NULL,
    -- NULL if the input could not be read as a number.
    age BIGINT,
    occupation TEXT NOT NULL,
    category TEXT NOT NULL,
    transaction_details TEXT NOT NULL,
    -- Category and fee at the time of registration.
    category_key TEXT NOT NULL,
    fee_inr BIGINT NOT NULL,
    status TEXT NOT NULL,
    -- Payment of the registration: unchecked, verified or rejected, the reason, and the details on its proof.
    payment TEXT NOT NULL DEFAULT 'unchecked',
    payment_reason TEXT NOT NULL DEFAULT '',
    payment_transaction TEXT NOT NULL DEFAULT '',
    payment_amount TEXT NOT NULL DEFAULT '',
    -- That amount as a number, in paise or cents, and its currency; NULL and '' if it could not be read.
    payment_read BIGINT,
    payment_currency TEXT NOT NULL DEFAULT '',
    -- Code that the sender was to enter as the note of the payment; empty from older clients.
    payment_code TEXT NOT NULL DEFAULT '',
    -- The bank's transaction number (UTR), if the sender entered it in its own field.
    payment_utr TEXT NOT NULL DEFAULT '',
    -- Probably sent by a bot: quarantined, not discarded.
    is_quarantined BIGINT NOT NULL,
    -- Sent after the deadline.
    is_late BIGINT NOT NULL,
    -- May be the same as an earlier submission: it has its film, payment, proof of payment or poster.
    is_possible_duplicate BIGINT NOT NULL,
    -- Fields above their word limit, separated by spaces.
    over_long TEXT NOT NULL,
    -- Fields to check, separated by spaces; and as JSON: field, sent, read, reason.
    flagged TEXT NOT NULL DEFAULT '',
    findings TEXT NOT NULL DEFAULT '[]',
    -- Version of the notice on personal data that the sender agreed to, and when; NULL if the form did not ask.
    consent_notice TEXT,
    consented_at TEXT,
    -- Hashes: of every field and file (to detect repeats), and of its subject (a payment, a film).
    fingerprint TEXT NOT NULL,
    subject_hash TEXT NOT NULL,
    -- Keys of names and titles, by which searches find them in another script (core/records/src/search_key.rs).
    search_keys TEXT NOT NULL DEFAULT '',
    -- The short texts that all searches cover, one per line; and the same with contact details and payments.
    search_text TEXT NOT NULL GENERATED ALWAYS AS (
        reference || char(10) || name || char(10) || category || char(10) || occupation
    ) STORED,
    people_search_text TEXT NOT NULL GENERATED ALWAYS AS (
        reference || char(10) || name || char(10) || category || char(10) || occupation || char(10) || email
        || char(10) || mobile || char(10) || address || char(10) || transaction_details
        || char(10) || payment_transaction || char(10) || payment_utr || char(10) || payment_code
    ) STORED,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
CREATE INDEX delegates_by_subject ON delegates (edition_id, subject_hash);
CREATE INDEX delegates_by_fingerprint ON delegates (fingerprint, created_at);
CREATE INDEX delegates_by_email ON delegates (edition_id, email);
-- Lists filter by these columns and begin with the newest.
CREATE INDEX delegates_by_edition ON delegates (edition_id, is_quarantined, id);
CREATE INDEX delegates_by_status ON delegates (edition_id, is_quarantined, status, id);
-- Searches read this index instead of the rows. It includes the columns that lists filter by.
CREATE INDEX delegates_searched ON delegates (
    is_quarantined, edition_id, id, status, category_key, payment, search_text, people_search_text, search_keys
);

CREATE TABLE film_submissions (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id),
    reference TEXT NOT NULL UNIQUE,
    title_original TEXT NOT NULL,
    title_english TEXT NOT NULL,
    film_language TEXT NOT NULL,
    subtitles TEXT NOT NULL,
    film_type TEXT NOT NULL,
    is_first_or_second_feature TEXT NOT NULL,
    -- NULL if the input could not be read as a number.
    duration_minutes BIGINT,
    year_of_production BIGINT,
    country_of_origin TEXT NOT NULL,
    technical_features TEXT NOT NULL,
    origination_format TEXT NOT NULL,
    presentation_format TEXT NOT NULL,
    producer_name TEXT NOT NULL,
    producer_email TEXT NOT NULL,
    producer_mobile TEXT NOT NULL,
    director_name TEXT NOT NULL,
    director_email TEXT NOT NULL,
    director_mobile TEXT NOT NULL,
    biography TEXT NOT NULL,
    screener_link TEXT NOT NULL,
    screener_link_password TEXT NOT NULL,
    synopsis_long TEXT NOT NULL,
    synopsis_short TEXT NOT NULL,
    stills_link TEXT NOT NULL,
    cast_and_crew TEXT NOT NULL,
    name_of_submitter TEXT NOT NULL,
    correspondence_contact TEXT NOT NULL,
    correspondence_email TEXT NOT NULL,
    -- asian, indian, malayalam or unclassified; and its source: field, address, query, referer, answer, none.
    award_category TEXT NOT NULL,
    category_source TEXT NOT NULL,
    -- The chosen label, where two labels have the same value.
    declared_feature_label TEXT,
    -- Entry fee at the time of submission: rupees, or dollars for an Asian film.
    fee_inr BIGINT NOT NULL,
    fee_usd BIGINT NOT NULL,
    status TEXT NOT NULL,
    -- Payment of the entry fee: unchecked, verified or rejected, the reason, and the details on its proof.
    payment TEXT NOT NULL DEFAULT 'unchecked',
    payment_reason TEXT NOT NULL DEFAULT '',
    payment_transaction TEXT NOT NULL DEFAULT '',
    payment_amount TEXT NOT NULL DEFAULT '',
    -- That amount as a number, in paise or cents, and its currency; NULL and '' if it could not be read.
    payment_read BIGINT,
    payment_currency TEXT NOT NULL DEFAULT '',
    -- Code that the sender was to enter as the note of the payment; empty from older clients.
    payment_code TEXT NOT NULL DEFAULT '',
    -- The bank's transaction number (UTR), if the sender entered it in its own field.
    payment_utr TEXT NOT NULL DEFAULT '',
    -- Probably sent by a bot: quarantined, not discarded.
    is_quarantined BIGINT NOT NULL,
    -- Sent after the deadline.
    is_late BIGINT NOT NULL,
    -- May be the same as an earlier submission: it has its film, payment, proof of payment or poster.
    is_possible_duplicate BIGINT NOT NULL,
    -- Fields above their word limit, separated by spaces.
    over_long TEXT NOT NULL,
    -- Fields to check, separated by spaces; and as JSON: field, sent, read, reason.
    flagged TEXT NOT NULL DEFAULT '',
    findings TEXT NOT NULL DEFAULT '[]',
    -- Version of the notice on personal data that the sender agreed to, and when; NULL if the form did not ask.
    consent_notice TEXT,
    consented_at TEXT,
    -- Hashes: of every field and file (to detect repeats), and of its subject (a payment, a film).
    fingerprint TEXT NOT NULL,
    subject_hash TEXT NOT NULL,
    -- Keys of names and titles, by which searches find them in another script (core/records/src/search_key.rs).
    search_keys TEXT NOT NULL DEFAULT '',
    -- The same for the sender's name.
    sender_search_keys TEXT NOT NULL DEFAULT '',
    -- The short texts that all searches cover, one per line; and the same with contact details and payments.
    search_text TEXT NOT NULL GENERATED ALWAYS AS (
        reference || char(10) || title_english || char(10) || title_original || char(10) || director_name
        || char(10) || producer_name || char(10) || film_language || char(10) || country_of_origin
    ) STORED,
    people_search_text TEXT NOT NULL GENERATED ALWAYS AS (
        reference || char(10) || title_english || char(10) || title_original || char(10) || director_name
        || char(10) || producer_name || char(10) || film_language || char(10) || country_of_origin
        || char(10) || name_of_submitter || char(10) || correspondence_email || char(10) || correspondence_contact
        || char(10) || director_email || char(10) || director_mobile || char(10) || producer_email
        || char(10) || producer_mobile || char(10) || payment_transaction || char(10) || payment_utr
        || char(10) || payment_code
    ) STORED,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
CREATE INDEX film_submissions_by_subject ON film_submissions (edition_id, subject_hash);
CREATE INDEX film_submissions_by_fingerprint ON film_submissions (fingerprint, created_at);
-- Lists filter by these columns and begin with the newest.
CREATE INDEX film_submissions_by_edition ON film_submissions (edition_id, is_quarantined, award_category, id);
CREATE INDEX film_submissions_newest ON film_submissions (edition_id, is_quarantined, id);
CREATE INDEX film_submissions_by_status ON film_submissions (edition_id, is_quarantined, status, id);
-- Searches read this index instead of the rows. It includes the columns that lists filter by.
CREATE INDEX film_submissions_searched ON film_submissions (
    is_quarantined, edition_id, id, status, award_category, payment, search_text, people_search_text, search_keys,
    sender_search_keys
);

CREATE TABLE contact_messages (
    id INTEGER PRIMARY KEY,
    edition_id BIGINT NOT NULL REFERENCES editions (id),
    reference TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    contact TEXT NOT NULL,
    message TEXT NOT NULL,
    status TEXT NOT NULL,
    -- Probably sent by a bot: quarantined, not discarded.
    is_quarantined BIGINT NOT NULL,
    -- Sent after the deadline.
    is_late BIGINT NOT NULL,
    -- May be the same as an earlier submission: it has its film, payment, proof of payment or poster.
    is_possible_duplicate BIGINT NOT NULL,
    -- Fields above their word limit, separated by spaces.
    over_long TEXT NOT NULL,
    -- Fields to check, separated by spaces; and as JSON: field, sent, read, reason.
    flagged TEXT NOT NULL DEFAULT '',
    findings TEXT NOT NULL DEFAULT '[]',
    -- Version of the notice on personal data that the sender agreed to, and when; NULL if the form did not ask.
    consent_notice TEXT,
    consented_at TEXT,
    -- Hashes: of every field and file (to detect repeats), and of its subject (a payment, a film).
    fingerprint TEXT NOT NULL,
    subject_hash TEXT NOT NULL,
    -- Keys of names and titles, by which searches find them in another script (core/records/src/search_key.rs).
    search_keys TEXT NOT NULL DEFAULT '',
    -- The short texts that all searches cover, one per line; and the same with contact details and payments.
    search_text TEXT NOT NULL GENERATED ALWAYS AS (
        reference || char(10) || name
    ) STORED,
    people_search_text TEXT NOT NULL GENERATED ALWAYS AS (
        reference || char(10) || name || char(10) || email || char(10) || contact
    ) STORED,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
CREATE INDEX contact_messages_by_fingerprint ON contact_messages (fingerprint, created_at);
-- Lists filter by these columns and begin with the newest.
CREATE INDEX contact_messages_by_edition ON contact_messages (edition_id, is_quarantined, id);
CREATE INDEX contact_messages_by_status ON contact_messages (edition_id, is_quarantined, status, id);
-- Searches read this index instead of the rows. It includes the columns that lists filter by.
CREATE INDEX contact_messages_searched ON contact_messages (
    is_quarantined, edition_id, id, status, search_text, people_search_text, search_keys
);

-- One row for each file of a submission. These rows, and the files that they name, are deleted before the submission.
CREATE TABLE submission_files (
    id INTEGER PRIMARY KEY,
    -- The submission (exactly one of the two), and the field that the file was sent in.
    film_submission_id BIGINT REFERENCES film_submissions (id),
    delegate_id BIGINT REFERENCES delegates (id),
    field TEXT NOT NULL,
    -- Key in the private media store.
    key TEXT NOT NULL UNIQUE,
    -- File name on the sender's device, sanitised: for display only.
    name TEXT NOT NULL,
    mime TEXT NOT NULL,
    size BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    -- Warnings for those who open the file, separated by spaces.
    flags TEXT NOT NULL,
    created_at TEXT NOT NULL,
    UNIQUE (film_submission_id, field),
    UNIQUE (delegate_id, field),
    CHECK ((film_submission_id IS NULL) <> (delegate_id IS NULL))
);

-- Files uploaded before the form that they belong to. Each is stored under a ticket that only its sender knows; the
-- submission with the ticket takes the file over, and files that are not claimed in time are deleted.
CREATE TABLE staged_files (
    -- The hash of the ticket.
    ticket_hash TEXT PRIMARY KEY,
    -- Table of the submissions that may claim the file, and the field that it was uploaded for.
    submission_table TEXT NOT NULL,
    field TEXT NOT NULL,
    -- Key in the private media store.
    key TEXT NOT NULL UNIQUE,
    -- File name on the sender's device, sanitised: for display only.
    name TEXT NOT NULL,
    mime TEXT NOT NULL,
    size BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    -- Hash of the upload, before it was cleaned.
    sent_sha256 TEXT NOT NULL,
    -- Warnings for those who open the file, separated by spaces.
    flags TEXT NOT NULL,
    -- When the upload began, and when the file was stored.
    began_at TEXT NOT NULL,
    created_at TEXT NOT NULL
);
CREATE INDEX staged_files_by_age ON staged_files (created_at);

-- Decisions and notes about submissions.
CREATE TABLE submission_events (
    id INTEGER PRIMARY KEY,
    -- The submission (exactly one of the three).
    film_submission_id BIGINT REFERENCES film_submissions (id) ON DELETE CASCADE,
    delegate_id BIGINT REFERENCES delegates (id) ON DELETE CASCADE,
    contact_message_id BIGINT REFERENCES contact_messages (id) ON DELETE CASCADE,
    -- status, award, payment, mail, quarantine or note.
    kind TEXT NOT NULL,
    -- Texts for display; a note has only the second.
    before_text TEXT NOT NULL,
    after_text TEXT NOT NULL,
    -- The name is stored as it was at that time.
    account_id BIGINT,
    who TEXT NOT NULL,
    at TEXT NOT NULL,
    CHECK ((film_submission_id IS NOT NULL) + (delegate_id IS NOT NULL) + (contact_message_id IS NOT NULL) = 1)
);
CREATE INDEX submission_events_by_film ON submission_events (film_submission_id, id);
CREATE INDEX submission_events_by_delegate ON submission_events (delegate_id, id);
CREATE INDEX submission_events_by_message ON submission_events (contact_message_id, id);

-- Responses to requests with an Idempotency-Key: a repeated request gets the same response.
CREATE TABLE submission_keys (
    key_hash TEXT PRIMARY KEY,
    payload_hash TEXT NOT NULL,
    submission_table TEXT NOT NULL,
    submission_id BIGINT NOT NULL,
    created_at TEXT NOT NULL
);
CREATE INDEX submission_keys_by_age ON submission_keys (created_at);

-- When the sending of a form with a deadline began, by the hash of the Idempotency-Key.
CREATE TABLE submission_starts (
    key_hash TEXT PRIMARY KEY,
    began_at TEXT NOT NULL
);
CREATE INDEX submission_starts_by_age ON submission_starts (began_at);

-- Last reference number that was assigned, by its prefix. The row is locked while a number is assigned.
CREATE TABLE submission_counters (
    prefix TEXT NOT NULL,
    edition_id BIGINT NOT NULL REFERENCES editions (id),
    last_number BIGINT NOT NULL,
    PRIMARY KEY (prefix, edition_id)
);

-- Challenges whose solution was accepted, until they expire: each is valid for one form.
CREATE TABLE spent_challenges (
    -- The SHA-256 that the solution has to produce.
    hash TEXT PRIMARY KEY,
    expires_at TEXT NOT NULL
);
CREATE INDEX spent_challenges_by_age ON spent_challenges (expires_at);

-- Notices on personal data that people agreed to, as displayed. Submissions refer to them by version.
CREATE TABLE consent_notices (
    version TEXT PRIMARY KEY,
    -- Title and items, one paragraph each.
    text TEXT NOT NULL,
    created_at TEXT NOT NULL
);
