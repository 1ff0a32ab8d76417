import { type Patch, ViewLink } from "@/components/reports/view-frame";

interface Props<Key extends string> {
  /** Accessible name, such as "Metric". */
  label: string;
  choices: readonly { key: Key; label: string }[];
  chosen: string;
  patchOf: (key: Key) => Patch;
}

/** Links to the same report with another choice, such as of its metric. */
export function ViewChoices<Key extends string>({ label, choices, chosen, patchOf }: Props<Key>) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-1 text-sm">
      {choices.map((choice) => (
        <ViewLink
          key={choice.key}
          patch={patchOf(choice.key)}
          aria-current={choice.key === chosen}
          className="rounded-md px-2.5 py-1 text-muted hover:bg-sunken aria-[current=true]:bg-sunken aria-[current=true]:font-semibold aria-[current=true]:text-ink"
        >
          {choice.label}
        </ViewLink>
      ))}
    </nav>
  );
}
