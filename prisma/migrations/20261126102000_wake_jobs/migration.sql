-- New work wakes the job that does it, so that idle jobs need not look for work every few seconds. A notification is sent when
-- its transaction commits.
CREATE FUNCTION wake_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('wake_job', TG_ARGV[0]);
  RETURN NULL;
END $$;

CREATE TRIGGER "wake_job" AFTER INSERT ON "mail" FOR EACH STATEMENT EXECUTE FUNCTION wake_job('send-mail');
CREATE TRIGGER "wake_job" AFTER INSERT ON "webhook_delivery" FOR EACH STATEMENT EXECUTE FUNCTION wake_job('send-webhooks');
CREATE TRIGGER "wake_job" AFTER INSERT ON "monitor" FOR EACH STATEMENT EXECUTE FUNCTION wake_job('check-pages');
CREATE TRIGGER "wake_job" AFTER INSERT ON "site_purge" FOR EACH STATEMENT EXECUTE FUNCTION wake_job('purge-sites');
