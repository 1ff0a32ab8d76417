import { Section } from "@/components/ui/section";
import type { Storage } from "@/lib/admin/storage";
import { formatBytes } from "@/lib/platform/bytes";

/** Database size by part and by month. */
export function StorageTable({ storage }: { storage: Storage }) {
  const { database, months, dictionaries } = storage;
  const facts = months.reduce((sum, { events, visits }) => sum + events + visits, 0);
  const parts: [name: string, bytes: number, about: string][] = [
    ["Events and visits", facts, "Listed by month below"],
    [
      "Dimension values",
      dictionaries,
      "Pages, sources, locations and other values that events refer to, and event ids",
    ],
    ["Everything else", database - facts - dictionaries, "Accounts, settings, the audit log, and Postgres itself"],
  ];
  return (
    <Section title={`Storage: ${formatBytes(database)}`} about="Disk space of the database, including indexes.">
      <ul className="-my-2 divide-y divide-line text-sm">
        {parts.map(([name, bytes, about]) => (
          <li key={name} className="flex items-start justify-between gap-4 py-2">
            <p className="min-w-0">
              <span className="font-medium">{name}</span> <span className="text-muted">{about}</span>
            </p>
            <p className="shrink-0 tabular-nums">{formatBytes(bytes)}</p>
          </li>
        ))}
      </ul>
      {months.length > 0 && (
        <table className="mt-5 w-full text-sm tabular-nums">
          <caption className="pb-1.5 text-left font-medium">Events and visits by month (UTC)</caption>
          <thead>
            <tr className="text-muted">
              {["Month", "Events", "Visits"].map((head, place) => (
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
