import { operationDeed } from "@/lib/deeds/operation-deed";
import makePrimary from "@/lib/operations/sites.domains.primary";

export default operationDeed("domains.make_primary", makePrimary);
