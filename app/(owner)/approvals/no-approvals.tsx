import Link from "next/link";
import { Steps } from "@/components/ui/steps";

const STEPS = [
  ["An agent sends a request", "Safe actions run directly. Risky ones need the approval of a person."],
  ["You see exactly what would change", "Before and after, which agent, and a code that your agent shows too."],
  ["You approve or deny", "An approval is valid for this one change and for an hour."],
] as const;

/** Empty state of the approvals page. */
export function NoApprovals() {
  return (
    <section className="card" aria-label="How approvals work">
      <Steps steps={STEPS} />
      <p className="border-t border-line p-4 text-sm text-muted">
        No approval requests yet.{" "}
        <Link href="/docs/agents" prefetch={false} className="font-medium text-accent underline">
          How to connect an agent
        </Link>
      </p>
    </section>
  );
}
