-- That an agent which the hub runs is to end, 'shutdown' or 'killed', until it is gone: the next start carries it out.
ALTER TABLE agent ADD COLUMN ending TEXT;
-- Why it is run the way it is; null of one that was spawned before that was kept.
ALTER TABLE agent ADD COLUMN runtime_reason TEXT;
