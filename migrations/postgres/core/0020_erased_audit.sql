-- One change of the audit log is allowed: what an entry says of an erased person gives way to a hash. Who did what, and
-- when, stays.
DROP TRIGGER admin_audit_stays ON admin_audit;

CREATE TRIGGER admin_audit_stays BEFORE DELETE OR TRUNCATE ON admin_audit
FOR EACH STATEMENT EXECUTE FUNCTION admin_audit_stays();

CREATE TRIGGER admin_audit_stays_as_it_is BEFORE UPDATE ON admin_audit FOR EACH ROW
WHEN (NOT (NEW.id = OLD.id AND NEW.at = OLD.at AND NEW.account_id IS NOT DISTINCT FROM OLD.account_id
    AND NEW.network = OLD.network AND NEW.action = OLD.action AND NEW.object = OLD.object
    AND NEW.object_id IS NOT DISTINCT FROM OLD.object_id AND NEW.before_json IS NULL
    AND coalesce(NEW.after_json, '') LIKE '{"erased":"%"}' AND length(NEW.after_json) < 100))
EXECUTE FUNCTION admin_audit_stays();
