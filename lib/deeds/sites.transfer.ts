import { operationDeed } from "@/lib/deeds/operation-deed";
import transfer from "@/lib/operations/sites.ownership.transfer";

export default operationDeed("sites.transfer", transfer);
