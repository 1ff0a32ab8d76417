import type { ReactNode } from "react";

function Icon({ children, className = "size-4" }: { children: ReactNode; className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

interface Props {
  className?: string;
}

export const ChevronDown = (props: Props) => (
  <Icon {...props}>
    <path d="m4 6 4 4 4-4" />
  </Icon>
);
export const ChevronLeft = (props: Props) => (
  <Icon {...props}>
    <path d="m10 4-4 4 4 4" />
  </Icon>
);
export const ChevronRight = (props: Props) => (
  <Icon {...props}>
    <path d="m6 4 4 4-4 4" />
  </Icon>
);
export const ChevronsLeft = (props: Props) => (
  <Icon {...props}>
    <path d="M8 4 4 8l4 4M12.5 4l-4 4 4 4" />
  </Icon>
);
export const ChevronsRight = (props: Props) => (
  <Icon {...props}>
    <path d="m8 4 4 4-4 4M3.5 4l4 4-4 4" />
  </Icon>
);
export const Check = (props: Props) => (
  <Icon {...props}>
    <path d="m3 8.5 3.2 3.2L13 5" />
  </Icon>
);
export const Cross = (props: Props) => (
  <Icon {...props}>
    <path d="m4 4 8 8M12 4l-8 8" />
  </Icon>
);
export const Plus = (props: Props) => (
  <Icon {...props}>
    <path d="M8 3v10M3 8h10" />
  </Icon>
);
export const Copy = (props: Props) => (
  <Icon {...props}>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
  </Icon>
);
export const Calendar = (props: Props) => (
  <Icon {...props}>
    <rect x="2.5" y="3.5" width="11" height="10" rx="1.5" />
    <path d="M2.5 7h11M5.5 2v3M10.5 2v3" />
  </Icon>
);
export const People = (props: Props) => (
  <Icon {...props}>
    <circle cx="6" cy="5.5" r="2.5" />
    <path d="M1.5 13.5c.3-2.5 2-4 4.5-4s4.2 1.5 4.5 4M10.5 3.3a2.5 2.5 0 0 1 0 4.4M12 9.8c1.5.5 2.3 1.8 2.5 3.7" />
  </Icon>
);
export const Compare = (props: Props) => (
  <Icon {...props}>
    <path d="m2 11 3.5-4 3 2.5L14 4" />
    <path d="m2 14 3.5-2.5 3 1L14 9" strokeDasharray="1.5 2" />
  </Icon>
);
export const Funnel = (props: Props) => (
  <Icon {...props}>
    <path d="M2 3.5h12l-4.7 5.3v4.7l-2.6-1.4V8.8Z" />
  </Icon>
);
export const Segments = (props: Props) => (
  <Icon {...props}>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M8 2.5V8l4 3.8M8 8H2.5" />
  </Icon>
);
export const External = (props: Props) => (
  <Icon {...props}>
    <path d="M6 3.5H3.5v9h9V10M9 2.5h4.5V7M13 3 7.5 8.5" />
  </Icon>
);
export const ArrowUp = (props: Props) => (
  <Icon {...props}>
    <path d="M4.5 11.5 11.5 4.5M5.5 4.5h6v6" />
  </Icon>
);
export const ArrowDown = (props: Props) => (
  <Icon {...props}>
    <path d="m4.5 4.5 7 7M11.5 5.5v6h-6" />
  </Icon>
);
export const Sun = (props: Props) => (
  <Icon {...props}>
    <circle cx="8" cy="8" r="2.8" />
    <path d="M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7" />
  </Icon>
);
export const Moon = (props: Props) => (
  <Icon {...props}>
    <path d="M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z" />
  </Icon>
);
export const Screen = (props: Props) => (
  <Icon {...props}>
    <rect x="2" y="3" width="12" height="8" rx="1.5" />
    <path d="M6 14h4M8 11v3" />
  </Icon>
);
export const Download = (props: Props) => (
  <Icon {...props}>
    <path d="M8 2.5v7.5M4.8 7 8 10.2 11.2 7M2.5 13.5h11" />
  </Icon>
);
export const Table = (props: Props) => (
  <Icon {...props}>
    <rect x="2" y="3" width="12" height="10" rx="1.5" />
    <path d="M2 6.5h12M2 10h12M7 6.5V13" />
  </Icon>
);
export const Code = (props: Props) => (
  <Icon {...props}>
    <path d="m5.5 4.5-4 3.5 4 3.5M10.5 4.5l4 3.5-4 3.5" />
  </Icon>
);
export const Gear = (props: Props) => (
  <Icon {...props}>
    <circle cx="8" cy="8" r="2" />
    <path d="M8 1.8v1.7M8 12.5v1.7M14.2 8h-1.7M3.5 8H1.8M12.4 3.6l-1.2 1.2M4.8 11.2l-1.2 1.2M12.4 12.4l-1.2-1.2M4.8 4.8 3.6 3.6" />
    <circle cx="8" cy="8" r="4.5" />
  </Icon>
);
export const Search = (props: Props) => (
  <Icon {...props}>
    <circle cx="7" cy="7" r="4.5" />
    <path d="m10.5 10.5 3.5 3.5" />
  </Icon>
);
export const Panels = (props: Props) => (
  <Icon {...props}>
    <rect x="2" y="2.5" width="12" height="11" rx="1.5" />
    <path d="M2 6.5h12M8 6.5v7" />
  </Icon>
);
export const Warning = (props: Props) => (
  <Icon {...props}>
    <path d="M8 2.5 14.2 13.2H1.8ZM8 6.8v3M8 11.4v.1" />
  </Icon>
);
export const Pinned = ({ filled, ...props }: Props & { filled: boolean }) => (
  <Icon {...props}>
    <path d="M5.5 2.5h5M6.3 2.5 6 7 3.8 9.3h8.4L10 7l-.3-4.5M8 9.3v4.4" fill={filled ? "currentColor" : "none"} />
  </Icon>
);
