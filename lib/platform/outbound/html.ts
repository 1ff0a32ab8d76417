import { type Token, Tokenizer, TokenizerMode } from "parse5";

/** One start tag of a page, parsed like in a browser. */
export interface Tag {
  name: string;
  attributes: ReadonlyMap<string, string>;
  /** The content of a text-only element (script, title, noscript); else empty. */
  text: string;
  /** Whether it is in the head, where visitors of a page cannot write. */
  inHead: boolean;
  /** Whether it is inside a template, which browsers neither show nor run. */
  inert: boolean;
}

export interface Html {
  /** The tags with the requested names, in document order. */
  tags: Tag[];
  comments: string[];
}

/** Text-only elements with their tokenizer modes. */
const TEXT_ONLY: Record<string, Tokenizer["state"]> = {
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  noscript: TokenizerMode.RAWTEXT,
  script: TokenizerMode.SCRIPT_DATA,
  plaintext: TokenizerMode.PLAINTEXT,
};
/** Elements that do not end the head (HTML, section 13.2.6.4.4). */
const IN_HEAD = ["html", "head", "title", "meta", "link", "base", "script", "style", "noscript", "template"];
/** The tokenizer is quadratic in the attributes of a tag, and real pages have far fewer. */
const MAX_ATTRIBUTES = 1_000;
const CHUNK = 16 * 1024;

/** A hostile page that would be too expensive to parse to its end. */
class TooManyAttributes extends Error {}

class Reader extends Tokenizer {
  /** @throws TooManyAttributes */
  checkAttributes(): void {
    const { currentToken: token } = this;
    if (token && "attrs" in token && token.attrs.length > MAX_ATTRIBUTES) throw new TooManyAttributes();
  }
}

/**
 * Returns the tags with these names, and the comments. Uses the tokenizer of the HTML standard without building a tree,
 * so that the cost of a hostile page is linear in its length.
 */
export function readHtml(html: string, names: readonly string[]): Html {
  const collector = new Collector(names);
  const reader = new Reader({}, collector);
  collector.reader = reader;
  try {
    for (let at = 0; at < html.length; at += CHUNK) {
      reader.write(html.slice(at, at + CHUNK), at + CHUNK >= html.length);
      reader.checkAttributes();
    }
  } catch (error) {
    if (!(error instanceof TooManyAttributes)) throw error;
  }
  return { tags: collector.tags, comments: collector.comments };
}

class Collector {
  readonly tags: Tag[] = [];
  readonly comments: string[] = [];
  reader?: Reader;
  /** The text-only element that is being read. */
  private textElement: { name: string; tag: Tag | null } | null = null;
  private inHead = true;
  private templates = 0;

  constructor(private readonly names: readonly string[]) {}

  onStartTag({ tagName: name, attrs }: Token.TagToken): void {
    if (name === "template") this.templates++;
    else if (!IN_HEAD.includes(name) && this.templates === 0) this.inHead = false;
    const wanted = this.names.includes(name);
    const attributes = new Map(attrs.map((one) => [one.name, one.value]));
    const tag = wanted ? { name, attributes, text: "", inHead: this.inHead, inert: this.templates > 0 } : null;
    if (tag) this.tags.push(tag);
    const state = TEXT_ONLY[name];
    if (state === undefined || !this.reader) return;
    this.reader.state = state;
    this.textElement = { name, tag };
  }

  onEndTag({ tagName: name }: Token.TagToken): void {
    if (this.textElement?.name === name) this.textElement = null;
    if (name === "template") this.templates = Math.max(0, this.templates - 1);
    if (name === "head") this.inHead = false;
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (this.textElement?.tag) this.textElement.tag.text += chars;
    else if (!this.textElement && this.templates === 0) this.inHead = false;
  }

  onWhitespaceCharacter({ chars }: Token.CharacterToken): void {
    if (this.textElement?.tag) this.textElement.tag.text += chars;
  }

  onComment({ data }: Token.CommentToken): void {
    this.comments.push(data);
  }

  onNullCharacter(): void {}
  onDoctype(): void {}
  onEof(): void {}
}
