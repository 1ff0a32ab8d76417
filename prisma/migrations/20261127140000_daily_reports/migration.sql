ALTER TYPE report_cadence ADD VALUE 'daily' BEFORE 'weekly';
