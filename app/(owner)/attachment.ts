/** Response that the browser saves as a file. Never cached. */
export const attachment = (body: string | ReadableStream, type: string, name: string): Response =>
  new Response(body, {
    headers: {
      "Cache-Control": "no-store",
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${name.replace(/[^\w.-]+/g, "-")}"`,
      "X-Content-Type-Options": "nosniff",
    },
  });
