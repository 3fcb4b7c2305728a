-- What was done in the back office. Rows are added, never changed, never removed.
CREATE TABLE admin_audit (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    -- Null: the command line, or a stranger who tried to sign in.
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
BEGIN
    SELECT RAISE(ABORT, 'the audit log is only added to');
END;

CREATE TRIGGER admin_audit_stays BEFORE DELETE ON admin_audit
BEGIN
    SELECT RAISE(ABORT, 'the audit log is only added to');
END;
