import { iconOf } from "@/components/icons/icon-of";
import { type ListRow, OUTCOMES_SHOWN } from "@/components/reports/answers";
import { paramsOf } from "@/components/reports/filters";
import { readView, reportInput } from "@/components/reports/view";
import { type DimensionKey, isDimension } from "@/lib/analytics/query/dimensions";
import { valueName } from "@/lib/analytics/query/value-names";
import analyticsExplore from "@/lib/operations/analytics.explore";
import { Refusal } from "@/lib/platform/errors";
import { t } from "@/lib/texts/translate";
import { measured, outcomesOfRow, outcomesShown } from "./outcomes-of";
import type { QueryContext } from "./queries";

/** As many as the lists of the overview have. */
const ROWS = 10;
/** Most visits have none of these: that is no row. */
const ONLY_KNOWN: ReadonlySet<DimensionKey> = new Set(["utm_term", "utm_content"]);

/** The values of a dimension with the most visitors, for a tab that the overview has no list for. @throws Refusal */
export async function listFromQuery(
  context: QueryContext,
  searchParams: URLSearchParams,
): Promise<{ rows: ListRow[] }> {
  const { as, siteId, now } = context;
  const dimension = searchParams.get("list") ?? "";
  if (!isDimension(dimension)) throw new Refusal("invalid_input", t("This dimension does not exist."));
  const view = readView(paramsOf(searchParams));
  const outcomes = await outcomesShown(context, view, searchParams.get(OUTCOMES_SHOWN));
  const asked = { dimensions: dimension, sort: "-visitors", limit: ROWS + 1 };
  const input = { ...reportInput(siteId, view), ...asked, ...measured(["visitors"], outcomes, view) };
  const { data } = await as(analyticsExplore, { input, now });
  const isCompared = data.comparison?.some((row) => (row?.visitors ?? 0) > 0) ?? false;
  const rows = data.rows.flatMap((row, index): ListRow[] => {
    const { values, visitors } = row;
    const value = values[0] ?? null;
    if (value === null && ONLY_KNOWN.has(dimension)) return [];
    const icon = iconOf(dimension, value);
    return [
      {
        value,
        text: valueName(dimension, value),
        ...(icon !== undefined && { icon }),
        visitors: visitors ?? 0,
        ...(isCompared && { before: data.comparison?.[index]?.visitors ?? 0 }),
        ...outcomesOfRow(row),
      },
    ];
  });
  return { rows: rows.slice(0, ROWS) };
}
