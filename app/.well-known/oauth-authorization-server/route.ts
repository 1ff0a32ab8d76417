import { asDocument, authorizationServer } from "@/lib/oauth/metadata";

/** Where tokens come from (RFC 8414). */
export const GET = () => asDocument(authorizationServer());
