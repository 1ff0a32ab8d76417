import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import * as packet from "dns-packet";

/** What a name holds. Addresses, texts (one string per record, or its chunks) and the name it is an alias of. */
interface Records {
  A?: string[];
  AAAA?: string[];
  TXT?: (string | string[])[];
  CNAME?: string;
  /** Over UDP the answer is cut short, so that it is asked for again over TCP. */
  truncated?: boolean;
}

/** Everything a name server may do: answer, say that it cannot or will not, or stay silent. */
type Behaviour = Records | "servfail" | "refused" | "silent";

export interface DnsServer {
  /** For `DNS_SERVERS`: `127.0.0.1:<port>`. */
  address: string;
  /**
   * What a name does from now on. With several, the first question of each type gets the first and so on; the last one
   * stays. A name that was never set does not exist.
   */
  set(name: string, ...behaviours: [Behaviour, ...Behaviour[]]): void;
  /** How often a name was asked for records of a type. */
  asked(name: string, type: "A" | "AAAA" | "TXT"): number;
  stop(): Promise<void>;
}

const RCODES = { servfail: 2, nxdomain: 3, refused: 5 };

/** Starts a name server on loopback, over UDP and TCP, that does what the test says. It stands for the whole Internet. */
export async function startDns(): Promise<DnsServer> {
  const names = new Map<string, Behaviour[]>();
  const questions = new Map<string, number>();
  const behaviourOf = (name: string, type: string): Behaviour | undefined => {
    const key = `${name.toLowerCase()} ${type}`;
    const before = questions.get(key) ?? 0;
    questions.set(key, before + 1);
    const known = names.get(name.toLowerCase());
    return known?.[Math.min(before, known.length - 1)];
  };
  const reply = (query: packet.Packet, overUdp: boolean) => replyTo(query, overUdp, names, behaviourOf);

  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const answer = reply(packet.streamDecode(received), false);
      received = Buffer.alloc(0);
      if (answer) socket.write(packet.streamEncode(answer));
    });
  }).listen(0, "127.0.0.1");
  await once(tcp, "listening");
  const { port } = tcp.address() as AddressInfo;

  const udp = createSocket("udp4", (message, from) => {
    const answer = reply(packet.decode(message), true);
    if (answer) udp.send(packet.encode(answer), from.port, from.address);
  }).bind(port, "127.0.0.1");
  await once(udp, "listening");

  return {
    address: `127.0.0.1:${port}`,
    set: (name, ...behaviours) => {
      names.set(name.toLowerCase(), behaviours);
      for (const type of ["A", "AAAA", "TXT"]) questions.delete(`${name.toLowerCase()} ${type}`);
    },
    asked: (name, type) => questions.get(`${name.toLowerCase()} ${type}`) ?? 0,
    async stop() {
      udp.close();
      tcp.close();
      for (const socket of sockets) socket.destroy();
      await once(tcp, "close");
    },
  };
}

/** The answer to one query; null for silence. */
function replyTo(
  query: packet.Packet,
  overUdp: boolean,
  names: ReadonlyMap<string, Behaviour[]>,
  behaviourOf: (name: string, type: string) => Behaviour | undefined,
): packet.Packet | null {
  const [question] = query.questions ?? [];
  if (!question) return null;
  const behaviour = behaviourOf(question.name, question.type);
  if (behaviour === "silent") return null;
  const answer = (flags: number, answers: packet.Answer[] = []): packet.Packet => ({
    type: "response",
    id: query.id,
    flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | flags,
    questions: [question],
    answers,
  });
  if (behaviour === undefined) return answer(RCODES.nxdomain);
  if (typeof behaviour === "string") return answer(RCODES[behaviour]);
  if (behaviour.truncated && overUdp) return answer(packet.TRUNCATED_RESPONSE);
  const alias = behaviour.CNAME;
  if (alias === undefined) return answer(0, recordsOf(question.name, question.type, behaviour));
  // As a recursor does it: the alias, and what is found behind it.
  const [target] = names.get(alias.toLowerCase()) ?? [];
  const behind = typeof target === "object" ? recordsOf(alias, question.type, target) : [];
  return answer(0, [{ type: "CNAME", name: question.name, ttl: 0, data: alias }, ...behind]);
}

function recordsOf(name: string, type: string, records: Records): packet.Answer[] {
  if (type === "A" || type === "AAAA") return (records[type] ?? []).map((data) => ({ type, name, ttl: 0, data }));
  if (type === "TXT") return (records.TXT ?? []).map((data) => ({ type, name, ttl: 0, data }));
  return [];
}
