import type { ComponentProps } from "react";
import { Notice } from "@/components/ui/notice";

interface Props extends Omit<ComponentProps<"form">, "onSubmit"> {
  /** Error message for the whole form. */
  problem: string | undefined;
  onSubmit(formData: FormData, form: HTMLFormElement): unknown;
}

/** A form that our code sends. The server's messages are shown beside the fields instead of the browser's. */
export const Form = ({ problem, onSubmit, className = "space-y-4", children, ...form }: Props) => (
  <form
    {...form}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit(new FormData(event.currentTarget), event.currentTarget);
    }}
    noValidate
    className={className}
  >
    {problem && <Notice>{problem}</Notice>}
    {children}
  </form>
);
