import { Fragment } from "react";
import { rich } from "@/components/ui/rich";
import { TextLink } from "@/components/ui/text-link";
import { SERVICE_GUIDES, SERVICE_TITLES } from "@/lib/contract/import-services";
import { WEBSITE_IDS } from "../../install/website-ids";
import { serviceTitle } from "./source-names";

type Guided = keyof typeof SERVICE_GUIDES;

const NAMES = Object.keys(SERVICE_GUIDES) as Guided[];
const isGuided = (source: string | null): source is Guided => source !== null && source in SERVICE_GUIDES;

interface Props {
  /** Null while no service is recognised. */
  source: string | null;
}

/** Links to the guide of the recognised service, or to all of them, and to where Umami's website ids are mapped. */
export function Guides({ source }: Props) {
  return (
    <div className="space-y-1 text-sm text-muted">
      <p>
        {isGuided(source)
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
      {(source === null || source === "umami") && (
        <p>
          {rich("Tags and clients of Umami can go on sending: <link>map their website ids</link> to this site.", {
            link: (text) => <TextLink href={`#${WEBSITE_IDS}`}>{text}</TextLink>,
          })}
        </p>
      )}
    </div>
  );
}
