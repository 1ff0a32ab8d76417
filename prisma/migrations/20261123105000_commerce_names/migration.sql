-- Refunds are no conversions any more, and purchases are known by more names than one. Both are kept with sealed days, which
-- the background job seals again; until then reports read the events themselves.
TRUNCATE facts.sealed, facts.rollup, facts.packed, facts.sale;
