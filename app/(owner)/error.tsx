"use client";

import { OurFault } from "@/components/shell/our-fault";

export default OurFault;
