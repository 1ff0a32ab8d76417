import { Plus } from "lucide-react";
import type { CSSProperties, KeyboardEvent, PointerEvent, ReactNode } from "react";
import { insets, MARGIN } from "@/components/charts/axes";
import { bucketAt, heightsAt, placeOf, spanOf } from "@/components/charts/scale";
import {
  axisOf,
  bucketNameAt,
  bucketSentence,
  type Content,
  type Drawn,
  formatValue,
  isComparison,
  type Kind,
  noteOf,
  ownName,
} from "@/components/charts/series";
import { t } from "@/lib/texts/translate";

/** The highlighted bucket and the selected range of a chart. */
interface Pointing {
  /** Index of the highlighted bucket. */
  at: number | null;
  /** Start and end bucket of a selection, in the order they were selected. */
  selected: [number, number] | null;
  /** Set by keyboard or touch: stays until the next input and shows the action buttons. */
  pinned: boolean;
}
export const NOWHERE: Pointing = { at: null, selected: null, pinned: false };

interface Props {
  title: string;
  kind: Kind;
  content: Content;
  pointing: Pointing;
  point(to: Pointing): void;
  /** Returns the lowest and the highest value of a series' axis. */
  domainOf(series: Drawn): [number, number];
  onZoom: ((first: number, last: number) => void) | undefined;
  onDrill: ((index: number) => void) | undefined;
  onAnnotate: ((index: number) => void) | undefined;
}

const STEPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/**
 * The layer above the plot that handles mouse, touch and keyboard. For screen readers it is a slider with a sentence
 * per bucket. Dragging or Shift+arrow selects a range; Enter zooms into it or, like a click, opens the bucket; A
 * annotates it.
 */
export function ChartPointer({ title, kind, content, pointing, point, domainOf, ...actions }: Props) {
  const { onZoom, onDrill, onAnnotate } = actions;
  const { buckets, series, markers } = content;
  const { at, selected, pinned } = pointing;
  const end = buckets.length - 1;
  const latest = buckets.findLastIndex((_, index) => series.some(({ values }) => typeof values[index] === "number"));
  const now = Math.min(at ?? Math.max(0, latest), end);
  const hasRight = series.some((one) => axisOf(one) === "right");
  const span = selected && spanOf(kind, selected, buckets.length);

  function finish([first, last]: [number, number]) {
    point({ ...pointing, selected: null });
    if (first === last) onDrill?.(first);
    else onZoom?.(Math.min(first, last), Math.max(first, last));
  }

  function bucketOf({ currentTarget, clientX }: PointerEvent): number {
    const { left, width } = currentTarget.getBoundingClientRect();
    return bucketAt(kind, (clientX - left) / width, buckets.length);
  }
  function pressDown(event: PointerEvent) {
    const index = bucketOf(event);
    if (event.pointerType === "touch") return point({ at: index, selected: null, pinned: true });
    if (event.button !== 0 || event.ctrlKey || event.metaKey) return;
    // With pointer capture, a drag beyond the edge ends at the edge.
    event.currentTarget.setPointerCapture(event.pointerId);
    point({ at: index, selected: [index, index], pinned: false });
  }
  function move(event: PointerEvent) {
    const index = bucketOf(event);
    const isTouch = event.pointerType === "touch";
    const isDragged = event.currentTarget.hasPointerCapture(event.pointerId) && !isTouch && selected !== null;
    const next: Pointing["selected"] = isDragged ? [selected[0], onZoom ? index : selected[0]] : null;
    point({ at: index, selected: next, pinned: isTouch });
  }
  function release(event: PointerEvent) {
    if (event.pointerType === "touch" || !selected || event.button !== 0) return;
    finish(selected);
  }

  function press(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) {
      const next = Math.min(end, Math.max(0, now + step));
      const selects = event.shiftKey && onZoom;
      point({ at: next, selected: selects ? [selected?.[0] ?? now, next] : null, pinned: true });
    } else if (event.key === "Enter" && (selected || onDrill)) finish(selected ?? [now, now]);
    else if (event.key.toLowerCase() === "a" && onAnnotate) onAnnotate(now);
    else if (event.key === "Escape" && at !== null) point(selected ? { ...pointing, selected: null } : NOWHERE);
    else return;
    // The page's own Escape shortcut only runs on the next press.
    event.preventDefault();
  }

  if (end < 0) return null;
  const { top, ...sides } = insets(hasRight);
  return (
    <div className="@container absolute" style={{ ...sides, top }}>
      {markers.map(({ id, at: place }) => (
        <span
          key={id}
          data-marker
          style={{ left: `${placeOf(kind, place, buckets.length) * 100}%` }}
          className="pointer-events-none absolute -top-2 bottom-0 border-l border-dashed border-warn before:absolute before:top-0 before:-left-1 before:size-[7px] before:rotate-45 before:rounded-[1px] before:bg-warn"
        />
      ))}
      {span && (
        <span
          data-selection
          style={{ left: `${span.from * 100}%`, right: `${(1 - span.to) * 100}%` }}
          className="pointer-events-none absolute inset-y-0 border-x border-accent bg-accent/15"
        />
      )}
      <div
        className={`absolute inset-x-0 top-0 touch-pan-y select-none ${onZoom || onDrill ? "cursor-crosshair" : ""}`}
        style={{ bottom: -MARGIN.bottom }}
        onPointerDown={pressDown}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={() => point(NOWHERE)}
        onPointerLeave={({ pointerType, currentTarget }) => {
          if (pointerType !== "touch" && !currentTarget.querySelector(":focus-visible")) point(NOWHERE);
        }}
      >
        <div
          role="slider"
          tabIndex={0}
          aria-label={title}
          aria-valuemin={0}
          aria-valuemax={end}
          aria-valuenow={now}
          aria-valuetext={bucketSentence(now, content)}
          className="absolute inset-x-0 top-0 rounded-sm"
          style={{ bottom: MARGIN.bottom }}
          onFocus={({ currentTarget }) =>
            currentTarget.matches(":focus-visible") && point({ at: now, selected: null, pinned: true })
          }
          onKeyDown={press}
        />
        {at !== null && at <= end && (
          <Pointed at={at} kind={kind} content={content} domainOf={domainOf}>
            {onAnnotate && !pinned && !selected && (
              <AnnotateButton day={bucketNameAt(at, content)} onPress={() => onAnnotate(at)} />
            )}
          </Pointed>
        )}
      </div>
    </div>
  );
}

