-- What is done now and then, each once across all processes: when it is due, whose turn it is and how the last one ended.
CREATE TABLE "job" (
  "name" TEXT NOT NULL,
  "every_ms" INTEGER NOT NULL,
  "next_at" TIMESTAMPTZ(3) NOT NULL,
  "lease_until" TIMESTAMPTZ(3),
  "process" TEXT,
  "runs" INTEGER NOT NULL DEFAULT 0,
  "started_at" TIMESTAMPTZ(3),
  "finished_at" TIMESTAMPTZ(3),
  "took_ms" INTEGER,
  "failures" INTEGER NOT NULL DEFAULT 0,
  "failed_at" TIMESTAMPTZ(3),
  "failure" TEXT,

  CONSTRAINT "job_pkey" PRIMARY KEY ("name")
);
