import { SCOPES, type Scope } from "@/lib/contract/access";
import { t } from "@/lib/texts/translate";

/** The permissions of an agent as a list. */
export const ScopeList = ({ scopes }: { scopes: readonly Scope[] }) =>
  scopes.length === 0 ? (
    <p className="text-sm text-muted">{t("No permissions.")}</p>
  ) : (
    <ul className="list-disc space-y-0.5 pl-4 text-sm marker:text-muted">
      {scopes.map((scope) => (
        <li key={scope}>{t(SCOPES[scope])}</li>
      ))}
    </ul>
  );

/** Returns all permissions of an agent in one line. Not shortened, because any of them could matter. */
export const scopesInLine = (scopes: readonly Scope[]): string =>
  scopes.length === 0 ? t("No permissions") : scopes.map((scope) => t(SCOPES[scope])).join(" · ");
