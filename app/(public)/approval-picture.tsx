import { Check } from "lucide-react";
import { t } from "@/lib/texts/translate";

const BINDING_CODE = "KXQ-417";

/** Illustration of the landing page: an agent requests a risky change, and its owner decides. */
export const ApprovalPicture = () => (
  <div
    role="img"
    aria-label={t("An agent has defined a goal and requests an ingest key; its owner approves the request")}
    className="card max-w-md p-1.5 text-sm shadow-xl max-lg:mt-8 lg:ml-auto lg:w-full"
  >
    <div aria-hidden="true">
      <p className="flex items-center gap-2 px-3.5 py-2.5 text-muted">
        <Check className="size-4 shrink-0 text-good" />
        <span className="min-w-0 flex-1 truncate">{t("Your agent added the goal “Signup”")}</span>
        <span className="tabular-nums">9:41</span>
      </p>
      <div className="rounded-lg border border-line bg-sunken/60 px-4 py-3.5">
        <p className="flex items-start justify-between gap-4">
          <span>
            <span className="block font-semibold">{t("Create an ingest key?")}</span>
            <span className="block text-muted">{t("Requested by your agent, for shop.example")}</span>
          </span>
          <span className="font-mono text-base whitespace-nowrap font-semibold tracking-wider">{BINDING_CODE}</span>
        </p>
        <p className="mt-3.5 flex gap-2 font-medium">
          <span className="flex h-8 flex-1 items-center justify-center rounded-lg bg-accent text-accent-ink">
            {t("Approve")}
          </span>
          <span className="flex h-8 flex-1 items-center justify-center rounded-lg border border-line bg-surface">
            {t("Deny")}
          </span>
        </p>
      </div>
      <p className="flex items-center gap-2 px-3.5 py-2.5 text-muted">
        <span className="grid size-4 shrink-0 place-items-center">
          <span className="size-2 rounded-full bg-good" />
        </span>
        <span className="min-w-0 flex-1 truncate">{t("38 visitors now, 1,204 today")}</span>
        <span className="tabular-nums">{t("now")}</span>
      </p>
    </div>
  </div>
);
