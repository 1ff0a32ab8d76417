import { operationDeed } from "@/lib/deeds/operation-deed";
import remove from "@/lib/operations/sites.domains.delete";

export default operationDeed("domains.remove", remove);
