import { operationDeed } from "@/lib/deeds/operation-deed";
import stop from "@/lib/operations/sites.installation.tests.stop";

export default operationDeed("installation.stop", stop);
