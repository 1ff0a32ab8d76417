import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { buffer } from "node:stream/consumers";

/** Web server for the sites of tests, each under its own host name. */
export interface Web {
  /** Returns the URL of a page, such as `http://shop.example:4711/about`. */
  url(host: string, path?: string): string;
  /** Sets the snippet in the head of every page of a site. */
  install(host: string, snippet: string): void;
  /** Serves a custom page at a path of a site, with the site's snippet in its head. */
  put(host: string, path: string, body: string): void;
  /** Passes requests of a path on to another server, as the rewrites of a site's own server do. */
  forward(host: string, path: string, destination: string): void;
  stop(): Promise<void>;
}

const LINKED = { "/": "Home", "/products": "Products", "/about": "About us" };

const FILES: Record<string, string> = { ".pdf": "application/pdf" };

/** Starts a server with three linked pages and a single-page application (`/app`) under every host name. */
export async function startWeb(): Promise<Web> {
  const snippets = new Map<string, string>();
  const pages = new Map<string, string>();
  const forwarded = new Map<string, string>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://here");
    const { hostname } = new URL(`http://${request.headers.host}`);
    const snippet = snippets.get(hostname) ?? "";
    const destination = forwarded.get(hostname + pathname);
    if (destination !== undefined) {
      void passOn(request, destination, response);
      return;
    }
    const own = pages.get(hostname + pathname);
    response.setHeader("content-type", FILES[path.extname(pathname)] ?? "text/html; charset=utf-8");
    if (own !== undefined) response.end(page(pathname, snippet, own));
    else if (pathname.startsWith("/app")) response.end(application(snippet));
    else response.end(document(pathname, snippet, searchParams.get("to")));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: (host, path = "/") => `http://${host}:${port}${path}`,
    install: (host, snippet) => snippets.set(host, snippet),
    put: (host, path, body) => pages.set(host + path, body),
    forward: (host, path, destination) => forwarded.set(host + path, destination),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function passOn(request: IncomingMessage, destination: string, response: ServerResponse): Promise<void> {
  const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const answer = await fetch(destination, {
    method: request.method ?? "GET",
    headers: headers as Record<string, string>,
    ...(hasBody && { body: await buffer(request) }),
  });
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
  response.end(Buffer.from(await answer.arrayBuffer()));
}

const page = (title: string, snippet: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${snippet}</head><body>${body}</body></html>`;

const link = (href: string, text: string) => `<a href="${href}">${text}</a> `;

/** `/twice` contains the snippet twice, `/early` calls it before it has loaded, `?to=` adds a link to another site. */
function document(pathname: string, snippet: string, to: string | null): string {
  const links = Object.entries(LINKED).map(([href, text]) => link(href, text));
  const early = `<script>
    window.footfall = window.footfall || function () { (footfall.q = footfall.q || []).push(arguments) };
    footfall("Early", { props: { plan: "pro" } });
  </script>`;
  const scripts = pathname === "/twice" ? snippet + snippet : pathname === "/early" ? early + snippet : snippet;
  const title = LINKED[pathname as keyof typeof LINKED] ?? pathname;
  const tall = '<main style="height: 300vh">Something to read</main>';
  return page(title, scripts, links.join("") + (to ? link(to, "Read on") : "") + tall);
}

/** Single-page application. As with real routers, the title changes shortly after the URL. */
const application = (snippet: string) =>
  page(
    "Start",
    snippet,
    `<button onclick="go('/app/prices', 'Prices')">Prices</button>
     <button onclick="go('/app/contact', 'Contact')">Contact</button>
     <button onclick="go('/app/old', 'Old'); history.replaceState(null, '', '/app/new')">Moved</button>
     <button onclick="go('?tab=2', 'Start')">Tab</button>
     <a href="#part">Part</a>
     <script>
       function go(address, title) {
         history.pushState(null, "", address);
         requestAnimationFrame(() => { document.title = title });
       }
     </script>`,
  );
