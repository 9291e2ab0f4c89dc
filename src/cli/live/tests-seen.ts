/** The beginnings of lines by which runners of tests tell of one test that is over. */
const RESULT = new RegExp(
  [
    '✔|✓|√|✗|✖|×',
    String.raw`(?:not )?ok \d`,
    String.raw`--- (?:PASS|FAIL|SKIP)`,
    String.raw`(?:PASS|FAIL|PASSED|FAILED) \S`,
    String.raw`test \S+ \.\.\. (?:ok|FAILED)`,
    String.raw`\S+::\S+ (?:PASSED|FAILED|SKIPPED)`,
  ]
    .map((one) => `^\\s*(?:${one})`)
    .join('|'),
  'u',
);
/** A line without an end may be a megabyte: its beginning is what counts. */
const MAX_LINE_CHARS = 200;

/** Counts the tests that running checks have told of, against how many they told of the last time. */
export class TestsSeen {
  #done = 0;
  #known = 0;
  #line = '';

  /** Checks begin. */
  begin(): void {
    this.#done = 0;
    this.#line = '';
  }

  /** Checks are over: the next ones have about as many tests. */
  end(): void {
    this.#take(this.#line);
    this.#known = Math.max(this.#known, this.#done);
    this.begin();
  }

  /** A piece of their output, as it comes. */
  printed(text: string): void {
    const lines = (this.#line + text).split('\n');
    this.#line = (lines.pop() ?? '').slice(0, MAX_LINE_CHARS);
    for (const line of lines) this.#take(line);
  }

  /** `12 of about 40 tests`. Null: none was told of. */
  text(): string | null {
    if (this.#done === 0) return null;
    if (this.#done <= this.#known) return `${this.#done} of about ${this.#known} tests`;
    return `${this.#done} ${this.#done === 1 ? 'test' : 'tests'}`;
  }

  #take(line: string): void {
    if (RESULT.test(line.slice(0, MAX_LINE_CHARS))) this.#done += 1;
  }
}
