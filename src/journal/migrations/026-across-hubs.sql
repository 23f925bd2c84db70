-- Requests that are shared with other hubs, and those of other hubs that are known here.
ALTER TABLE request ADD COLUMN hubs TEXT;            -- JSON array: the hubs that it is shared with; null: none
ALTER TABLE request ADD COLUMN hub TEXT;             -- the hub whose it is; null: this one
