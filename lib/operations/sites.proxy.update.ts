import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, siteId, siteShape } from "@/lib/contract/fields";
import { settingFields } from "@/lib/contract/setting-fields";
import { settingColumns, settingLines, settingsIn } from "@/lib/contract/site-settings";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import { invalidInput } from "@/lib/platform/errors";
import { readProxies } from "@/lib/platform/networks";
import { describeSite } from "@/lib/sites/access";
import { type KeyState, readKeyState, rotateSigningKey } from "@/lib/sites/signing";
import { msg } from "@/lib/texts/translate";

const proxies = z
  .array(
    z.string("must be text").max(64, { error: "must have at most 64 characters", abort: true }),
    "must be a list of IP addresses and CIDR ranges",
  )
  .max(100, { error: "must have at most 100 entries", abort: true })
  .superRefine((typed, check) => {
    for (const { path, message } of readProxies(typed).issues) {
      check.addIssue({ code: "custom", path: [Number(path)], message });
    }
  })
  .meta({
    description: "All proxies of the site as IP addresses or CIDR ranges; replaces the previous list",
    examples: [["192.0.2.10", "2001:db8::/32"]],
  });

const input = z.strictObject({
  trusted_proxy_ips: proxies,
  ...settingFields("proxies"),
  rotate_signing_key: z
    .boolean("must be true or false")
    .nullish()
    .meta({ description: "Create a new signing key; the previous one stays valid for 24 hours" }),
  site_id: siteId,
});

export default defineOperation({
  id: "sites.proxy.update",
  title: msg("Set a site's proxies"),
  about:
    "Sets which proxies may send visitor addresses in X-Forwarded-For, and whether they must sign them. It takes effect within ten seconds; see /docs/proxies. Only this answer has a new signing key, and its replays for 72 hours.",
  scope: "sites:write",
  role: "owner",
  risk: "security",
  input,
  example: { trusted_proxy_ips: ["192.0.2.10"], require_signature: true, rotate_signing_key: true, site_id: 1 },
  output: z.object({
    site: siteShape,
    signing_key: about(
      z.string().nullable(),
      "The new key; null when none was created",
      "ffs_3nV8kQx1RbT6yLw0ZpJc9dMfGh2sA7uE4iO5tK",
    ),
    previous_key_valid_until: z.iso
      .datetime()
      .nullable()
      .meta({ examples: ["2026-11-21T09:30:00Z"] }),
  }),

  async summary({ input, site, db }) {
    const before = await db.site.findUniqueOrThrow({ where: { id: site.id } });
    mustHaveKey(input, before);
    const list = (addresses: string[]) => addresses.join(", ") || "None";
    const key = before.signingKey ? "Set" : "None";
    const newKey = before.signingKey ? "New key; the old one works for 24 more hours" : "New key";
    return [
      {
        label: "Trusted proxies",
        before: list(before.trustedProxyIps),
        after: list(readProxies(input.trusted_proxy_ips).proxies),
      },
      ...settingLines("proxies", before, input),
      { label: "Signing key", before: key, after: input.rotate_signing_key ? newKey : key },
    ];
  },

  async current({ site, db }) {
    const now = await db.site.findUniqueOrThrow({ where: { id: site.id } });
    return { trusted_proxy_ips: now.trustedProxyIps, ...settingsIn("proxies", now) };
  },

  async run({ input, site, principal, db, now }) {
    const before = await readKeyState(db, site.id);
    mustHaveKey(input, before);
    const rotation = input.rotate_signing_key ? rotateSigningKey(site.id, before, now) : null;
    await changeSite(db, site.id, {
      trustedProxyIps: readProxies(input.trusted_proxy_ips).proxies,
      ...settingColumns("proxies", input),
      ...rotation?.change,
    });
    const previousUntil = rotation ? rotation.previousUntil : before.previousKeyUntil;
    return {
      site: await describeSite(db, site.id, principal),
      signing_key: rotation?.key ?? null,
      previous_key_valid_until: previousUntil && previousUntil > now ? previousUntil.toISOString() : null,
    };
  },
});

/** @throws Refusal `invalid_input` if signatures are required but the site has no key to sign with. */
function mustHaveKey(change: z.output<typeof input>, { signingKey }: Pick<KeyState, "signingKey">): void {
  if (!change.require_signature || change.rotate_signing_key || signingKey) return;
  throw invalidInput([
    {
      path: "require_signature",
      message: "needs a signing key and the site has none; send rotate_signing_key: true too",
    },
  ]);
}
