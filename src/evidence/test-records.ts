import { z } from 'zod';
import { excerptOfMessage, head } from '../text/excerpt.ts';
import { jsonIn } from '../text/json-in.ts';
import { oneLine, plain } from '../text/one-line.ts';
import type { EndedRun } from './run-crash.ts';
import { counted, type TestList, type UncountedTest } from './test-list.ts';
import { pathInside } from './workspace-paths.ts';

const MAX_NAME_CHARS = 2_000;
/** As our modules within the runners keep of a message. */
const MAX_MESSAGE_CHARS = 8_000;
/** Further tests of one report are not read: it counts as cut. */
const MAX_TESTS = 200_000;

const Beginning = z.object({ runner: z.string(), directory: z.string() });

/** What our modules within a test runner write of each test: a line of JSON. */
const TestRecord = z.object({
  /** Absolute, or from the directory of the runner. Null: not known. */
  file: z.string().nullable(),
  /** The groups, outermost first, then the test's own name. Empty: the file itself. */
  path: z.array(z.string()),
  result: z.enum(['passed', 'failed', 'skipped']),
  message: z.string().optional(),
});
type TestRecord = z.infer<typeof TestRecord>;

/** A test that begins. Not every module writes it, and some only of a test that does not end. */
const Begun = z.object({ begun: TestRecord.pick({ file: true, path: true }) });

/** The last line: how many tests were written. */
const Ending = z.object({ tests: z.int() });

/** Reads what one of our modules has written within a runner. Null: it has not begun. */
export function readTestRecords(text: string, tops: readonly string[]): TestList | null {
  const lines = text.split('\n');
  const beginning = Beginning.safeParse(jsonIn(lines[0] ?? '')).data;
  if (!beginning) return null;
  const tests: UncountedTest[] = [];
  const open = new Map<string, EndedRun>();
  let complete = false;
  for (const line of lines.slice(1)) {
    if (line === '') continue;
    const value = jsonIn(line);
    const begun = Begun.safeParse(value).data?.begun;
    if (begun) {
      const { file, name } = testOf({ ...begun, result: 'passed' }, beginning.directory, tops);
      open.set(JSON.stringify([file, name]), { file, name, within: 'run', said: null });
    }
    const record = TestRecord.safeParse(value).data;
    complete = Ending.safeParse(value).data?.tests === tests.length;
    if (!record) continue;
    if (tests.length === MAX_TESTS) break;
    const test = testOf(record, beginning.directory, tops);
    open.delete(JSON.stringify([test.file, test.name]));
    tests.push(test);
  }
  return { tests: counted(tests), complete, ...endedIn([...open.values()], complete) };
}

/** A runner that goes on has lost a file. One that does not has lost all: of several tests the last one is named. */
function endedIn(open: readonly EndedRun[], isOver: boolean): Pick<TestList, 'ended'> {
  const ended = isOver ? open.map((one) => ({ ...one, within: 'file' as const })) : open.slice(-1);
  return ended.length > 0 ? { ended } : {};
}

function testOf({ file, path, result, message }: TestRecord, directory: string, tops: readonly string[]) {
  return {
    file: file === null ? null : pathInside(file, directory, tops),
    name: testName(path),
    result,
    ...(result === 'failed' && message
      ? { message: excerptOfMessage(harmless(excerptOfMessage(message, 4 * MAX_MESSAGE_CHARS)), MAX_MESSAGE_CHARS) }
      : {}),
  };
}

/** The full name of a test, in one line. */
export function testName(path: readonly string[]): string {
  const parts = path.map((part) => oneLine(part.toWellFormed(), MAX_NAME_CHARS));
  const name = parts.filter((part) => part !== '').join(' > ');
  return head(name || (path.length === 0 ? '' : 'a test without a name'), MAX_NAME_CHARS);
}

/** Without what could steer a terminal, or not be logged. */
const harmless = (text: string): string => plain(text).toWellFormed().trim();
