/** A key that does the same, shown where there is a mouse or a touchpad, and so a keyboard. Screen readers have `aria-keyshortcuts`. */
export const KeyHint = ({ keys }: { keys: string }) => (
  <span
    aria-hidden="true"
    className="ml-1 hidden rounded border border-line-strong px-1 font-mono text-xs pointer-fine:inline"
  >
    {keys}
  </span>
);
