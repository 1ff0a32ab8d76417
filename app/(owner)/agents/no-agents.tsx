import Link from "next/link";
import { Steps } from "@/components/ui/steps";

const STEPS = [
  ["Give your agent the docs", "One llms.txt describes the whole API. The agent then shows you a code."],
  ["Enter the code here", "You choose its permissions and sites. It never gets your password."],
  ["Let it work", "You see every change it makes, approve risky ones, and can revoke its access at any time."],
] as const;

/** Empty state of the agents page. */
export const NoAgents = () => (
  <section className="card" aria-label="How to connect an agent">
    <h2 className="px-4 pt-4 font-semibold">No connected agents</h2>
    <Steps steps={STEPS} />
    <p className="border-t border-line p-4 text-sm">
      <Link href="/docs/agents" prefetch={false} className="font-medium text-accent underline">
        How to connect an agent
      </Link>
    </p>
  </section>
);
