import { operationDeed } from "@/lib/deeds/operation-deed";
import add from "@/lib/operations/sites.domains.add";

export default operationDeed("domains.add", add);
