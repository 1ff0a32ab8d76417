import Link from "next/link";
import { Steps } from "@/components/ui/steps";

const STEPS = [
  ["An agent asks", "Most of what it may do, it simply does. What could hurt waits for a person."],
  ["You see exactly what would change", "Before and after, who asks, and a code that your agent shows too."],
  ["You decide, once", "A yes is good for this one change and for an hour; a no ends it."],
] as const;

/** What someone sees whom no agent has ever asked. */
export function NoApprovals() {
  return (
    <section className="card" aria-label="What this page is for">
      <Steps steps={STEPS} />
      <p className="border-t border-line p-4 text-sm text-muted">
        No agent has asked you for anything yet.{" "}
        <Link href="/docs/agents" prefetch={false} className="font-medium text-accent underline">
          How to connect one
        </Link>
      </p>
    </section>
  );
}
