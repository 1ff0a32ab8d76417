import { type ReactNode, useId } from "react";

interface Props {
  label: string;
  /** 0 to 1. */
  share: number;
  children?: ReactNode;
}

/** How far something that takes a while has come. */
export function ProgressBar({ label, share, children }: Props) {
  const id = useId();
  const percent = Math.round(share * 100);
  return (
    <div className="rounded-lg border border-line bg-sunken px-3.5 py-3">
      <div className="flex items-center justify-between gap-4">
        <p id={id} className="min-w-0 truncate text-sm font-medium">
          {label}
        </p>
        <span className="text-sm tabular-nums text-muted">{percent} %</span>
      </div>
      <div className="mt-2.5 flex items-center gap-4">
        <div
          role="progressbar"
          aria-labelledby={id}
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
          className="h-2 min-w-0 flex-1 overflow-hidden rounded-full bg-line"
        >
          <div className="h-full rounded-full bg-accent transition-[width]" style={{ width: `${percent}%` }} />
        </div>
        {children}
      </div>
    </div>
  );
}
