import type { Family } from "@/lib/metrics/registry";

/** The text that Prometheus reads (exposition format 0.0.4). What several threads count alike is added up. */
export function metricsText(families: readonly Family[]): string {
  const names = [...new Set(families.map(({ name }) => name))];
  return names.map((name) => textOf(families.filter((family) => family.name === name))).join("");
}

function textOf(alike: Family[]): string {
  const [first] = alike as [Family];
  const sums = new Map<string, number>();
  for (const { suffix, labels, value } of alike.flatMap(({ samples }) => samples)) {
    const series = `${first.name}${suffix}${labels.length > 0 ? `{${labels.map(labelText).join(",")}}` : ""}`;
    sums.set(series, (sums.get(series) ?? 0) + value);
  }
  const lines = [...sums].map(([series, value]) => `${series} ${value}\n`);
  return `# HELP ${first.name} ${first.help}\n# TYPE ${first.name} ${first.type}\n${lines.join("")}`;
}

const labelText = ([name, value]: [string, string]): string =>
  `${name}="${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
