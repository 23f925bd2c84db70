-- The turns of an agent, newest first, without walking the journal. What was never taken was none.
CREATE INDEX event_turn ON event (subject, seq)
  WHERE type = 'TurnEnded' AND json_extract(data, '$.stop') <> 'not_taken';
