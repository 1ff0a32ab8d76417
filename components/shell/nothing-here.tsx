import { Message } from "@/components/shell/message";
import { ButtonLink } from "@/components/ui/button";

/** For an address that leads nowhere; whether it is someone else's is not told. */
export const NothingHere = () => (
  <Message over="404" title="There is nothing here">
    <p>The address is wrong, or it belongs to someone else.</p>
    <ButtonLink href="/sites">Your sites</ButtonLink>
  </Message>
);
