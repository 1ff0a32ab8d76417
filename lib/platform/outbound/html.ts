import { type Token, Tokenizer, TokenizerMode } from "parse5";

/** One start tag of a page, as a browser would read it. */
export interface Tag {
  name: string;
  attributes: ReadonlyMap<string, string>;
  /** Of an element that holds text only (a script, a title, a noscript): that text. */
  text: string;
  /** Whether it stands in the head, where a page's visitors cannot write. */
  inHead: boolean;
  /** Inside of a template, which a browser neither shows nor runs. */
  inert: boolean;
}

export interface Html {
  /** Those of the names that were asked for, in their order. */
  tags: Tag[];
  comments: string[];
}

/** Elements whose content is text and nothing else, and what ends each. */
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
/** What does not end the head (HTML, section 13.2.6.4.4). */
const IN_HEAD = ["html", "head", "title", "meta", "link", "base", "script", "style", "noscript", "template"];
/** The tokenizer looks through the attributes of a tag for each further one: a tag with more is no page's. */
const MOST_ATTRIBUTES = 1_000;
const PIECE = 16 * 1024;

/** A page that nobody wrote for people: reading it to its end would cost too much. */
class Endless extends Error {}

class Reader extends Tokenizer {
  /** @throws Endless */
  refuseEndless(): void {
    const { currentToken: token } = this;
    if (token && "attrs" in token && token.attrs.length > MOST_ATTRIBUTES) throw new Endless();
  }
}

/**
 * Reads the tags of these names, and the comments, by the tokenizer of the HTML standard: no tree is built, so that a
 * hostile page costs no more than its length.
 */
export function readHtml(html: string, names: readonly string[]): Html {
  const collector = new Collector(names);
  const reader = new Reader({}, collector);
  collector.reader = reader;
  try {
    for (let at = 0; at < html.length; at += PIECE) {
      reader.write(html.slice(at, at + PIECE), at + PIECE >= html.length);
      reader.refuseEndless();
    }
  } catch (error) {
    if (!(error instanceof Endless)) throw error;
  }
  return { tags: collector.tags, comments: collector.comments };
}

class Collector {
  readonly tags: Tag[] = [];
  readonly comments: string[] = [];
  reader?: Reader;
  /** The element whose text is being read. */
  private filling: { name: string; tag: Tag | null } | null = null;
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
    this.filling = { name, tag };
  }

  onEndTag({ tagName: name }: Token.TagToken): void {
    if (this.filling?.name === name) this.filling = null;
    if (name === "template") this.templates = Math.max(0, this.templates - 1);
    if (name === "head") this.inHead = false;
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (this.filling?.tag) this.filling.tag.text += chars;
    else if (!this.filling && this.templates === 0) this.inHead = false;
  }

  onWhitespaceCharacter({ chars }: Token.CharacterToken): void {
    if (this.filling?.tag) this.filling.tag.text += chars;
  }

  onComment({ data }: Token.CommentToken): void {
    this.comments.push(data);
  }

  onNullCharacter(): void {}
  onDoctype(): void {}
  onEof(): void {}
}
