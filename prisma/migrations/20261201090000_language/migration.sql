-- The language of the interface and of emails that a person chose; null for who never did.
ALTER TABLE person ADD COLUMN language text;
