import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId, siteShape } from "@/lib/contract/fields";
import { changeSite } from "@/lib/gateway/changes/site-revision";
import { invalidInput } from "@/lib/platform/errors";
import { readProxies } from "@/lib/platform/networks";
import { describeSite } from "@/lib/sites/access";
import { type KeyState, readKeyState, rotateKey } from "@/lib/sites/signing";

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
    description: "All proxies of the site, as IP addresses or CIDR ranges; the list replaces the one before",
    examples: [["192.0.2.10", "2001:db8::/32"]],
  });

const input = z.strictObject({
  trusted_proxy_ips: proxies,
  require_signature: z
    .boolean("must be true or false")
    .meta({ description: "Whether what these proxies forward counts only with a signature" }),
  rotate_signing_key: z
    .boolean("must be true or false")
    .nullish()
    .meta({ description: "Make a new signing key; the one before stays valid for 24 hours" }),
  site_id: siteId,
});

export default defineOperation({
  id: "sites.proxy.update",
  title: "Set a site's proxies",
  about:
    "Says which proxies may name a site's visitors in X-Forwarded-For, and whether they must sign what they forward. It takes effect within ten seconds; /docs/proxies shows the headers. A new signing key is shown once, in the answer.",
  scope: "sites:write",
  role: "owner",
  risk: "security",
  input,
  example: { trusted_proxy_ips: ["192.0.2.10"], require_signature: true, rotate_signing_key: true, site_id: 1 },
  output: z.object({
    site: siteShape,
    signing_key: z.string().nullable().meta({ description: "The new key, shown this once; null when none was made" }),
    previous_key_valid_until: z.iso.datetime().nullable(),
  }),

  async summary({ input, site, db }) {
    const before = await db.site.findUniqueOrThrow({ where: { id: site.id } });
    mustHaveKey(input, before);
    const list = (addresses: string[]) => addresses.join(", ") || "None";
    const yesNo = (yes: boolean) => (yes ? "Yes" : "No");
    const key = before.signingKey ? "Set" : "None";
    const newKey = before.signingKey ? "A new one; the present one works for 24 more hours" : "A new one";
    return [
      {
        label: "Trusted proxies",
        before: list(before.trustedProxyIps),
        after: list(readProxies(input.trusted_proxy_ips).proxies),
      },
      { label: "Signature required", before: yesNo(before.requireSignature), after: yesNo(input.require_signature) },
      { label: "Signing key", before: key, after: input.rotate_signing_key ? newKey : key },
    ];
  },

  async run({ input, site, principal, db, now }) {
    const before = await readKeyState(db, site.id);
    mustHaveKey(input, before);
    const rotation = input.rotate_signing_key ? rotateKey(site.id, before, now) : null;
    await changeSite(db, site.id, {
      trustedProxyIps: readProxies(input.trusted_proxy_ips).proxies,
      requireSignature: input.require_signature,
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

/** Without a key nothing could be signed: everything the proxies forward would be refused. */
function mustHaveKey(asked: z.output<typeof input>, { signingKey }: Pick<KeyState, "signingKey">): void {
  if (!asked.require_signature || asked.rotate_signing_key || signingKey) return;
  throw invalidInput([
    {
      path: "require_signature",
      message: "needs a signing key and the site has none; send rotate_signing_key: true too",
    },
  ]);
}
