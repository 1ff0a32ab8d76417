"use client";

import { LayoutDashboard } from "lucide-react";
import { useState } from "react";
import { useSavedList } from "@/components/actions/saved-list";
import type { ActionInput } from "@/components/actions/typed";
import { DeleteSaved } from "@/components/reports/delete-saved";
import { savedAddress } from "@/components/reports/saved-address";
import { ChosenName, SavedChoices } from "@/components/reports/saved-choices";
import type { Question, Stored } from "@/components/reports/saved-dashboard";
import { type Patch, useGo } from "@/components/reports/view-frame";
import { lazyDialog } from "@/components/ui/lazy";
import { Menu, MenuAction, MenuEnd } from "@/components/ui/menu";
import type { DashboardPanel } from "@/lib/sites/saved/dashboards";
import { t } from "@/lib/texts/translate";

const DashboardDialog = lazyDialog(() => import("@/components/reports/dashboard-dialog"));

export interface SavedDashboard {
  id: string;
  name: string;
  /** Description of its content. */
  about: string;
  /** Name of the creator; null if unknown or no longer a member. */
  maker: string | null;
  /** Search parameters that open it. */
  patch: Patch;
  /** Whether the current view differs from it. */
  changed: boolean;
  /** Whether it opens in Explore. */
  explores: boolean;
}

/** The current view as it would be saved. */
export interface SavableView {
  /** null if its segment and its filters cannot be combined. */
  stored: (Stored & { panels: DashboardPanel[]; explore: Question | null }) | null;
  /** Its search parameters, with the segment as filters. */
  patch: Patch;
  /** Descriptions of its parts. */
  words: string[];
}

/** A dashboard to save; the id of a new one is null. */
export interface DashboardDraft extends Omit<SavedDashboard, "id" | "maker"> {
  id: string | null;
  view: NonNullable<SavableView["stored"]>;
}

interface Props {
  siteId: number;
  dashboards: SavedDashboard[];
  /** Id of the open dashboard. */
  current: string | null;
  panels: DashboardPanel[];
  saving: SavableView;
  /** Whether the user can change saved dashboards. */
  manages: boolean;
}

/** Patch that opens the default dashboard: removes all parameters. */
const DEFAULT_VIEW: Patch = Object.fromEntries(
  [
    ...["dashboard", "opened", "period", "from", "to", "traffic", "compare", "compare_from", "compare_to"],
    ...["filters", "panels", "segment", "interval", "goal", "attribution"],
  ].map((key) => [key, null]),
);

/** Menu of the site's dashboards, with the dialog to choose panels. */
export function DashboardPicker({ siteId, dashboards, current, panels, saving, manages }: Props) {
  const [choosing, setChoosing] = useState(false);
  const [deleting, setDeleting] = useState<SavedDashboard | null>(null);
  const go = useGo();
  const list = useSavedList({
    siteId,
    kind: "dashboards",
    rows: dashboards,
    fields: ["name"],
    inputOf: ({ id, name, view }: DashboardDraft) =>
      ({ ...view, site_id: siteId, id, name }) as ActionInput<"sites.dashboards.save">,
  });
  const chosen = list.shown.find(({ id, explores }) => id === current && !explores) ?? null;
  const { stored } = saving;

  function start(what: "edit" | "delete") {
    if (what === "delete") return setDeleting(chosen);
    if (!manages || !stored) return setChoosing(true);
    const { id = null, name = "" } = chosen ?? {};
    list.open({
      id,
      name,
      about: saving.words.join(", "),
      patch: saving.patch,
      changed: false,
      explores: false,
      view: stored,
    });
  }

  async function save(draft: DashboardDraft) {
    const open = (opened: string) => go({ ...draft.patch, opened });
    if (draft.id) open(draft.id);
    const done = await list.save(draft);
    if (done && !draft.id) open(done.id);
  }

  function show(patch: Patch) {
    setChoosing(false);
    list.close();
    go(patch);
  }

  return (
    <>
      {list.shown.length === 0 ? (
        <button
          type="button"
          aria-haspopup="dialog"
          title={t("Choose panels")}
          aria-label={t("Choose panels")}
          onClick={() => start("edit")}
          className="grid size-9 place-items-center rounded-lg border border-line bg-surface text-muted shadow-card hover:bg-sunken"
        >
          <LayoutDashboard />
        </button>
      ) : (
        <DashboardMenu siteId={siteId} dashboards={list.shown} chosen={chosen} manages={manages} onStart={start} />
      )}
      {choosing && (
        <DashboardDialog
          panels={panels}
          manages={manages}
          saving={null}
          onShow={show}
          onCancel={() => setChoosing(false)}
        />
      )}
      {list.editing && (
        <DashboardDialog
          panels={panels}
          manages={manages}
          saving={{ ...list.editing, onSave: save }}
          onShow={show}
          onCancel={list.close}
        />
      )}
      {deleting && (
        <DeleteSaved
          saved={deleting}
          onDelete={async () => {
            if (await list.remove(deleting)) go({ opened: null });
          }}
          onClose={() => setDeleting(null)}
        >
          {t("Existing links keep working. No analytics data is deleted.")}
        </DeleteSaved>
      )}
    </>
  );
}

interface DashboardMenuProps extends Pick<Props, "siteId" | "dashboards" | "manages"> {
  chosen: SavedDashboard | null;
  onStart(what: "edit" | "delete"): void;
}

function DashboardMenu({ siteId, dashboards, chosen, manages, onStart }: DashboardMenuProps) {
  return (
    <Menu
      name={t("Dashboard")}
      icon={<LayoutDashboard className="size-4 text-muted" />}
      label={<ChosenName chosen={chosen} none={t("Default")} className="xl:max-2xl:max-w-28" />}
    >
      <SavedChoices
        chosen={chosen?.id ?? ""}
        choices={[
          { id: "", name: t("Default dashboard"), about: null, patch: DEFAULT_VIEW },
          ...dashboards.map((one) => ({
            ...one,
            ...(one.explores && { href: savedAddress(siteId, one.id) }),
            about: [one.explores && t("Explore"), one.about].filter(Boolean).join(" · "),
          })),
        ]}
      />
      <MenuEnd>
        <MenuAction onPress={() => onStart("edit")}>
          {manages ? t("Choose panels or save…") : t("Choose panels…")}
        </MenuAction>
        {manages && chosen && (
          <MenuAction onPress={() => onStart("delete")}>{t("Delete {name}…", { name: chosen.name })}</MenuAction>
        )}
      </MenuEnd>
    </Menu>
  );
}
