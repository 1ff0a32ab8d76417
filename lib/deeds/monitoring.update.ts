import { operationDeed } from "@/lib/deeds/operation-deed";
import monitoring from "@/lib/operations/sites.monitoring";

export default operationDeed("monitoring.update", monitoring);
