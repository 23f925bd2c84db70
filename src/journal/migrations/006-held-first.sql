-- What is held, by pair: later mail of the same pair waits behind it. Empty most of the time.
CREATE INDEX delivery_held ON delivery (recipient, sender, seq) WHERE state = 2;
