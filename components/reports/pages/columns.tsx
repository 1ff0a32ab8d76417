interface Bar {
  /** Unique among the bars. */
  key: string;
  label: string;
  value: number;
  /** The value in words. */
  text: string;
  /** It still grows. */
  growing?: boolean;
}

/** Numbers along time as bars, drawn without a script. Its table stands below it. */
export function Columns({ bars, name, unit }: { bars: Bar[]; name: string; unit: string }) {
  const most = Math.max(0, ...bars.map(({ value }) => value));
  const highest = bars.find(({ value }) => value === most);
  const ends = [bars[0]?.label, bars.at(-1)?.label];
  const sentence = highest
    ? `${name}, ${bars.length} points from ${ends[0]} to ${ends[1]}. Highest ${highest.text} (${highest.label}).`
    : `${name}: nothing is known for this range.`;
  return (
    <figure className="px-4 pb-3">
      <p className="text-right text-xs text-muted tabular-nums" aria-hidden="true">
        {highest && most > 0 && `at most ${highest.text}`}
      </p>
      <div role="img" aria-label={sentence} className="mt-1 flex h-36 items-end border-b border-line-strong">
        {bars.map(({ key, label, value, text, growing }) => (
          <div
            key={key}
            className="group flex h-full min-w-0 flex-1 items-end px-px"
            title={`${label}: ${text} ${unit}`}
          >
            <div
              className={`w-full rounded-t-sm bg-accent group-hover:bg-accent-strong ${growing ? "opacity-50" : ""}`}
              style={{ height: most > 0 ? `${(value / most) * 100}%` : 0, minHeight: value > 0 ? "2px" : 0 }}
            />
          </div>
        ))}
      </div>
      <p className="mt-1 flex justify-between text-xs text-muted" aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </p>
    </figure>
  );
}
