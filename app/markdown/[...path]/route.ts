import { agentText } from "../../agent-text";

interface Context {
  params: Promise<{ path: string[] }>;
}

/** A page of the docs as Markdown. `next.config.mjs` maps `/docs/<page>.md` to this route. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { path } = await params;
  return agentText(`/docs/${path.join("/")}.md`, "text/markdown; charset=utf-8");
}

export { refused as DELETE, refused as PATCH, refused as POST, refused as PUT } from "../../agent-text";
