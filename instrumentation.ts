import { installation } from "@/lib/server/installation";

/** Next calls this before it answers anything. Under `npm start` the server has booted already. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs" || installation.booted) return;
  const { bootAlone } = await import("@/lib/server/boot");
  await bootAlone();
}
