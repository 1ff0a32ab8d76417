import { iconFile } from "@/components/icons/icon-of";
import { t } from "@/lib/texts/translate";

interface Context {
  params: Promise<{ kind: string; name: string }>;
}

/** Icons of rows, which are the same for everybody and change with releases only. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const { kind, name } = await params;
  const svg = name.endsWith(".svg") ? iconFile(kind, name.slice(0, -".svg".length)) : undefined;
  if (svg === undefined)
    return new Response(`${t("There is no icon at this address.")}\n`, { status: 404, headers: PLAIN });
  return new Response(svg, { headers: HEADERS });
}

const PLAIN = { "Content-Type": "text/plain; charset=utf-8" };

const HEADERS = {
  "Content-Type": "image/svg+xml; charset=utf-8",
  "Cache-Control": "public, max-age=604800, stale-while-revalidate=2592000",
};
