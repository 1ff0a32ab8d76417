import { DataTable } from "@/components/reports/parts/data-table";
import type { Sheet } from "@/components/reports/sheet";
import { t } from "@/lib/texts/translate";

/** The table with the data of the chart above it, collapsed by default. */
export const TableTwin = ({ sheet }: { sheet: Sheet | undefined }) =>
  sheet && (
    <details className="group">
      <summary className="w-fit rounded-md px-2 py-1 text-sm font-medium text-accent hover:bg-sunken">
        {t("Show as table")}
      </summary>
      <div className="mt-2">
        <DataTable sheet={sheet} />
      </div>
    </details>
  );
