import { operationDeed } from "@/lib/deeds/operation-deed";
import update from "@/lib/operations/sites.proxy.update";

export default operationDeed("proxy.update", update);
