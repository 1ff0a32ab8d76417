import Link from "next/link";
import { Steps } from "@/components/ui/steps";

const STEPS = [
  ["Give your agent the docs", "One llms.txt tells it everything. It answers with a code for you."],
  ["Enter the code here", "You choose what it may do and on which sites. It never learns your password."],
  ["It goes to work", "You see each of its actions, approve risky ones, and can revoke its access at any time."],
] as const;

/** What someone sees who has connected no agent yet. */
export const NoAgents = () => (
  <section className="card" aria-label="How to connect an agent">
    <h2 className="px-4 pt-4 font-semibold">No agent acts for you</h2>
    <Steps steps={STEPS} />
    <p className="border-t border-line p-4 text-sm">
      <Link href="/docs/agents" prefetch={false} className="font-medium text-accent underline">
        What to tell your agent
      </Link>
    </p>
  </section>
);
