-- The goal whose conversions an alert rule is about; null for any.
ALTER TABLE alert_rule ADD COLUMN goal text;
