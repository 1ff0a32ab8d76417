-- What owners save: segments, dashboards, goals, funnels and what is known of their experiments.
-- CreateEnum
CREATE TYPE "goal_kind" AS ENUM ('event', 'page');

-- CreateTable
CREATE TABLE "segment" (
    "id" UUID NOT NULL,
    "site_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "filters" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "segment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dashboard" (
    "id" UUID NOT NULL,
    "site_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "filters" JSONB NOT NULL,
    "period" TEXT,
    "from" TEXT,
    "to" TEXT,
    "traffic" TEXT,
    "panels" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dashboard_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "goal" (
    "id" SERIAL NOT NULL,
    "site_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "kind" "goal_kind" NOT NULL,
    "pattern" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "goal_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "funnel" (
    "id" UUID NOT NULL,
    "site_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "steps" JSONB NOT NULL,
    "window_minutes" INTEGER NOT NULL DEFAULT 1440,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "funnel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "experiment" (
    "id" UUID NOT NULL,
    "site_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "variants" JSONB NOT NULL,
    "goal" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "experiment_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "segment_site_id_name_key" ON "segment"("site_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "dashboard_site_id_name_key" ON "dashboard"("site_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "goal_site_id_name_key" ON "goal"("site_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "funnel_site_id_name_key" ON "funnel"("site_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "experiment_site_id_name_key" ON "experiment"("site_id", "name");

-- AddForeignKey
ALTER TABLE "segment" ADD CONSTRAINT "segment_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dashboard" ADD CONSTRAINT "dashboard_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "goal" ADD CONSTRAINT "goal_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "funnel" ADD CONSTRAINT "funnel_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "experiment" ADD CONSTRAINT "experiment_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateTable
CREATE TABLE "exchange_rate" (
    "site_id" INTEGER NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "day" DATE NOT NULL,
    "per_euro" DECIMAL(20,8) NOT NULL,

    CONSTRAINT "exchange_rate_pkey" PRIMARY KEY ("site_id","currency","day")
);

-- How many units of a currency one euro was worth on a day, as a site sees it; null when nobody said. What the site
-- entered itself holds until it enters another; a reference rate holds over weekends and holidays, ten days at most.
CREATE FUNCTION units_per_euro(site int, code text, asked date) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN code = 'EUR' THEN 1 ELSE coalesce(
    (SELECT per_euro FROM exchange_rate WHERE site_id = site AND site <> 0 AND currency = code AND day <= asked
     ORDER BY day DESC LIMIT 1),
    (SELECT per_euro FROM exchange_rate WHERE site_id = 0 AND currency = code AND day <= asked AND day > asked - 10
     ORDER BY day DESC LIMIT 1)) END
$$;
