import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type pg from "pg";

/**
 * The roles of the embedded Postgres. `admin` is the superuser, for administration only. The service connects as `app`,
 * which owns the database and everything in it, and as `reports`, which can only read facts.
 */
export const DATABASE_ROLES = { admin: "footfall", app: "footfall_app", reports: "footfall_reports" } as const;
export type RoleName = keyof typeof DATABASE_ROLES;

const FILES: Record<RoleName, string> = {
  admin: "postgres-password",
  app: "postgres-app-password",
  reports: "postgres-reports-password",
};

export const passwordFile = (dataDir: string, role: RoleName): string => path.join(dataDir, FILES[role]);

/** Creates a random password for the role, unless it has one. */
export function ensurePassword(dataDir: string, role: RoleName): void {
  const file = passwordFile(dataDir, role);
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
}

/** Returns the URL of the embedded database for a role. */
export function urlOf(dataDir: string, socketDir: string, role: RoleName): string {
  const password = readFileSync(passwordFile(dataDir, role), "utf8").trim();
  return `postgresql://${DATABASE_ROLES[role]}:${password}@localhost/postgres?host=${encodeURIComponent(socketDir)}`;
}

/**
 * Creates the roles and transfers everything that an earlier version created as superuser to the application role. Runs
 * at every start.
 */
export async function prepareRoles(admin: pg.Client, dataDir: string): Promise<void> {
  for (const role of ["app", "reports"] as const) {
    ensurePassword(dataDir, role);
    const name = DATABASE_ROLES[role];
    const { rows } = await admin.query("SELECT FROM pg_roles WHERE rolname = $1", [name]);
    const password = admin.escapeLiteral(readFileSync(passwordFile(dataDir, role), "utf8").trim());
    await admin.query(`${rows.length > 0 ? "ALTER" : "CREATE"} ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE
      NOREPLICATION NOBYPASSRLS PASSWORD ${password}`);
  }
  await admin.query(`
    ALTER ROLE ${DATABASE_ROLES.reports} SET default_transaction_read_only = on;
    -- Allows the application to cancel statements of reports.
    GRANT ${DATABASE_ROLES.reports} TO ${DATABASE_ROLES.app};
    ALTER DATABASE postgres OWNER TO ${DATABASE_ROLES.app};
    REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC;
    ${CHANGE_OWNERS}`);
}

/**
 * Changes owners. Indexes and sequences of columns follow their tables; objects that the application already owns are
 * skipped.
 */
const CHANGE_OWNERS = `
  DO $$
  DECLARE statement text;
  BEGIN
    FOR statement IN
      SELECT format('SCHEMA %I', nspname) FROM pg_namespace
        WHERE nspname = 'facts' AND nspowner <> '${DATABASE_ROLES.app}'::regrole
      UNION ALL SELECT format('%s %I.%I',
          CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END,
          nspname, relname)
        FROM pg_class AS relation JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname IN ('public', 'facts') AND relkind IN ('r', 'p', 'S', 'v', 'm')
          AND relowner <> '${DATABASE_ROLES.app}'::regrole
          AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = relation.oid
            AND deptype IN ('a', 'i') AND refclassid = 'pg_class'::regclass AND relkind = 'S')
      UNION ALL SELECT format('ROUTINE %s', pg_proc.oid::regprocedure)
        FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
        WHERE nspname IN ('public', 'facts') AND proowner <> '${DATABASE_ROLES.app}'::regrole
      UNION ALL SELECT format('TYPE %s', pg_type.oid::regtype)
        FROM pg_type JOIN pg_namespace ON pg_namespace.oid = typnamespace
        WHERE nspname IN ('public', 'facts') AND typtype IN ('d', 'e') AND typowner <> '${DATABASE_ROLES.app}'::regrole
    LOOP
      EXECUTE format('ALTER %s OWNER TO ${DATABASE_ROLES.app}', statement);
    END LOOP;
  END $$`;
