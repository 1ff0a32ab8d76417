import { Term } from "@/components/docs/prose";
import { COMPARED, SENT_FIELDS } from "@/lib/publish/sent-fields";

const told = (fields: string) => (fields ? <Term>{fields}</Term> : <span className="text-muted">not sent</span>);

/** What our tracker and two others send, side by side. */
export function SentFields() {
  return (
    <table className="w-full table-fixed text-left text-sm [overflow-wrap:anywhere]">
      <caption className="sr-only">Fields that trackers send</caption>
      <thead>
        <tr className="border-b border-line-strong">
          <th className="py-2 pr-2 font-semibold">What</th>
          <th className="py-2 pr-2 font-semibold">Footfall</th>
          <Peer name="Plausible" {...COMPARED.plausible} />
          <Peer name="Umami" {...COMPARED.umami} />
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {SENT_FIELDS.map(({ what, ours, plausible, umami }) => (
          <tr key={what} className="align-top">
            <th className="py-2 pr-2 font-normal">{what}</th>
            <td className="py-2 pr-2">{told(ours.join(", "))}</td>
            <td className="py-2 pr-2">{told(plausible)}</td>
            <td className="py-2">{told(umami)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Peer({ name, tracker, dated }: { name: string; tracker: string; dated: string }) {
  return (
    <th className="py-2 pr-2 font-semibold">
      {name}
      <span className="block font-normal text-muted">
        {tracker}, {dated}
      </span>
    </th>
  );
}
