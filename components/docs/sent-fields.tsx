import { Term } from "@/components/docs/prose";
import { COMPARED, SENT_FIELDS } from "@/lib/publish/sent-fields";

/** On a phone the name of a row is above its three cells. */
const ROW = "grid grid-cols-3 gap-x-2 py-2 align-top sm:table-row";
const CELL = "sm:py-2 sm:pr-2";

/** The fields that our tracker and two others send, side by side. */
export function SentFields() {
  return (
    <table className="block w-full table-fixed text-left text-sm [overflow-wrap:anywhere] sm:table">
      <caption className="sr-only">Fields that trackers send</caption>
      <thead className="block sm:table-header-group">
        <tr className={`${ROW} border-b border-line-strong`}>
          <th className={`${CELL} hidden font-semibold sm:table-cell`}>What</th>
          <th className={`${CELL} font-semibold`}>Footfall</th>
          <Peer name="Plausible" {...COMPARED.plausible} />
          <Peer name="Umami" {...COMPARED.umami} />
        </tr>
      </thead>
      <tbody className="block divide-y divide-line sm:table-row-group">
        {SENT_FIELDS.map(({ what, ours, plausible, umami }) => (
          <tr key={what} className={ROW}>
            <th className={`${CELL} col-span-3 pb-1 font-normal`}>{what}</th>
            <Fields names={ours} />
            <Fields names={plausible ? [plausible] : []} />
            <Fields names={umami ? [umami] : []} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Fields({ names }: { names: readonly string[] }) {
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

/** Breaks a name after its dot first. */
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
