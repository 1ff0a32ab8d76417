import { CircleHelp, CornerDownRight, Monitor, Smartphone, Tablet, Tv } from "lucide-react";

interface Props {
  /** What `iconOf` returned. */
  icon: string;
  /** The name of the value, whose first letter stands for an unknown icon. */
  text: string;
  className?: string;
}

const GLYPHS: Readonly<Record<string, typeof Monitor>> = {
  "glyph-desktop": Monitor,
  "glyph-mobile": Smartphone,
  "glyph-tablet": Tablet,
  "glyph-tv": Tv,
  "glyph-direct": CornerDownRight,
  "glyph-unknown": CircleHelp,
};

/** The icon beside the name of a value. Decorative, and of the same width for all values of a list. */
export const RowIcon = ({ icon, text, className = "" }: Props) => (
  <span aria-hidden="true" className={`grid h-4 w-4.5 shrink-0 place-items-center ${className}`}>
    <Drawn icon={icon} text={text} />
  </span>
);

function Drawn({ icon, text }: Props) {
  const Glyph = GLYPHS[icon];
  if (Glyph) return <Glyph className="size-4 text-muted" />;
  if (icon === "letter") return <Letter text={text} />;
  const file = `/icons/${icon}.svg`;
  if (icon.startsWith("plain/")) {
    return <span className="size-4 bg-ink" style={{ mask: `url("${file}") center / contain no-repeat` }} />;
  }
  const look = icon.startsWith("flags/")
    ? { width: 18, height: 12, className: "rounded-[2px] ring-1 ring-ink/10" }
    : { width: 16, height: 16 };
  // biome-ignore lint/performance/noImgElement: next/image has nothing to do for small SVG files
  return <img {...look} src={file} alt="" loading="lazy" />;
}

/** The first letter or digit of a name as a tile; a dash for a name without any. A style draws it, so that it is not copied. */
const Letter = ({ text }: Pick<Props, "text">) => (
  <span
    data-letter={/[\p{L}\p{N}]/u.exec(text.replace(/^www\./, ""))?.[0].toLocaleUpperCase("en") ?? "–"}
    className="grid size-4 place-items-center rounded-[4px] border border-line-strong bg-surface text-[0.625rem] leading-none font-semibold text-muted before:content-[attr(data-letter)]"
  />
);
