import { chmodSync, chownSync, mkdirSync, statSync } from "node:fs";

/**
 * Makes the data folder, and takes from all other users of this machine the right to enter it: it holds secrets, the
 * embedded database and emails.
 *
 * @param group whose members may pass through it, though not list it.
 */
export function closeDataDir(dataDir: string, group?: number): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { uid, mode } = statSync(dataDir);
  // Only its owner may change its mode; an operator who gave it to another user decides about it.
  if (uid !== process.getuid?.()) return;
  if (group !== undefined) chownSync(dataDir, uid, group);
  chmodSync(dataDir, group === undefined ? mode & 0o770 : 0o710);
}
