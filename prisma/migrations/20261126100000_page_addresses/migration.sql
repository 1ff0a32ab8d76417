-- How the addresses of a site make pages. Pages of older sites keep their meaning.
ALTER TABLE "site"
    ADD COLUMN "merge_slashes" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "page_query" TEXT[] DEFAULT ARRAY[]::TEXT[];
