/** A file that the browser saves under that name, and nobody keeps on the way. */
export const attachment = (body: string | ReadableStream, type: string, name: string): Response =>
  new Response(body, {
    headers: {
      "Cache-Control": "no-store",
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${name.replace(/[^\w.-]+/g, "-")}"`,
      "X-Content-Type-Options": "nosniff",
    },
  });
