import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseAst } from "rolldown/parseAst";

/** A text in the source of a page. */
export interface SourceText {
  text: string;
  /** `path:line` */
  at: string;
  /** Whether the text is an ICU message: its call gives values. */
  hasValues: boolean;
}

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

/** Functions of `lib/texts/translate` and `components/ui/rich` whose first argument is a text. */
const TRANSLATORS: ReadonlySet<string> = new Set(["t", "msg", "rich"]);
/** JSX attributes and object fields that a person reads; placeholders in lower case are examples of code. */
const READ = /^(title|label|about|alt|hint|help|empty|message|heading|text|aria-label|aria-description|ariaLabel)$/;
/** JSX attributes that nobody reads. */
const CODE =
  /^(className|class|href|id|key|type|rel|target|name|value|role|d|viewBox|style|htmlFor|method|action|data-.*|aria-(keyshortcuts|live|current|controls|labelledby|describedby)|look|size|side|align|code|src|path|autoComplete|inputMode|lang)$/;
/** Elements whose content is code. */
const CODE_ELEMENTS: ReadonlySet<string> = new Set(["code", "pre", "kbd", "style", "script"]);
/** Names that are the same in every language. */
const NAMES: ReadonlySet<string> = new Set(["Footfall"]);

/** Returns the files whose texts people read. */
export const interfaceFiles = (): string[] =>
  ["app", "components", "lib"]
    .flatMap((root) => readdirSync(root, { recursive: true }).map((name) => path.join(root, `${name}`)))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !/^lib\/(testing|texts)\//.test(file));

/** Returns the texts of a file that are translated, and those that stand in it as they are. */
export function interfaceTexts(file: string): { translated: SourceText[]; untranslated: SourceText[] } {
  const source = readFileSync(file, "utf8");
  const translated: SourceText[] = [];
  const untranslated: SourceText[] = [];
  const at = (node: Node) => `${file}:${source.slice(0, node.start).split("\n").length}`;

  function visit(node: Node, parents: Node[]): void {
    const text = textOf(node);
    if (text !== undefined) {
      const call = parents.at(-1);
      if (call && isTranslation(call) && (call.arguments as Node[])[0] === node) {
        translated.push({ text, at: at(node), hasValues: (call.arguments as Node[]).length > 1 });
      } else if (isRead(node, text, parents)) untranslated.push({ text, at: at(node), hasValues: false });
      if (node.type !== "TemplateLiteral") return;
    }
    if (node.type.startsWith("TS") && !/^TS(As|Satisfies|NonNull)/.test(node.type)) return;
    for (const child of childrenOf(node)) visit(child, [...parents, node]);
  }
  visit(parseAst(source, { lang: file.endsWith("x") ? "tsx" : "ts" }) as unknown as Node, []);
  return { translated, untranslated };
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
const childrenOf = (node: Node): Node[] =>
  Object.entries(node).flatMap(([field, value]) => (field === "parent" ? [] : [value].flat().filter(isNode)));

const nameOf = (node: Node | undefined): string => {
  const name = node?.name ?? (node?.key as Node | undefined)?.name ?? (node?.key as Node | undefined)?.value;
  return typeof name === "string" ? name : isNode(name) ? nameOf(name) : "";
};

const isTranslation = (node: Node): boolean =>
  node.type === "CallExpression" && TRANSLATORS.has(nameOf(node.callee as Node));

/** Returns the text of a literal; the expressions of a template are "…". */
function textOf(node: Node): string | undefined {
  if (node.type === "Literal" || node.type === "JSXText") {
    return typeof node.value === "string" ? node.value : undefined;
  }
  if (node.type !== "TemplateLiteral") return undefined;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join("…");
}

/** Returns whether a person reads the literal as it stands in the source. */
function isRead(node: Node, text: string, parents: Node[]): boolean {
  if (!/\p{L}{2}/u.test(text.replaceAll("Footfall", "")) || NAMES.has(text.trim())) return false;
  const [parent, attribute] = [parents.at(-1), parents.findLast(({ type }) => type === "JSXAttribute")];
  if (
    !parent ||
    /^(Import|Export\w*From|ExportAll|BinaryExpression|SwitchCase|ThrowStatement|ExpressionStatement)/.test(parent.type)
  )
    return false;
  if (
    parents.some(
      ({ type, callee }) =>
        type === "NewExpression" && /Error|Fault|Refusal|RegExp|Set|Intl/.test(nameOf(callee as Node)),
    )
  )
    return false;
  const isField = parent.type === "Property";
  if (isField && parent.key === node) return false;
  const element = parents.findLast(({ type }) => type === "JSXElement");
  const inCode = element && CODE_ELEMENTS.has(nameOf((element.openingElement as Node).name as Node));
  if (node.type === "JSXText") return !inCode;
  const isInAttribute =
    attribute !== undefined && parents.indexOf(attribute) > parents.findLastIndex(({ type }) => type === "JSXElement");
  if (isInAttribute && CODE.test(nameOf(attribute))) return false;
  if (inCode && !isInAttribute) return false;
  if (/^\p{Lu}\p{Ll}+([ ,.:'’…]|$)/u.test(text)) return true;
  if (isInAttribute) return READ.test(nameOf(attribute)) && parent === attribute;
  if (isField && READ.test(nameOf(parent))) return true;
  return node.type === "TemplateLiteral" && element !== undefined && /(^|…) ?\p{Ll}+( |$)/u.test(text);
}
