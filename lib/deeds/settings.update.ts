import { operationDeed } from "@/lib/deeds/operation-deed";
import update from "@/lib/operations/sites.settings.update";

export default operationDeed("settings.update", update);
