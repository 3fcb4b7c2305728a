-- One change of the audit log is allowed: what an entry says of an erased person gives way to a hash. Who did what, and
-- when, stays.
DROP TRIGGER admin_audit_stays_as_it_is;
CREATE TRIGGER admin_audit_stays_as_it_is BEFORE UPDATE ON admin_audit
WHEN NOT (NEW.id IS OLD.id AND NEW.at IS OLD.at AND NEW.account_id IS OLD.account_id AND NEW.network IS OLD.network
    AND NEW.action IS OLD.action AND NEW.object IS OLD.object AND NEW.object_id IS OLD.object_id
    AND NEW.before_json IS NULL AND coalesce(NEW.after_json, '') LIKE '{"erased":"%"}' AND length(NEW.after_json) < 100)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is only added to');
END;
