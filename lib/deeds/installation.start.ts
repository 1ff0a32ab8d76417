import { operationDeed } from "@/lib/deeds/operation-deed";
import start from "@/lib/operations/sites.installation.tests.start";

export default operationDeed("installation.start", start);
