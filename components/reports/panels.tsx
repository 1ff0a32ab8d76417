import type { Overview } from "@/components/reports/answers";
import { type List, Panel } from "@/components/reports/panel";

const regions = new Intl.DisplayNames("en", { type: "region", fallback: "code" });
const unknown = (value: string | null) => value ?? "Unknown";
const title = (value: string | null) => (value ? value.charAt(0).toUpperCase() + value.slice(1) : "Unknown");

function country(code: string | null): string {
  if (code === null) return "Unknown";
  return /^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code;
}

/** What people saw, where they came from, and with what. */
export function Panels({ panels, metrics, domain }: Pick<Overview, "panels" | "metrics"> & { domain: string }) {
  const page = (key: string, label: string, rows: List["rows"]): List => ({
    key,
    label,
    column: "Page",
    rows,
    write: (value) => value ?? "Unknown page",
    href: (path) => (path.startsWith("/") ? `https://${domain}${path}` : null),
  });
  const placesKnown = panels.countries.some((row) => row.value !== null);
  return (
    <div className={`grid gap-4 lg:grid-cols-2 ${placesKnown ? "" : "xl:grid-cols-3"}`}>
      <Panel
        title="Sources"
        visitors={metrics.visitors}
        lists={[
          {
            key: "sources",
            label: "Sources",
            column: "Source",
            rows: panels.sources,
            write: (value) => value ?? "Direct or unknown",
          },
          { key: "channels", label: "Channels", column: "Channel", rows: panels.channels, write: title },
        ]}
      />
      <Panel
        title="Pages"
        visitors={metrics.visitors}
        lists={[
          page("pages", "Top", panels.pages),
          page("entry", "Entry", panels.entry_pages),
          page("exit", "Exit", panels.exit_pages),
        ]}
      />
      {placesKnown && (
        <Panel
          title="Places"
          visitors={metrics.visitors}
          lists={[{ key: "countries", label: "Countries", column: "Country", rows: panels.countries, write: country }]}
        />
      )}
      <Panel
        title="Devices"
        className={placesKnown ? "" : "lg:max-xl:col-span-2"}
        visitors={metrics.visitors}
        lists={[
          { key: "devices", label: "Device", column: "Device", rows: panels.devices, write: title },
          { key: "browsers", label: "Browser", column: "Browser", rows: panels.browsers, write: unknown },
          { key: "os", label: "System", column: "System", rows: panels.os, write: unknown },
        ]}
      />
    </div>
  );
}
