-- When and why a permission request was answered, for whoever looks back.
ALTER TABLE permission ADD COLUMN answered_at INTEGER;  -- wall time
ALTER TABLE permission ADD COLUMN via TEXT;
ALTER TABLE permission ADD COLUMN reason TEXT;
CREATE INDEX permission_answered ON permission (answered_at) WHERE answered_at IS NOT NULL;

UPDATE permission SET answered_at = told.at, reason = told.reason
  FROM (SELECT at, data ->> 'permission' AS id, data ->> 'reason' AS reason FROM event WHERE type = 'PermissionAnswered') AS told
  WHERE told.id = permission.id AND permission.outcome IS NOT NULL;
