import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** Signing in with a provider and with passkeys: cases 160 and later. */
export const SIGN_IN: readonly (Protection | Exempt)[] = [
  {
    case: 169,
    file: "lib/auth/provider-sign-in.ts",
    find: 'if (isVerified !== true) return { email: null, refusal: "unverified" };',
    replace: "",
    test: { file: "lib/auth/oidc.test.ts", title: "an address that is not verified links and creates nothing" },
  },
  {
    case: 170,
    file: "lib/auth/oidc.ts",
    find: 'checks: ["pkce", "state", "nonce"],',
    replace: 'checks: ["pkce", "state"],',
    test: {
      file: "lib/auth/oidc.test.ts",
      title: "an ID token that is forged, expired or for somebody else signs nobody in",
    },
  },
  {
    case: 171,
    file: "lib/auth/oidc.ts",
    find: '{ ...checks, response_type: "code" }',
    replace: '{ response_type: "code", state: params.state, nonce: checks.nonce, code_verifier: checks.code_verifier }',
    test: {
      file: "lib/auth/oidc.test.ts",
      title: "an answer for another browser, a replayed one and one without state",
    },
  },
  {
    case: 172,
    file: "lib/auth/next-auth.ts",
    find: "if (journey?.issuer !== settings.issuer) return redirect(failed);",
    replace: "if (!journey) return redirect(failed);",
    test: { file: "lib/auth/oidc.test.ts", title: "the answer of another provider is refused" },
  },
  {
    case: 173,
    file: "lib/auth/provider-sign-in.ts",
    find: 'if (!person.isConfirmed) return "unconfirmed";',
    replace: "",
    test: { file: "lib/auth/oidc.test.ts", title: "an account whose address nobody has confirmed is not linked" },
  },
  {
    case: 174,
    file: "lib/auth/provider-sign-in.ts",
    find: "domains.length === 0 || domains.includes(domainToASCII(domain))",
    replace: "domains.length === 0 || domains.some((one) => domainToASCII(domain).endsWith(one))",
    test: { file: "lib/auth/oidc.test.ts", title: "only addresses of the allowed domains sign in" },
  },
  {
    case: 175,
    file: "lib/auth/next-auth.ts",
    find: "{ ...toAsk, query: { nextauth: toAsk.query.nextauth } },",
    replace: "toAsk,",
    test: { file: "lib/auth/oidc.test.ts", title: "no parameter that the browser has added" },
  },
  {
    case: 176,
    file: "lib/auth/provider-sign-in.ts",
    find: 'if (typeof authTime !== "number" || authTime * 1000 < at - CLOCK_MS) return "no";',
    replace: "",
    test: { file: "lib/auth/oidc.test.ts", title: "reauthenticates at the provider, which must ask again" },
  },
  {
    case: 177,
    file: "lib/auth/next-auth.ts",
    find: "if (kind) {",
    replace: "if (false) {",
    test: {
      file: "lib/auth/oidc.test.ts",
      title: "the second factor of an account is asked for after the provider too",
    },
  },
  {
    case: 178,
    file: "lib/auth/passkeys.ts",
    find: "expectedOrigin: origin,\n    expectedRPID: rpId,\n    credential:",
    replace:
      'expectedOrigin: JSON.parse(Buffer.from(answer.response.clientDataJSON, "base64url").toString()).origin,\n    expectedRPID: rpId,\n    credential:',
    test: { file: "lib/auth/passkeys.test.ts", title: "an answer from another origin, for another host" },
  },
  {
    case: 179,
    file: "lib/auth/passkeys.ts",
    find: "where: { hash: hashOf(challenge), holder: hashOf(holder), purpose, expiresAt: { gt: now } },",
    replace: "where: { hash: hashOf(challenge), purpose, expiresAt: { gt: now } },",
    test: { file: "lib/auth/passkeys.test.ts", title: "a replayed answer is refused" },
  },
  {
    case: 180,
    file: "lib/auth/passkeys.ts",
    find: "counter: Number(counter) },",
    replace: "counter: 0 },",
    test: { file: "lib/auth/passkeys.test.ts", title: "a counter that does not grow is refused" },
  },
  {
    case: 181,
    file: "lib/auth/passkeys.ts",
    find: "if (!challenge || !known || (personId !== null && known.personId !== personId)) return null;",
    replace: "if (!challenge || !known) return null;",
    test: { file: "lib/auth/passkeys.test.ts", title: "the passkey of another person neither reauthenticates" },
  },
  {
    case: 182,
    file: "lib/auth/person-ways.ts",
    find: "if (password || provider || passkey) return;",
    replace: "return;",
    test: { file: "lib/auth/passkeys.test.ts", title: "the last way to sign in cannot be removed" },
  },
  {
    case: 183,
    file: "lib/auth/ways.ts",
    find: "if (passwordIsOn()) return;",
    replace: "return;",
    test: { file: "lib/auth/oidc.test.ts", title: "without passwords nobody signs in" },
  },
  {
    case: 184,
    file: "lib/account/change-password.ts",
    find: "  if (everyBrowser) {",
    replace: "  if (false) {",
    test: { file: "lib/auth/passkeys.test.ts", title: "securing an account removes its passkeys" },
  },
  {
    case: 185,
    file: "lib/auth/oidc.ts",
    find: 'if (more.sub !== claims.sub) throw new Error("The provider described another subject");',
    replace: "",
    test: { file: "lib/auth/oidc.test.ts", title: "of the same subject only" },
  },
];
