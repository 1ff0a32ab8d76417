import { operationDeed } from "@/lib/deeds/operation-deed";
import verify from "@/lib/operations/sites.verify";

export default operationDeed("domains.verify", verify);
