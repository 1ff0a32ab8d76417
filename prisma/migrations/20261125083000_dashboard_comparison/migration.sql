-- The first and last day that a dashboard compares with, where its owner chose them; both or none.
ALTER TABLE "dashboard"
    ADD COLUMN "compare_from" TEXT,
    ADD COLUMN "compare_to" TEXT,
    ADD CONSTRAINT "dashboard_comparison" CHECK (num_nonnulls("compare_from", "compare_to") IN (0, 2));
