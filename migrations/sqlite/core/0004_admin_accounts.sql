-- Who may enter the back office.
CREATE TABLE admin_accounts (
    id INTEGER PRIMARY KEY,
    -- In small letters; people sign in with it.
    email TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    -- Null until an invitation is accepted.
    password_hash TEXT,
    is_disabled BIGINT NOT NULL DEFAULT 0,
    -- Base32; null: no second factor.
    totp_secret TEXT,
    -- The time step whose code was used last: a code works once.
    totp_step BIGINT NOT NULL DEFAULT 0,
    signed_in_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

-- Who is in. The browser has the token, the table its hash.
CREATE TABLE admin_sessions (
    id INTEGER PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    account_id BIGINT NOT NULL REFERENCES admin_accounts (id),
    -- 0: the password was right, the second factor is still to come.
    is_complete BIGINT NOT NULL,
    network TEXT NOT NULL,
    browser TEXT NOT NULL,
    created_at TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    -- When the password was typed last.
    confirmed_at TEXT NOT NULL
);
CREATE INDEX admin_sessions_account ON admin_sessions (account_id);

-- For the day when the telephone is gone: each works once.
CREATE TABLE admin_recovery_codes (
    id INTEGER PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES admin_accounts (id),
    code_hash TEXT NOT NULL,
    used_at TEXT
);
CREATE INDEX admin_recovery_codes_account ON admin_recovery_codes (account_id);

-- Links with which a person sets the first password, or a new one after a reset. Gone when used.
CREATE TABLE admin_invitations (
    id INTEGER PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    account_id BIGINT NOT NULL REFERENCES admin_accounts (id),
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
);
CREATE INDEX admin_invitations_account ON admin_invitations (account_id);

-- Sign-ins that failed in the last quarter of an hour, by the hash of what was typed as the address.
CREATE TABLE admin_failures (
    id INTEGER PRIMARY KEY,
    address_hash TEXT NOT NULL,
    network TEXT NOT NULL,
    failed_at TEXT NOT NULL
);
CREATE INDEX admin_failures_address ON admin_failures (address_hash, failed_at);
CREATE INDEX admin_failures_network ON admin_failures (network, failed_at);
