/** A grey placeholder with the size of the content to come. */
export const Skeleton = ({ className }: { className: string }) => (
  <div className={`animate-pulse rounded-md bg-sunken ${className}`} />
);
