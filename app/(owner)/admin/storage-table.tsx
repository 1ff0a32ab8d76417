import { Section } from "@/components/ui/section";
import { When } from "@/components/ui/when";
import type { Disk } from "@/lib/admin/disk";
import type { Storage } from "@/lib/admin/storage";
import { formatBytes } from "@/lib/platform/bytes";
import { t } from "@/lib/texts/translate";

/** What the service stores: the database by part and by month, and the files beside it. */
export function StorageTable({ storage, disk, now }: { storage: Storage; disk: Disk; now: Date }) {
  const { database, months, dictionaries } = storage;
  const facts = months.reduce((sum, { events, visits }) => sum + events + visits, 0);
  const parts: [name: string, bytes: number, about: string][] = [
    [t("Events and visits"), facts, t("Listed by month below")],
    [
      t("Dimension values"),
      dictionaries,
      t("Pages, sources, locations and other values that events refer to, and event ids"),
    ],
    [
      t("Everything else"),
      database - facts - dictionaries,
      t("Accounts, settings, the audit log, and Postgres itself"),
    ],
  ];
  const files: [name: string, bytes: number, about: string][] = [
    [t("Copies of events"), disk.copies, t("For reports; they can be deleted and are made again")],
    [t("Uploads"), disk.uploads, t("Files to import, deleted after a day")],
    [t("Outbox"), disk.outbox, t("Emails that no mail server delivered")],
  ];
  return (
    <Section
      title={t("Storage: {size}", { size: formatBytes(database) })}
      about={t("Disk space of the database, including indexes.")}
    >
      <Sizes rows={parts} />
      <h3 className="mt-5 mb-1.5 text-sm font-medium">{t("Beside the database, in the data folder")}</h3>
      <Sizes rows={files} />
      <h3 className="mt-5 mb-1.5 text-sm font-medium">{t("Backups in the data folder")}</h3>
      {disk.backups.length === 0 ? (
        <p className="text-sm text-muted">
          {t(
            "None. “npm run backup -- footfall.backup” writes one while the service runs; one in another place is not shown here.",
          )}
        </p>
      ) : (
        <ul className="divide-y divide-line border-t border-line text-sm">
          {disk.backups.map(({ name, bytes, at }) => (
            <li key={name} className="flex items-start justify-between gap-4 py-2">
              <p className="min-w-0 [overflow-wrap:anywhere]">
                {name}{" "}
                <span className="text-muted">
                  <When at={at} now={now} />
                </span>
              </p>
              <p className="shrink-0 tabular-nums">{formatBytes(bytes)}</p>
            </li>
          ))}
        </ul>
      )}
      {months.length > 0 && (
        <table className="mt-5 w-full text-sm tabular-nums">
          <caption className="pb-1.5 text-left font-medium">{t("Events and visits by month (UTC)")}</caption>
          <thead>
            <tr className="text-muted">
              {[t("Month"), t("Events"), t("Visits")].map((head, place) => (
                <th key={head} scope="col" className={`pb-1 font-normal ${place === 0 ? "text-left" : "text-right"}`}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-t border-line">
            {months.map(({ month, events, visits }) => (
              <tr key={month}>
                <th scope="row" className="py-1.5 text-left font-normal">
                  {month}
                </th>
                <td className="py-1.5 text-right">{formatBytes(events)}</td>
                <td className="py-1.5 text-right">{formatBytes(visits)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

const Sizes = ({ rows }: { rows: readonly [name: string, bytes: number, about: string][] }) => (
  <ul className="divide-y divide-line border-t border-line text-sm">
    {rows.map(([name, bytes, about]) => (
      <li key={name} className="flex items-start justify-between gap-4 py-2">
        <p className="min-w-0">
          <span className="font-medium">{name}</span> <span className="text-muted">{about}</span>
        </p>
        <p className="shrink-0 tabular-nums">{formatBytes(bytes)}</p>
      </li>
    ))}
  </ul>
);
