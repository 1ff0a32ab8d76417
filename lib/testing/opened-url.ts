import { inject } from "vitest";
import { db } from "@/lib/platform/db";

/** Returns the URL of the database that this process has opened, such as the one of `databaseForTests`. */
export async function openedUrl(): Promise<string> {
  const [row] = await db().$queryRaw<{ name: string }[]>`SELECT current_database() AS name`;
  return Object.assign(new URL(inject("databaseUrl")), { pathname: `/${row?.name}` }).href;
}
