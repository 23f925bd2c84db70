-- When and why a permission request was answered, for whoever looks back.
ALTER TABLE permission ADD COLUMN answered_at INTEGER;  -- wall time; null of those that were answered before this version
ALTER TABLE permission ADD COLUMN via TEXT;
ALTER TABLE permission ADD COLUMN reason TEXT;
CREATE INDEX permission_answered ON permission (answered_at) WHERE answered_at IS NOT NULL;
