-- The HTTP status that a page was answered with. Null, which takes no space, for everything that browsers send.
ALTER TABLE facts.event ADD COLUMN status smallint;
