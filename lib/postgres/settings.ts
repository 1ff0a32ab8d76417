import os from "node:os";

/** Returns the configuration file of the embedded Postgres: every setting that differs from the default. */
export function settings(socketDir: string): string {
  const memory = os.totalmem() / 2 ** 20;
  const megabytes = Math.round(Math.min(1024, Math.max(128, memory / 16)));
  // Reports sort and group hundreds of thousands of visits; at most seven run at the same time.
  const working = Math.round(Math.min(96, Math.max(32, memory / 256)));
  return [
    "listen_addresses = ''",
    `unix_socket_directories = '${socketDir.replaceAll("'", "''")}'`,
    "unix_socket_permissions = 0700",
    "max_connections = 100",
    // A report over ten years locks the tables and indexes of every month.
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
