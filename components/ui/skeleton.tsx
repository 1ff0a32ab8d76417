/** A grey shape of the size of what will stand here. */
export const Skeleton = ({ className = "" }: { className?: string }) => (
  <div className={`animate-pulse rounded-md bg-sunken ${className}`} />
);
