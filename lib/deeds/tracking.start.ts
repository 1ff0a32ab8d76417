import { operationDeed } from "@/lib/deeds/operation-deed";
import start from "@/lib/operations/sites.tracking_test.start";

export default operationDeed("tracking.start", start);
