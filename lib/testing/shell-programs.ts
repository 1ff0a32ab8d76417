/** Words after which another command begins. */
const BEFORE_COMMANDS = new Set([
  "if",
  "then",
  "else",
  "elif",
  "while",
  "until",
  "do",
  "!",
  "{",
  "}",
  "fi",
  "done",
  "esac",
]);

/**
 * Returns the programs and builtins that a POSIX shell script runs, without its own functions. It reads what
 * documentation has: quotes, comments, substitutions, loops, `case` and functions; no here-documents.
 */
export function programsOf(script: string): string[] {
  const { programs, functions } = new Reader(script).read();
  return [...new Set(programs)].filter((program) => !functions.has(program)).sort();
}

class Reader {
  private at = 0;
  /** How many substitutions are open. */
  private depth = 0;
  private readonly programs: string[] = [];
  private readonly functions = new Set<string>();

  constructor(private readonly script: string) {}

  read() {
    while (this.at < this.script.length) this.readCommands();
    return { programs: this.programs, functions: this.functions };
  }

  /** Reads to the end of the script, or to the parenthesis that ends a substitution. */
  private readCommands(): void {
    let isCommand = true;
    while (this.at < this.script.length) {
      const character = this.script.charAt(this.at);
      if (character === "#") this.at = this.endOfLine();
      else if (/[\n;|&(]/.test(character)) {
        isCommand = true;
        this.at++;
      } else if (character === ")") {
        this.at++;
        return;
      } else if (/\s/.test(character)) this.at++;
      else if (/[<>]/.test(character)) this.skipTarget();
      else isCommand = this.readWord(isCommand);
    }
  }

  /** Reads a word, and records it where a command is expected. @returns whether the next word is a command */
  private readWord(isCommand: boolean): boolean {
    const word = this.word();
    const rest = this.script.slice(this.at);
    if (!isCommand) return false;
    if (BEFORE_COMMANDS.has(word) || /^\w+=/.test(word)) return true;
    if (word === "case") {
      this.at += 1;
      this.word();
      this.at += this.script.slice(this.at).search(/\bin\b/) + 2;
      return true;
    }
    const isFunction = rest.startsWith("()");
    if (isFunction) this.functions.add(word);
    if (isFunction) this.at += 2;
    // The pattern of a case.
    const isPattern = !isFunction && rest.startsWith(")") && this.depth === 0;
    if (isPattern) this.at++;
    if (!isFunction && !isPattern) this.programs.push(word);
    return isFunction || isPattern;
  }

  private word(): string {
    const start = this.at;
    while (this.at < this.script.length && !/[\s;|&()<>]/.test(this.script.charAt(this.at))) this.skipPart();
    return this.script.slice(start, this.at);
  }

  private skipPart(): void {
    const character = this.script.charAt(this.at++);
    if (character === "\\") this.at++;
    if (character === "'") this.at = this.script.indexOf("'", this.at) + 1 || this.script.length;
    if (character === '"') while (this.script.charAt(this.at++) !== '"') this.skipQuoted();
    if (character === "$") this.skipSubstitution();
  }

  /** Within double quotes, after one character of them. */
  private skipQuoted(): void {
    const character = this.script.charAt(this.at - 1);
    if (character === "\\") this.at++;
    if (character === "$") this.skipSubstitution();
    if (this.at >= this.script.length) throw new Error("a quote is open");
  }

  /** After a `$`: arithmetic has no commands, `$(…)` has. */
  private skipSubstitution(): void {
    if (this.script.startsWith("((", this.at)) this.at = this.script.indexOf("))", this.at) + 2;
    else if (this.script.charAt(this.at) === "(") {
      this.at++;
      this.depth++;
      this.readCommands();
      this.depth--;
    }
  }

  private skipTarget(): void {
    while (/[<>&\s]/.test(this.script.charAt(this.at))) this.at++;
    this.word();
  }

  private endOfLine(): number {
    const end = this.script.indexOf("\n", this.at);
    return end < 0 ? this.script.length : end;
  }
}
