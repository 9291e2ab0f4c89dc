/** One line of what a compiler or a linter has found. */
export interface PrintedFinding {
  /** As it was printed: absolute, or from the folder of the command. */
  readonly path: string;
  readonly line: number;
  readonly message: string;
  /** Such as `TS2322` or `no-unused-vars`. Null: none was printed. */
  readonly rule: string | null;
  /** Null: it says neither. */
  readonly severity: 'error' | 'warning' | null;
}

const MAX_FINDINGS = 2_000;
/** Longer lines are of generated files, or of reports for programs. */
const MAX_LINE_CHARS = 2_000;

const FILE = String.raw`(?<path>(?:[A-Za-z]:)?[^\s:()"'][^:()"]*?\.[A-Za-z]\w*|[^\s:()"']*[A-Za-z_][^\s:()"']*)`;

/** A whole finding on one line. */
const LINES: readonly RegExp[] = [
  // Annotations of a CI: ::error file=a.ts,line=3,col=1,title=no-debugger::a.ts:3:1: message
  new RegExp(
    String.raw`^::(?<severity>error|warning) file=(?<path>[^,:]+),line=(?<line>\d+)[^:]*?` +
      String.raw`(?:,title=(?<rule>[^:,]+))?::(?<message>.*)$`,
  ),
  // tsc: a.ts(1,7): error TS2322: message
  new RegExp(String.raw`^${FILE}\((?<line>\d+),\d+\): (?<severity>error|warning) (?<rule>[A-Z]+\d+): (?<message>.*)$`),
  // tsc for people: a.ts:1:7 - error TS2322: message
  new RegExp(String.raw`^${FILE}:(?<line>\d+):\d+ - (?<severity>error|warning) (?<rule>[A-Z]+\d+): (?<message>.*)$`),
  // ESLint, compact: a.js: line 1, col 7, Error - message (rule)
  new RegExp(
    String.raw`^${FILE}: line (?<line>\d+), col \d+, (?<severity>Error|Warning) - ` +
      String.raw`(?<message>.*?)(?: \((?<rule>[\w@/-]+)\))?$`,
  ),
  // unix: a.js:1:7: message [Error/rule]
  new RegExp(
    String.raw`^${FILE}:(?<line>\d+):\d+: (?<message>.*) \[(?<severity>Error|Warning)(?:\/(?<rule>[^\]]+))?\]$`,
  ),
  // mypy: a.py:3: error: message  [rule]; compilers of C: a.c:3:2: error: message [-Wrule]
  new RegExp(
    String.raw`^${FILE}:(?<line>\d+)(?::\d+)?: (?:fatal )?(?<severity>error|warning): ` +
      String.raw`(?<message>.*?)(?:\s+\[(?<rule>[\w-]+)\])?$`,
  ),
  // Biome: a.ts:1:7 lint/style/useConst ━━━; its message follows.
  new RegExp(String.raw`^${FILE}:(?<line>\d+):\d+ (?<rule>(?:lint|parse|format|assist)\/?[\w/]*)(?<message>)(?: .*)?$`),
  // ruff, flake8: a.py:1:8: F401 message
  new RegExp(String.raw`^${FILE}:(?<line>\d+):\d+: (?<rule>[A-Z]+\d+) (?<message>.*)$`),
  // Everything else: a.go:3:2: message, or a.sh:3: message
  new RegExp(String.raw`^${FILE}:(?<line>\d+)(?::\d+)?:? (?<message>\S.*)$`),
];

/** ESLint, stylish: the file stands above its findings. */
const STYLISH = /^\s+(?<line>\d+):\d+\s+(?<severity>error|warning)\s+(?<message>.*?)(?:\s{2,}(?<rule>\S+))?$/;
/** For people: a message with its place below, as oxlint, Rust and Biome print. */
const MESSAGE = new RegExp(
  String.raw`^\s*(?:(?<sign>[×!⚠x✖])\s+)?(?:(?<severity>error|warning)(?:\[(?<code>\w+)\])?: )?` +
    String.raw`(?:(?<rule>[\w-]+\([\w/-]+\)): )?(?<message>\S.*)$`,
);
const BY_SIGN: ReadonlyMap<string, 'error' | 'warning'> = new Map([
  ['!', 'warning'],
  ['⚠', 'warning'],
  ['×', 'error'],
  ['x', 'error'],
  ['✖', 'error'],
]);
const PLACE = /^\s*(?:[╭,]─?-?\[|--> )(?<path>[^\]]+?):(?<line>\d+):\d+\]?/;

/**
 * What compilers and linters have printed, in the order of the output: the formats of tsc, ESLint (stylish, unix,
 * compact), oxlint, Biome, mypy, ruff, Rust and C, annotations of a CI, and any line that begins with `file:line:col`.
 *
 * @example
 * printedFindings('src/a.ts(1,7): error TS2322: Type…')[0]?.rule; // 'TS2322'
 */
export function printedFindings(output: string): readonly PrintedFinding[] {
  const found: PrintedFinding[] = [];
  let above: string | null = null;
  let before: string | null = null;
  for (const line of output.split('\n')) {
    if (found.length === MAX_FINDINGS) break;
    if (line.length > MAX_LINE_CHARS) continue;
    const stylish = above === null ? null : STYLISH.exec(line);
    const one = stylish ? findingOf(stylish, above) : (onOneLine(line) ?? atPlaceOf(line, before));
    const last = found.at(-1);
    if (one) found.push(one);
    // Biome prints its message below the place.
    else if (last?.message === '' && line.trim() !== '')
      found[found.length - 1] = { ...last, ...messageOf(line), rule: last.rule };
    if (/^\S+$/.test(line)) above = line;
    if (line.trim() !== '') before = line;
  }
  return found.filter(({ message }) => message !== '');
}

function onOneLine(line: string): PrintedFinding | null {
  for (const pattern of LINES) {
    const match = pattern.exec(line);
    if (match) return findingOf(match, null);
  }
  return null;
}

function atPlaceOf(line: string, message: string | null): PrintedFinding | null {
  const { path = '', line: number = '' } = PLACE.exec(line)?.groups ?? {};
  return path === '' || message === null ? null : { path, line: Number(number), ...messageOf(message) };
}

function messageOf(line: string): Pick<PrintedFinding, 'message' | 'rule' | 'severity'> {
  const { sign = '', severity, code, rule, message = '' } = MESSAGE.exec(line)?.groups ?? {};
  return { message, rule: rule ?? code ?? null, severity: severityOf(severity) ?? BY_SIGN.get(sign) ?? null };
}

function findingOf({ groups = {} }: RegExpExecArray, above: string | null): PrintedFinding {
  const { path = above ?? '', line = '0', message = '', rule, severity } = groups;
  return { path, line: Number(line), message, rule: rule ?? null, severity: severityOf(severity) };
}

const severityOf = (word: string | undefined): PrintedFinding['severity'] =>
  word === undefined ? null : (word.toLowerCase() as 'error' | 'warning');
