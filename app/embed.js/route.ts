/**
 * The script for pages around a frame of a shared dashboard: gives the frame the height that its content has. It hears only
 * frames of this server, and does nothing else.
 */
const SCRIPT = `(() => {
  const { origin } = new URL(document.currentScript.src);
  const frames = () => [...document.querySelectorAll("iframe")];
  addEventListener("message", (event) => {
    const { footfall, height } = event.data || {};
    if (event.origin !== origin || footfall !== "height" || !(height > 0)) return;
    const frame = frames().find((one) => one.contentWindow === event.source);
    if (frame) frame.style.height = Math.min(height, 20000) + "px";
  });
  for (const frame of frames())
    if (frame.src.startsWith(origin + "/")) frame.contentWindow.postMessage({ footfall: "height?" }, "*");
})();
`;

export const dynamic = "force-static";

export const GET = (): Response =>
  new Response(SCRIPT, { headers: { "Content-Type": "text/javascript; charset=utf-8" } });
