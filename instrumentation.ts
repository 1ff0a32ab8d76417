import { installation } from "@/lib/server/installation";

/** Called by Next before the first request. Does nothing under `npm start`, where the server has already booted. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs" || installation.booted) return;
  const { bootAlone } = await import("@/lib/server/boot");
  await bootAlone();
}
