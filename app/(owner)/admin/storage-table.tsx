import { Section } from "@/components/ui/section";
import type { Storage } from "@/lib/admin/storage";
import { formatBytes } from "./bytes";

/** How large the database is, and which months it holds. */
export function StorageTable({ storage }: { storage: Storage }) {
  const { database, months, dictionaries } = storage;
  const facts = months.reduce((sum, { events, visits }) => sum + events + visits, 0);
  const parts: [name: string, bytes: number, about: string][] = [
    ["Facts", facts, "Events and visits, by month below"],
    ["Dictionaries", dictionaries, "Pages, sources, places and other words that facts refer to, and keys of events"],
    ["Everything else", database - facts - dictionaries, "Accounts, settings, the audit, and Postgres itself"],
  ];
  return (
    <Section title={`Storage: ${formatBytes(database)}`} about="What the database takes on its disk, with indexes.">
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
          <caption className="pb-1.5 text-left font-medium">Facts by month (UTC)</caption>
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
