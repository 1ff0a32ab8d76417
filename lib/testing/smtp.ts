import { once } from "node:events";
import net from "node:net";

/** A mail server on this machine that takes every letter, as far as RFC 5321 is needed for that. */
export interface MailServer {
  url: string;
  port: number;
  /** What came, each with the address it was handed over for and its text as it went over the wire. */
  letters: { to: string; text: string }[];
  stop(): Promise<void>;
}

export async function startMailServer(port = 0): Promise<MailServer> {
  const letters: MailServer["letters"] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket.once("close", () => sockets.delete(socket)));
    converse(socket, (to, text) => letters.push({ to, text }));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: taken } = server.address() as net.AddressInfo;
  return {
    url: `smtp://127.0.0.1:${taken}`,
    port: taken,
    letters,
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

function converse(socket: net.Socket, take: (to: string, text: string) => void): void {
  let heard = "";
  let to = "";
  let writing = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  socket.setEncoding("utf8").on("error", () => {});
  socket.on("data", (chunk) => {
    heard += chunk;
    for (let end = heard.indexOf(writing ? "\r\n.\r\n" : "\r\n"); end >= 0; ) {
      const said = heard.slice(0, end);
      heard = heard.slice(end + (writing ? 5 : 2));
      if (writing) {
        writing = false;
        take(to, said);
        say("250 taken");
      } else if (/^DATA/i.test(said)) {
        writing = true;
        say("354 go on");
      } else {
        to = /^RCPT TO:<(.*)>/i.exec(said)?.[1] ?? to;
        say(/^QUIT/i.test(said) ? "221 bye" : "250 yes");
      }
      end = heard.indexOf(writing ? "\r\n.\r\n" : "\r\n");
    }
  });
  say("220 here");
}
