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

/** The same in one line, for a list of agents. */
export function scopesInShort(scopes: readonly Scope[]): string {
  if (scopes.length === 0) return "May do nothing";
  const [first, ...rest] = scopes.map((scope) => SCOPES[scope]);
  if (rest.length === 0) return first ?? "";
  return `${first}, and ${rest.length} more`;
}
