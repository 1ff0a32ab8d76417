import { chmodSync, chownSync, mkdirSync, statSync } from "node:fs";

/**
 * Creates the data folder and removes access for all other users of this machine: it holds secrets, the embedded
 * database and emails.
 *
 * @param group its members may pass through the folder but not list it.
 */
export function restrictDataDir(dataDir: string, group?: number): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { uid, mode } = statSync(dataDir);
  // Only the owner of the folder may change its mode.
  if (uid !== process.getuid?.()) return;
  if (group !== undefined) chownSync(dataDir, uid, group);
  chmodSync(dataDir, group === undefined ? mode & 0o770 : 0o710);
}