interface PointedProps {
  at: number;
  kind: Kind;
  content: Content;
  domainOf(series: Drawn): [number, number];
  children: ReactNode;
}

/** The line through the highlighted bucket, a dot on each series, and the tooltip on the side with more space. */
function Pointed({ at, kind, content, domainOf, children }: PointedProps) {
  const { buckets, series } = content;
  const x = placeOf(kind, at, buckets.length) * 100;
  const { from, to } = spanOf(kind, [at, at], buckets.length);
  return (
    <div className="pointer-events-none absolute inset-x-0 top-0 z-10" style={{ bottom: MARGIN.bottom }}>
      {kind === "bars" ? (
        <span
          className="absolute inset-y-0 bg-ink/6"
          style={{ left: `${from * 100}%`, right: `${(1 - to) * 100}%` }}
          aria-hidden="true"
        />
      ) : (
        <span className="absolute inset-y-0 border-l border-line-strong" style={{ left: `${x}%` }} aria-hidden="true" />
      )}
      {heightsAt(kind, series, at).map((height, place) => {
        const one = series[place];
        if (height === null || !one || (kind === "bars" && !isComparison(one))) return null;
        const [low, high] = domainOf(one);
        return (
          <span
            key={one.key}
            aria-hidden="true"
            style={{
              left: `${x}%`,
              bottom: `${((height - low) / (high - low || 1)) * 100}%`,
              background: one.colour,
            }}
            className={`absolute -translate-x-1/2 translate-y-1/2 rounded-full border-2 border-surface ${isComparison(one) ? "size-2" : "size-2.5"}`}
          />
        );
      })}
      <div
        aria-hidden="true"
        style={{ left: `${x}%`, "--x": `${-x}%` } as CSSProperties}
        className={`absolute top-1 @max-[30rem]:translate-x-(--x) ${x > 50 ? "translate-x-[calc(-100%-0.75rem)]" : "translate-x-3"}`}
      >
        <BucketCard index={at} {...content} />
      </div>
      <div className="absolute bottom-0" style={{ left: `${x}%` }}>
        {children}
      </div>
    </div>
  );
}

/** Follows the mouse along the time axis. Keyboard users press A, touch users use the button below the chart. */
const AnnotateButton = ({ day, onPress }: { day: string; onPress: () => void }) => (
  <button
    type="button"
    tabIndex={-1}
    title={t("Add annotation to {day}", { day })}
    aria-label={t("Add annotation to {day}", { day })}
    // A click on the button is not a click on the chart.
    onPointerDown={(event) => event.stopPropagation()}
    onPointerUp={(event) => event.stopPropagation()}
    onClick={onPress}
    className="pointer-events-auto absolute grid size-6 -translate-1/2 place-items-center rounded-full border border-line-strong bg-surface text-muted shadow-card hover:border-accent hover:bg-accent hover:text-accent-ink"
  >
    <Plus className="size-3.5" />
  </button>
);

/** Tooltip with the values of a bucket. Its content matches the slider's `aria-valuetext`. */
function BucketCard({ index, ...content }: Content & { index: number }) {
  const { buckets, series, markers, interval, open } = content;
  const note = noteOf(buckets, index, open, interval);
  return (
    <div className="card max-w-72 min-w-44 space-y-1 px-3 py-2 text-sm text-muted shadow-lg tabular-nums">
      <p className="font-medium whitespace-nowrap text-ink">{bucketNameAt(index, content)}</p>
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
