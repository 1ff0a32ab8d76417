import { operationDeed } from "@/lib/deeds/operation-deed";
import deletion from "@/lib/operations/sites.delete";

export default operationDeed("sites.delete", deletion);
