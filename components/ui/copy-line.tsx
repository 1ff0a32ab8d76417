import { CopyButton } from "@/components/ui/copy-button";

interface Props {
  label: string;
  text: string;
  /** What is copied, for screen readers. */
  what: string;
}

/** A labelled text that a person copies to another place. */
export const CopyLine = ({ label, text, what }: Props) => (
  <div>
    <p className="mb-1 text-sm font-medium">{label}</p>
    <div className="flex items-center justify-between gap-3 rounded-lg border border-line bg-sunken py-2 pr-2 pl-3.5">
      <code className="min-w-0 font-mono text-[0.8125rem] [overflow-wrap:anywhere]">{text}</code>
      <CopyButton text={text} what={what} />
    </div>
  </div>
);
