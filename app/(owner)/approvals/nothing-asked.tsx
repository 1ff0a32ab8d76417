import Link from "next/link";

const STEPS = [
  ["An agent asks", "Most of what it may do, it simply does. What could hurt waits for a person."],
  ["You see exactly what would change", "Before and after, who asks, and a code that your agent shows too."],
  ["You decide, once", "A yes is good for this one change and for an hour; a no ends it."],
] as const;

/** What someone sees whom no agent has ever asked. */
export function NothingAsked() {
  return (
    <section className="card" aria-label="What this page is for">
      <ol className="divide-y divide-line">
        {STEPS.map(([title, text], index) => (
          <li key={title} className="flex gap-4 p-4">
            <span className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-semibold text-accent">
              {index + 1}
            </span>
            <div>
              <p className="font-medium">{title}</p>
              <p className="text-sm text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <p className="border-t border-line p-4 text-sm text-muted">
        No agent has asked you for anything yet.{" "}
        <Link href="/docs/agents" prefetch={false} className="font-medium text-accent underline">
          How to connect one
        </Link>
      </p>
    </section>
  );
}
