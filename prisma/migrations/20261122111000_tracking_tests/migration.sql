-- A live window of a site: while it is open, what becomes of each hit can be looked at. The newest of each site.
CREATE TABLE "tracking_test" (
    "site_id" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "stopped_at" TIMESTAMPTZ(3),

    CONSTRAINT "tracking_test_pkey" PRIMARY KEY ("site_id")
);

ALTER TABLE "tracking_test" ADD CONSTRAINT "tracking_test_site_id_fkey"
    FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is kept of the hits of a window, which is named by when it began: the newest of them, as they were understood, and
-- how many there were in all. Both go an hour after the window's end.
CREATE TABLE facts.tracking_hit (
    site_id integer NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    started_at timestamptz(3) NOT NULL,
    at timestamptz(3) NOT NULL,
    told jsonb NOT NULL,
    PRIMARY KEY (site_id, id)
);

CREATE TABLE facts.tracking_count (
    site_id integer NOT NULL,
    started_at timestamptz(3) NOT NULL,
    outcome text NOT NULL,
    -- The class of a hit that was judged; '' for one that was not.
    traffic text NOT NULL,
    hits bigint NOT NULL,
    PRIMARY KEY (site_id, started_at, outcome, traffic)
);
