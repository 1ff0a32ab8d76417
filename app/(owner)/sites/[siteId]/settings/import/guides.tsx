import { Fragment } from "react";
import { rich } from "@/components/ui/rich";
import { TextLink } from "@/components/ui/text-link";
import { SERVICE_GUIDES, SERVICE_TITLES, type ServiceName } from "@/lib/contract/import-services";
import { serviceTitle } from "./source-names";

const NAMES = Object.keys(SERVICE_TITLES) as ServiceName[];
const isService = (source: string | null): source is ServiceName => source !== null && source in SERVICE_GUIDES;

/** Links to the guide of the recognised service; to all of them while none is. */
export function Guides({ source }: { source: string | null }) {
  return (
    <p className="text-sm text-muted">
      {isService(source)
        ? rich("<link>Coming from {service}</link> says what is taken over, and which numbers differ.", {
            service: serviceTitle(source),
            link: (text) => <TextLink href={SERVICE_GUIDES[source]}>{text}</TextLink>,
          })
        : rich("How to get your history: {guides}.", {
            guides: NAMES.map((name, index) => (
              <Fragment key={name}>
                {index > 0 && ", "}
                <TextLink href={SERVICE_GUIDES[name]}>{SERVICE_TITLES[name]}</TextLink>
              </Fragment>
            )),
          })}
    </p>
  );
}
