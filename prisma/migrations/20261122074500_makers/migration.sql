-- Who made each of a site's saved things. What was saved before keeps nobody's name.
ALTER TABLE "segment" ADD COLUMN "created_by_id" INTEGER;
ALTER TABLE "dashboard" ADD COLUMN "created_by_id" INTEGER;
ALTER TABLE "goal" ADD COLUMN "created_by_id" INTEGER;
ALTER TABLE "funnel" ADD COLUMN "created_by_id" INTEGER;
ALTER TABLE "experiment" ADD COLUMN "created_by_id" INTEGER;

-- A saved view also says what its numbers are compared with; null: what whoever asks says.
ALTER TABLE "dashboard" ADD COLUMN "compare" TEXT;
