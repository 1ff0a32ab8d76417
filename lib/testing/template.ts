/** The migrated database that the databases of test files are copies of: copying it takes a fraction of migrating. */
export const TEMPLATE = "template_of_tests";

/** Returns the URL with another database. */
export const databaseUrl = (url: string, name: string): string =>
  Object.assign(new URL(url), { pathname: `/${name}` }).href;
