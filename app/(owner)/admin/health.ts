import type { Disk } from "@/lib/admin/disk";
import type { JobStatus } from "@/lib/admin/jobs";
import type { ListStatus } from "@/lib/admin/lists";
import type { Backlog } from "@/lib/admin/overview";
import { formatBytes } from "@/lib/platform/bytes";
import { DAY_MS, HOUR_MS } from "@/lib/platform/durations";
import type { Health } from "@/lib/server/health";
import { t } from "@/lib/texts/translate";
import type { Part } from "./parts";

const LITTLE_ROOM = 2 * 1024 ** 3;
const BACKUP_DAYS = 30;

interface Found {
  health: Health;
  jobs: readonly JobStatus[];
  lists: readonly ListStatus[];
  backlog: Backlog;
  disk: Disk;
}

/** Returns the parts of the service with their health, what does not work first. */
export function partsOf({ health, jobs, lists, backlog, disk }: Found, now: Date): Part[] {
  const answers = (name: string, status: Health["database"], does: string): Part => ({
    name,
    state: status === "ok" ? "ok" : "bad",
    text: status === "ok" ? does : t("It does not answer. The log of the server says why."),
  });
  const failing = jobs.filter(({ failures }) => failures > 0).length;
  const outdated = lists.filter((list) => list.outdated).length;
  const parts: Part[] = [
    answers(t("Database"), health.database, t("It answers.")),
    answers(t("Events"), health.ingest, t("They are stored.")),
    answers(t("Reports"), health.analytics, t("They are answered.")),
    {
      name: t("Jobs"),
      state: failing > 0 ? "bad" : "ok",
      text: failing > 0 ? t("{count} failed the last time, see below.", { count: failing }) : t("All of them run."),
    },
    mailPart(backlog, now),
    {
      name: t("Lists"),
      state: outdated > 0 ? "warn" : "ok",
      text:
        outdated > 0
          ? t("{count, plural, one {# is more than a year old.} other {# are more than a year old.}}", {
              count: outdated,
            })
          : t("They are less than a year old."),
    },
    {
      name: t("Disk"),
      state: disk.free < LITTLE_ROOM ? "bad" : "ok",
      text: t("{size} are free on the disk of the data folder.", { size: formatBytes(disk.free) }),
    },
    backupPart(disk, now),
  ];
  const ranks = { bad: 0, warn: 1, ok: 2 };
  return parts.sort((one, other) => ranks[one.state] - ranks[other.state]);
}

function mailPart({ outbox, since, emails }: Backlog, now: Date): Part {
  if (outbox !== null)
    return { name: t("Emails"), state: "warn", text: t("No mail server is set, so nobody gets any.") };
  const isLate = since !== null && now.getTime() - since.getTime() > HOUR_MS;

  if (isLate)
    return {
      name: t("Emails"),
      state: "bad",
      text: t(
        "{count, plural, one {# waits, some for more than an hour. Send a test email.} other {# wait, some for more than an hour. Send a test email.}}",
        { count: emails },
      ),
    };
  return {
    name: t("Emails"),
    state: "ok",
    text: t("{count, plural, =0 {None waits.} one {# waits to be sent.} other {# wait to be sent.}}", {
      count: emails,
    }),
  };
}

function backupPart({ backups: [last] }: Disk, now: Date): Part {
  if (!last) return { name: t("Backups"), state: "warn", text: t("No file of npm run backup is in the data folder.") };
  const days = Math.floor((now.getTime() - last.at.getTime()) / DAY_MS);

  return {
    name: t("Backups"),
    state: days > BACKUP_DAYS ? "warn" : "ok",
    text: t(
      "The last one in the data folder was written {days, plural, =0 {today} one {# day ago} other {# days ago}}.",
      { days },
    ),
  };
}
