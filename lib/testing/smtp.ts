import { once } from "node:events";
import net from "node:net";

/** An SMTP server on loopback that accepts every email, with the minimum of RFC 5321. */
export interface MailServer {
  url: string;
  port: number;
  /** Received emails with the envelope recipient and the raw text. */
  emails: { to: string; text: string }[];
  stop(): Promise<void>;
}

export async function startMailServer(port = 0): Promise<MailServer> {
  const emails: MailServer["emails"] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket.once("close", () => sockets.delete(socket)));
    converse(socket, (to, text) => emails.push({ to, text }));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: actualPort } = server.address() as net.AddressInfo;
  return {
    url: `smtp://127.0.0.1:${actualPort}`,
    port: actualPort,
    emails,
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

function converse(socket: net.Socket, onEmail: (to: string, text: string) => void): void {
  let buffer = "";
  let to = "";
  let inData = false;
  const reply = (line: string) => socket.write(`${line}\r\n`);
  socket.setEncoding("utf8").on("error", () => {});
  socket.on("data", (chunk) => {
    buffer += chunk;
    for (let end = buffer.indexOf(inData ? "\r\n.\r\n" : "\r\n"); end >= 0; ) {
      const message = buffer.slice(0, end);
      buffer = buffer.slice(end + (inData ? 5 : 2));
      if (inData) {
        inData = false;
        onEmail(to, message);
        reply("250 OK");
      } else if (/^DATA/i.test(message)) {
        inData = true;
        reply("354 Start mail input");
      } else {
        to = /^RCPT TO:<(.*)>/i.exec(message)?.[1] ?? to;
        reply(/^QUIT/i.test(message) ? "221 Bye" : "250 OK");
      }
      end = buffer.indexOf(inData ? "\r\n.\r\n" : "\r\n");
    }
  });
  reply("220 Ready");
}
