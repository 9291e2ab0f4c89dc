// Work may hold any text, so none is matched in a way that takes longer than its length: while it is matched, no limit
// and no signal ends the run.

/** Blanks and line ends may stand between any two parts of it. */
const ATTRIBUTE = /#\s*(?:!\s*)?\[\s*(?:\w+\s*::\s*)*(?:test\b|cfg\s*\()/g;
const OF_TESTS = /\btest\b/;
const COMMENT = /^\s*\/\//;
/** The end of the code before: up to the next test nothing but attributes and comments may follow. */
const ITEM_END = /[;{}]\s*(?:\/\/.*)?$/;
/** A comment or a line end may stand before its name. */
const OWN_MACRO = /\bmacro_rules\s*!\s*(?:\w*assert|\/[/*]|$)/;
const USE = /\buse\b/;
const ASSERTION = 'assert';
const FENCE = /^\s*\/\/[/!]\s*```/;
const DOCUMENTS = /^\s*\/\/[/!]/;

/** The text of a source in Rust that its tests are made of. */
export function testsOfRust(text: string): string {
  const lines = text.split('\n');
  return [...lines.filter(bringsAssertion), rustExamples(lines), fromFirstTest(text, lines)].join('');
}

/** A macro of the work's own in the place of an assertion. */
function bringsAssertion(line: string): boolean {
  const use = line.search(USE);
  return OWN_MACRO.test(line) || (use >= 0 && line.lastIndexOf(ASSERTION) > use);
}

/** What is fenced in comments that document: `cargo test` runs it. */
function rustExamples(lines: readonly string[]): string {
  let isExample = false;
  const found = lines.filter((line) => {
    if (!DOCUMENTS.test(line)) return (isExample = false);
    if (!FENCE.test(line)) return isExample;
    isExample = !isExample;
    return true;
  });
  return found.map((line) => `${line.trim()}\n`).join('');
}

/** From the first test of a module on, with the attributes and comments before it. */
function fromFirstTest(text: string, lines: readonly string[]): string {
  const first = firstTestIn(text);
  if (first === null) return '';
  let from = text.slice(0, first).split('\n').length - 1;
  while (from > 0 && mayLeaveOut(lines[from - 1] ?? '')) from -= 1;
  return lines.slice(from).join('\n');
}

/** Whether a line may be of an attribute or a comment: those can leave out what comes after them. */
const mayLeaveOut = (line: string): boolean => COMMENT.test(line) || !ITEM_END.test(line);

/** Where the attribute of a test stands, or of a part that is for tests alone. */
function firstTestIn(text: string): number | null {
  /** The end of a line that has no test after the condition that was met first. */
  let without = -1;
  for (const { 0: attribute, index } of text.matchAll(ATTRIBUTE)) {
    if (!attribute.endsWith('(')) return index;
    const from = index + attribute.length;
    if (from <= without) continue;
    const end = text.indexOf('\n', from);
    without = end < 0 ? text.length : end;
    if (OF_TESTS.test(text.slice(from, without))) return index;
  }
  return null;
}
