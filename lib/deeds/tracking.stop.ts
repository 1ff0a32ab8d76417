import { operationDeed } from "@/lib/deeds/operation-deed";
import stop from "@/lib/operations/sites.tracking_test.stop";

export default operationDeed("tracking.stop", stop);
