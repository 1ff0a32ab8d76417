import { Term } from "@/components/docs/prose";
import { COMPARED, SENT_FIELDS } from "@/lib/publish/sent-fields";

/** On phones the row heading is above its three cells. */
const ROW = "grid grid-cols-3 gap-x-2 py-2 align-top sm:table-row";
const CELL = "sm:py-2 sm:pr-2";

/** Table of the fields that the Footfall, Plausible and Umami trackers send. */
export function SentFields() {
  return (
    <table className="block w-full table-fixed text-left text-sm [overflow-wrap:anywhere] sm:table">
      <caption className="sr-only">Fields that trackers send</caption>
      <thead className="block sm:table-header-group">
        <tr className={`${ROW} border-b border-line-strong`}>
          <th className={`${CELL} hidden font-semibold sm:table-cell`}>Field</th>
          <th className={`${CELL} font-semibold`}>Footfall</th>
          <Peer name="Plausible" {...COMPARED.plausible} />
          <Peer name="Umami" {...COMPARED.umami} />
        </tr>
      </thead>
      <tbody className="block divide-y divide-line sm:table-row-group">
        {SENT_FIELDS.map(({ what, ours, plausible, umami }) => (
          <tr key={what} className={ROW}>
            <th className={`${CELL} col-span-3 pb-1 font-normal`}>{what}</th>
            <FieldTable names={ours} />
            <FieldTable names={plausible ? [plausible] : []} />
            <FieldTable names={umami ? [umami] : []} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function FieldTable({ names }: { names: readonly string[] }) {
  return (
    <td className={CELL}>
      {names.length === 0 && <span className="text-muted">not sent</span>}
      {names.map((name) => (
        <span key={name} className="mr-1 inline-block">
          <Term>{breakable(name)}</Term>
        </span>
      ))}
    </td>
  );
}

/** Allows a line break after the dot of a name. */
function breakable(name: string) {
  const [outer, inner] = name.split(".");
  if (inner === undefined) return name;
  return (
    <>
      {outer}.<wbr />
      {inner}
    </>
  );
}

function Peer({ name, tracker, dated }: { name: string; tracker: string; dated: string }) {
  return (
    <th className={`${CELL} font-semibold`}>
      {name}
      <span className="block font-normal text-muted">
        {tracker}, {dated}
      </span>
    </th>
  );
}
