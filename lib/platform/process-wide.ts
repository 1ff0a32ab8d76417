/**
 * One value per process, however many bundles ask for it. The server and Next each carry their own
 * copy of these modules; a database pool or a write queue must still exist only once.
 */
export function processWide<T>(name: string, make: () => T): T {
  const key = Symbol.for(`footfall.${name}`);
  const shelf = globalThis as unknown as Record<symbol, T | undefined>;
  shelf[key] ??= make();
  return shelf[key];
}
