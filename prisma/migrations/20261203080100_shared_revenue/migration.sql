-- Whether readers without an account see revenue and orders on the dashboard: of a private link, and of a public dashboard.
ALTER TABLE share_link ADD COLUMN revenue boolean NOT NULL DEFAULT false;
ALTER TABLE site ADD COLUMN public_revenue boolean NOT NULL DEFAULT false;
