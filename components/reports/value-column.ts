import { iconOf } from "@/components/icons/icon-of";
import { type ColumnOf, column, type Describing } from "@/components/reports/sheet";
import { HAS_PATHS } from "@/lib/analytics/query/dimensions";
import { unknownName, valueName } from "@/lib/analytics/query/value-names";

/** Defines a column of values of a dimension, with their names and icons. Server only, as both are. */
export function valueColumn<Row>(
  label: string,
  dimension: string,
  of: (row: Row) => string | null | undefined,
  more: Describing<Row> = {},
): ColumnOf<Row> {
  const read = (row: Row) => of(row) || null;
  const hasPaths = HAS_PATHS.has(dimension);
  return column(
    label,
    hasPaths ? "path" : "text",
    (row) => {
      const value = read(row);
      return hasPaths || value === null ? value : valueName(dimension, value);
    },
    { unknown: unknownName(dimension), icon: (row) => iconOf(dimension, read(row)), ...more },
  );
}
