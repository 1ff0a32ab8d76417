import { asDocument, protectedResource } from "@/lib/oauth/metadata";

/** What the management API is (RFC 9728). */
export const GET = () => asDocument(protectedResource());
