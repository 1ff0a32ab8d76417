import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { ConfirmAction } from "@/components/actions/confirm-action";
import type { ActionId, ActionInput } from "@/components/actions/typed";
import { rich } from "@/components/ui/rich";
import { msg, t } from "@/lib/texts/translate";

/** What gives access until it expires or is revoked. */
export interface Access {
  name: string;
  ended: boolean;
  /** Formatted time; null for never. */
  expires: ReactNode;
}

/** Says when access ends or ended. */
export const Expiry = ({ of: { ended, expires } }: { of: Access }) =>
  expires === null
    ? t("never expires")
    : rich(ended ? msg("expired {time}") : msg("expires {time}"), { time: expires });

/** Name of the action that ends access, or takes what has ended from the list. */
export const endAction = ({ ended }: Access) => (ended ? t("Remove") : t("Revoke"));

interface Props<Id extends ActionId> {
  operation: Id;
  input: ActionInput<Id>;
  of: Access;
  onClose(): void;
  /** What follows for those who use it. */
  children: string;
}

/** Asks before access ends. */
export function EndAccess<Id extends ActionId>({ operation, input, of, onClose, children }: Props<Id>) {
  const router = useRouter();
  return (
    <ConfirmAction
      operation={operation}
      input={input}
      title={of.ended ? t("Remove {name}?", { name: of.name }) : t("Revoke {name}?", { name: of.name })}
      action={endAction(of)}
      onDone={() => {
        onClose();
        router.refresh();
      }}
      onCancel={onClose}
    >
      <p>{of.ended ? t("It has already expired and is only removed from this list.") : children}</p>
    </ConfirmAction>
  );
}
