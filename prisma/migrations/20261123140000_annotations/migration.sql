-- Notes on what happened on a site, for the charts and email reports. One is of a whole local day, or of a moment.
CREATE TYPE "annotation_kind" AS ENUM ('deploy', 'campaign', 'incident', 'note');

CREATE TABLE "annotation" (
    "id" SERIAL NOT NULL,
    "site_id" INTEGER NOT NULL,
    "day" DATE,
    "at" TIMESTAMPTZ(3),
    "kind" "annotation_kind" NOT NULL,
    "text" TEXT NOT NULL,
    "url" TEXT,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "annotation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "annotation_day_or_moment" CHECK (num_nonnulls("day", "at") = 1)
);

CREATE INDEX "annotation_site_id_idx" ON "annotation"("site_id");

ALTER TABLE "annotation" ADD CONSTRAINT "annotation_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "annotation" ADD CONSTRAINT "annotation_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "person"("id") ON DELETE SET NULL ON UPDATE CASCADE;
