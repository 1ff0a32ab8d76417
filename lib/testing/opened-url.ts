import { inject } from "vitest";
import { db } from "@/lib/platform/db";
import { databaseUrl } from "@/lib/testing/template";

/** Returns the URL of the database that this process has opened, such as the one of `databaseForTests`. */
export async function openedUrl(): Promise<string> {
  const [row] = await db().$queryRaw<{ name: string }[]>`SELECT current_database() AS name`;
  return databaseUrl(inject("databaseUrl"), `${row?.name}`);
}
