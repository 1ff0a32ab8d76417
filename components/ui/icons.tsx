import type { ReactNode } from "react";

interface Props {
  className?: string;
}

function Icon({ children, className = "size-4" }: Props & { children: ReactNode }) {
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

const icon = (shape: ReactNode) => (props: Props) => <Icon {...props}>{shape}</Icon>;

export const ChevronDown = icon(<path d="m4 6 4 4 4-4" />);
export const ChevronLeft = icon(<path d="m10 4-4 4 4 4" />);
export const ChevronRight = icon(<path d="m6 4 4 4-4 4" />);
export const ChevronsLeft = icon(<path d="M8 4 4 8l4 4M12.5 4l-4 4 4 4" />);
export const ChevronsRight = icon(<path d="m8 4 4 4-4 4M3.5 4l4 4-4 4" />);
export const Check = icon(<path d="m3 8.5 3.2 3.2L13 5" />);
export const Cross = icon(<path d="m4 4 8 8M12 4l-8 8" />);
export const Plus = icon(<path d="M8 3v10M3 8h10" />);
export const Copy = icon(
  <>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
  </>,
);
export const Calendar = icon(
  <>
    <rect x="2.5" y="3.5" width="11" height="10" rx="1.5" />
    <path d="M2.5 7h11M5.5 2v3M10.5 2v3" />
  </>,
);
export const People = icon(
  <>
    <circle cx="6" cy="5.5" r="2.5" />
    <path d="M1.5 13.5c.3-2.5 2-4 4.5-4s4.2 1.5 4.5 4M10.5 3.3a2.5 2.5 0 0 1 0 4.4M12 9.8c1.5.5 2.3 1.8 2.5 3.7" />
  </>,
);
export const Compare = icon(
  <>
    <path d="m2 11 3.5-4 3 2.5L14 4" />
    <path d="m2 14 3.5-2.5 3 1L14 9" strokeDasharray="1.5 2" />
  </>,
);
export const Funnel = icon(<path d="M2 3.5h12l-4.7 5.3v4.7l-2.6-1.4V8.8Z" />);
export const Segments = icon(
  <>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M8 2.5V8l4 3.8M8 8H2.5" />
  </>,
);
export const External = icon(<path d="M6 3.5H3.5v9h9V10M9 2.5h4.5V7M13 3 7.5 8.5" />);
export const ArrowUp = icon(<path d="M4.5 11.5 11.5 4.5M5.5 4.5h6v6" />);
export const ArrowDown = icon(<path d="m4.5 4.5 7 7M11.5 5.5v6h-6" />);
export const Sun = icon(
  <>
    <circle cx="8" cy="8" r="2.8" />
    <path d="M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7" />
  </>,
);
export const Moon = icon(<path d="M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z" />);
export const Screen = icon(
  <>
    <rect x="2" y="3" width="12" height="8" rx="1.5" />
    <path d="M6 14h4M8 11v3" />
  </>,
);
export const Download = icon(<path d="M8 2.5v7.5M4.8 7 8 10.2 11.2 7M2.5 13.5h11" />);
export const Table = icon(
  <>
    <rect x="2" y="3" width="12" height="10" rx="1.5" />
    <path d="M2 6.5h12M2 10h12M7 6.5V13" />
  </>,
);
export const Code = icon(<path d="m5.5 4.5-4 3.5 4 3.5M10.5 4.5l4 3.5-4 3.5" />);
export const Gear = icon(
  <>
    <circle cx="8" cy="8" r="2" />
    <path d="M8 1.8v1.7M8 12.5v1.7M14.2 8h-1.7M3.5 8H1.8M12.4 3.6l-1.2 1.2M4.8 11.2l-1.2 1.2M12.4 12.4l-1.2-1.2M4.8 4.8 3.6 3.6" />
    <circle cx="8" cy="8" r="4.5" />
  </>,
);
export const Search = icon(
  <>
    <circle cx="7" cy="7" r="4.5" />
    <path d="m10.5 10.5 3.5 3.5" />
  </>,
);
export const Panels = icon(
  <>
    <rect x="2" y="2.5" width="12" height="11" rx="1.5" />
    <path d="M2 6.5h12M8 6.5v7" />
  </>,
);
export const Warning = icon(<path d="M8 2.5 14.2 13.2H1.8ZM8 6.8v3M8 11.4v.1" />);
export const Pinned = ({ filled }: { filled: boolean }) => (
  <Icon>
    <path d="M5.5 2.5h5M6.3 2.5 6 7 3.8 9.3h8.4L10 7l-.3-4.5M8 9.3v4.4" fill={filled ? "currentColor" : "none"} />
  </Icon>
);
