import { createHash } from "node:crypto";
import os from "node:os";
import path from "node:path";

/** A socket's path may hold about 100 characters; a deep `dataDir` gets a short folder of its own. */
export function socketDir(home: string): string {
  if (Buffer.byteLength(home) <= 85) return home;
  return path.join(os.tmpdir(), `footfall-${createHash("sha256").update(home).digest("hex").slice(0, 24)}`);
}

/** The configuration file of the embedded Postgres: everything that is not its default. */
export function settings(home: string): string {
  const memory = os.totalmem() / 2 ** 20;
  const megabytes = Math.round(Math.min(1024, Math.max(128, memory / 16)));
  // Reports sort and group hundreds of thousands of visits; no more than six are asked at once.
  const working = Math.round(Math.min(96, Math.max(32, memory / 256)));
  return [
    "listen_addresses = ''",
    `unix_socket_directories = '${socketDir(home).replaceAll("'", "''")}'`,
    "unix_socket_permissions = 0700",
    "max_connections = 100",
    // Writers lock each visitor of a batch.
    "max_locks_per_transaction = 256",
    `shared_buffers = ${megabytes}MB`,
    `effective_cache_size = ${megabytes * 3}MB`,
    `work_mem = ${working}MB`,
    "maintenance_work_mem = 128MB",
    "max_wal_size = 2GB",
    "checkpoint_timeout = 15min",
    "wal_compression = on",
    "synchronous_commit = on",
    "random_page_cost = 1.1",
    "jit = off",
    "timezone = 'UTC'",
    "logging_collector = off",
    "",
  ].join("\n");
}
