import { OWN_EVENTS, SERVICE_TITLES, type ServiceName } from "@/lib/contract/import-services";
import { type FileHead, listed, type Service, UnknownFile } from "@/lib/transfer/daily-sums";
import { FATHOM } from "@/lib/transfer/fathom";
import { FOOTFALL_TOTALS } from "@/lib/transfer/footfall-totals";
import { GA4 } from "@/lib/transfer/ga4";
import { GOATCOUNTER } from "@/lib/transfer/goatcounter";
import { ImportRefused } from "@/lib/transfer/import";
import { MATOMO } from "@/lib/transfer/matomo";
import { PLAUSIBLE } from "@/lib/transfer/plausible";
import { SIMPLE_ANALYTICS } from "@/lib/transfer/simple-analytics";
import { UMAMI } from "@/lib/transfer/umami";

/** The services whose exports can be imported, by their names in `facts.imported`. */

export const SERVICES: Record<ServiceName, Service> = {
  plausible: PLAUSIBLE,
  umami: UMAMI,
  ga4: GA4,
  matomo: MATOMO,
  fathom: FATHOM,
  simple_analytics: SIMPLE_ANALYTICS,
  goatcounter: GOATCOUNTER,
  footfall_totals: FOOTFALL_TOTALS,
};

/** Files that a refusal names. */
const MAX_NAMED = 20;
/** What no other service has together. */
const COLUMNS_OF_OWN_EXPORT = ["event_id", "time", "visit_id", "visit_started"];

export type Source = ServiceName | typeof OWN_EVENTS;

/**
 * Returns the service that files are from, by their headers: the one that reads most of them, or else that they look
 * like. Its `reader` refuses the others by name. Own exports of events are only taken alone.
 *
 * @throws ImportRefused if no service has such files, naming each file with its columns and what is expected
 */
export function serviceOf(files: readonly FileHead[]): Source {
  const names = Object.keys(SERVICES) as ServiceName[];
  const own = files.find(isOwnExport);
  const other = files.find((file) => !isOwnExport(file));
  if (own && other)
    throw new ImportRefused(
      `${own.name} has events of Footfall, and ${other.name} has not (${listed(other.header)}). Import them one after the other.`,
    );
  if (own) return OWN_EVENTS;
  for (const fits of [canRead, (name: ServiceName, file: FileHead) => SERVICES[name].claims(file)]) {
    const counts = names.map((name) => files.filter((file) => fits(name, file)).length);
    const most = Math.max(...counts);
    if (most > 0) return names[counts.indexOf(most)] as ServiceName;
  }
  throw new ImportRefused(
    [
      files.length === 0 ? "The upload contains no files." : "None of the files is known.",
      ...files
        .slice(0, MAX_NAMED)
        .map(({ name, header }) => `${name}: ${header.length === 0 ? "it is empty" : listed(header)}.`),
      ...(files.length > MAX_NAMED ? [`And ${files.length - MAX_NAMED} more files.`] : []),
      "Expected one of:",
      "Footfall: its export of all events as NDJSON, CSV or Parquet.",
      ...names.map((name) => `${SERVICE_TITLES[name]}: ${SERVICES[name].expected}`),
    ].join("\n"),
  );
}

const isOwnExport = ({ header }: FileHead): boolean => COLUMNS_OF_OWN_EXPORT.every((column) => header.includes(column));

function canRead(name: ServiceName, file: FileHead): boolean {
  try {
    SERVICES[name].reader(file);
    return true;
  } catch (error) {
    if (error instanceof UnknownFile) return false;
    throw error;
  }
}
