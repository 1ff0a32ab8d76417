import { RISKS, ROLES, SCOPES } from "@/lib/contract/access";
import { type AnyOperation, needsApproval } from "@/lib/contract/define";
import { ERRORS } from "@/lib/platform/errors";
import { idSourceOf } from "@/lib/publish/id-sources";
import { bullets, parameterBullet } from "@/lib/publish/llms/markdown";
import {
  answerOf,
  curlOf,
  methodOf,
  operationPath,
  type Parameter,
  parametersOf,
  typeOf,
} from "@/lib/publish/reference";
import { refusalsOf } from "@/lib/publish/refusals";
import { type Named, propertiesOf, resolve, type Schema, schemaOf, withoutNull } from "@/lib/publish/schemas";

/** All about one operation, as Markdown. */
export function operationMarkdown(op: AnyOperation, baseUrl: string): string {
  const parameters = parametersOf(op);
  const approval = needsApproval(op)
    ? "needs a human's approval of exactly this call, see [Approvals](/docs/agents.md)"
    : "not needed";
  const sections = [
    `# ${op.id}`,
    `> ${op.title}. ${op.about}`,
    `\`${methodOf(op)} ${operationPath(op)}\``,
    bullets([
      ["scope", `\`${op.scope}\` (${SCOPES[op.scope]})`],
      ["role", `${op.role} (${ROLES[op.role].about})`],
      ["risk", `${op.risk} (${RISKS[op.risk].about})`],
      ["approval", approval],
    ]),
    "## Parameters",
    parameters.length > 0 ? parameters.map(parameterBullet).join("\n") : "No parameters.",
    ...idNotes(op, parameters),
    "## Call",
    `\`\`\`sh\n${curlOf(op, baseUrl)}\n\`\`\``,
    "## Answer",
    `\`\`\`json\n${answerOf(op)}\n\`\`\``,
    ...dataFields(op),
    "## Errors",
    refusalsOf(op)
      .map((code) => `${ERRORS[code]} \`${code}\``)
      .join(", "),
    "[API reference](/docs/api.md) explains each error, retries and approvals.",
  ];
  return `${sections.join("\n\n")}\n`;
}

/** Where the ids come from that the operation takes. */
function idNotes(op: AnyOperation, parameters: readonly Parameter[]): string[] {
  const rows = parameters.flatMap(({ name }): [string, string][] => {
    const source = idSourceOf(op, name);
    return source ? [[name, `from \`${source.from}\`, \`data.${source.path}\``]] : [];
  });
  return rows.length > 0 ? [`Ids:\n\n${bullets(rows)}`] : [];
}

/** The described fields of `data`, by their path. */
function dataFields(op: AnyOperation): string[] {
  const named: Named = new Map();
  const rows = describedFields(schemaOf(op.output, "output", named), "data", named);
  return rows.length > 0 ? [`Fields:\n\n${bullets(rows)}`] : [];
}

function describedFields(schema: Schema, path: string, named: Named): [string, string][] {
  return propertiesOf(schema).flatMap(([name, property]): [string, string][] => {
    const { schema: plain } = withoutNull(property);
    const type = resolve(plain, named);
    const place = `${path}.${name}`;
    const isList = type.type === "array" && typeof type.items === "object";
    const inner = isList ? resolve(withoutNull(resolve(type.items as Schema, named)).schema, named) : type;
    const about = property.description ?? plain.description ?? type.description;
    const untrusted = "x-untrusted" in type ? " Untrusted text." : "";
    const own: [string, string][] = about
      ? [[place, `${about.replace(/\.$/, "")} (${kindOf(type)}).${untrusted}`]]
      : [];
    return [...own, ...describedFields(inner, isList ? `${place}[]` : place, named)];
  });
}

const kindOf = (type: Schema): string => (propertiesOf(type).length > 0 ? "object" : typeOf(type));
