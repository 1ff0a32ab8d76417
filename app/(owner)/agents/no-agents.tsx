import Link from "next/link";

/** What someone sees who has connected no agent yet. */
export const NoAgents = () => (
  <section className="card p-5" aria-label="How to connect an agent">
    <h2 className="font-semibold">No agent acts for you</h2>
    <p className="mt-1 max-w-prose text-sm text-muted">
      Ask an agent to read your numbers or to look after your sites. It shows you a code; you enter it here and choose
      what it may do and on which sites. It never learns your password, and you can take everything back at any time.
    </p>
    <p className="mt-3 text-sm">
      <Link href="/docs/agents" prefetch={false} className="font-medium text-accent underline">
        What to tell your agent
      </Link>
    </p>
  </section>
);
