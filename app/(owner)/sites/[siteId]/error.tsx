"use client";

import { OurFault } from "@/components/shell/our-fault";

/** Within the site's own navigation, which stays. */
export default OurFault;
