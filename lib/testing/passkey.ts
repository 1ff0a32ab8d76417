import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** An authenticator in software (WebAuthn level 3), to make answers that browsers would not. */

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

const base64url = (bytes: Buffer | string): string => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Buffer | string): Buffer => createHash("sha256").update(bytes).digest();

/** What an answer contains in place of what is right. */
interface Changes {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** Whether the authenticator has verified its user. */
  verified?: boolean;
  counter?: number;
  type?: string;
}

/** Returns a new passkey. Each of its signatures increments its counter. */
export function softPasskey(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  let counter = 0;

  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));

  function data({ rpId = new URL(origin).hostname, verified = true, ...changes }: Changes, more = Buffer.alloc(0)) {
    counter += 1;
    const head = Buffer.alloc(5);
    head[0] = USER_PRESENT | (verified ? USER_VERIFIED : 0) | (more.length > 0 ? HAS_CREDENTIAL : 0);
    head.writeUInt32BE(changes.counter ?? counter, 1);
    return Buffer.concat([sha256(rpId), head, more]);
  }

  const common = { id: base64url(id), rawId: base64url(id), type: "public-key" as const, clientExtensionResults: {} };

  return {
    id: base64url(id),
    /** Answers the options of a registration. */
    register({ challenge }: { challenge: string }, changes: Changes = {}) {
      const jwk = publicKey.export({ format: "jwk" });
      const coordinate = (text = "") => Buffer.concat([Buffer.from([0x58, 0x20]), Buffer.from(text, "base64url")]);
      // A COSE key: an EC2 key (1: 2) for ES256 (3: -7) on P-256 (-1: 1).
      const key = Buffer.concat([
        Buffer.from("a5010203262001", "hex"),
        Buffer.concat([Buffer.from([0x21]), coordinate(jwk.x), Buffer.from([0x22]), coordinate(jwk.y)]),
      ]);
      const length = Buffer.from([0, id.length]);
      const authData = data(changes, Buffer.concat([Buffer.alloc(16), length, id, key]));
      const client = clientData(
        changes.type ?? "webauthn.create",
        changes.challenge ?? challenge,
        changes.origin ?? origin,
      );
      // CBOR of { fmt: "none", attStmt: {}, authData }.
      const attestation = Buffer.concat([
        Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex"),
        Buffer.from([authData.length]),
        authData,
      ]);
      const response = { clientDataJSON: base64url(client), attestationObject: base64url(attestation) };
      return { ...common, response: { ...response, transports: ["internal"] } };
    },
    /** Answers a challenge. */
    answer({ challenge }: { challenge: string }, changes: Changes = {}) {
      const authData = data(changes);
      const client = clientData(
        changes.type ?? "webauthn.get",
        changes.challenge ?? challenge,
        changes.origin ?? origin,
      );
      const signature = sign("sha256", Buffer.concat([authData, sha256(client)]), privateKey);
      return {
        ...common,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(authData),
          signature: base64url(signature),
        },
      };
    },
  };
}
