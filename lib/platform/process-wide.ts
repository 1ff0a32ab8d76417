/**
 * Returns a value that exists once per thread, whichever bundle asks for it. The server and Next each bundle their own
 * copy of every module, but a database pool or a write queue must exist only once.
 */
export function processWide<T>(name: string, make: () => T): T {
  const key = Symbol.for(`footfall.${name}`);
  const values = globalThis as unknown as Record<symbol, T | undefined>;
  values[key] ??= make();
  return values[key];
}
