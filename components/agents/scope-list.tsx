import { SCOPES, type Scope } from "@/lib/contract/vocabulary";

/** What an agent may do, in words. */
export const ScopeList = ({ scopes }: { scopes: readonly Scope[] }) =>
  scopes.length === 0 ? (
    <p className="text-sm text-muted">Nothing any more.</p>
  ) : (
    <ul className="list-disc space-y-0.5 pl-4 text-sm marker:text-muted">
      {scopes.map((scope) => (
        <li key={scope}>{SCOPES[scope]}</li>
      ))}
    </ul>
  );

/** The same in a line, for a list of agents. All of it: what is left out could be what matters. */
export const scopesInLine = (scopes: readonly Scope[]): string =>
  scopes.length === 0 ? "May do nothing" : scopes.map((scope) => SCOPES[scope]).join(" · ");
