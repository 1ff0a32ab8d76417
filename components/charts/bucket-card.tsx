import { type Content, formatValue, isComparison, nameOf, noteOf, ownName } from "@/components/charts/series";

/** Tooltip with the values of a bucket. Its content matches the slider's `aria-valuetext`. */
export function BucketCard({ index, ...content }: Content & { index: number }) {
  const { buckets, series, markers, interval, open } = content;
  const note = noteOf(buckets, index, open, interval);
  return (
    <div className="card max-w-72 min-w-44 space-y-1 px-3 py-2 text-sm text-muted shadow-lg tabular-nums">
      <p className="font-medium whitespace-nowrap text-ink">{nameOf(index, content)}</p>
      {series.map((one) => {
        const name = ownName(one, index, interval);
        if (name === null) return null;
        return (
          <p key={one.key} className="flex items-center justify-between gap-5">
            <span className="flex min-w-0 items-center gap-2">
              <span className="size-2 shrink-0 rounded-full" style={{ background: one.colour }} />
              <span className="truncate">{name}</span>
            </span>
            <span className={isComparison(one) ? "" : "font-semibold text-ink"}>
              {formatValue(one, one.values[index] ?? null)}
            </span>
          </p>
        );
      })}
      {note && <p className="text-xs first-letter:uppercase">{note}</p>}
      {markers.map(
        ({ id, at, text }) =>
          at === index && (
            <p key={id} className="line-clamp-3 border-l-2 border-warn pl-2 text-xs break-words text-ink">
              {text}
            </p>
          ),
      )}
    </div>
  );
}
