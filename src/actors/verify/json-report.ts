import { z } from 'zod';
import type { TestReport } from '../../../machines/events.ts';
import { type SingleTest, tally } from './single-test.ts';

const texts = z.array(z.string());

const Assertion = z.object({
  title: z.string().default(''),
  ancestorTitles: texts.default([]),
  status: z.string(),
  failureMessages: texts.nullish(),
});

const File = z.object({
  name: z.string().default(''),
  status: z.string().optional(),
  message: z.string().nullish(),
  assertionResults: z.array(Assertion).default([]),
});
type File = z.infer<typeof File>;

/** What jest's `--json` and vitest's `--reporter=json` have in common. */
const Report = z.object({
  numTotalTests: z.number(),
  numFailedTests: z.number().default(0),
  success: z.boolean().default(true),
  testResults: z.array(File),
});
type Report = z.infer<typeof Report>;

/** A report begins with one of its counts; within a string its quotes would be escaped. */
const BEGINNING = /\{\s*"num[A-Z]\w*"\s*:/g;

/** Reads every report of jest or vitest in a text, whatever is printed before, between and after. Null without one. */
export function readJsonReport(text: string): TestReport | null {
  const tests = jsonTests(text);
  return tests && tally('json', tests);
}

/** The tests of these reports. The path of each begins with its file. */
export function jsonTests(text: string): readonly SingleTest[] | null {
  const whole = reportIn(text);
  const reports = whole ? [whole] : embedded(text);
  return reports.length === 0 ? null : reports.flatMap(allOf);
}

function embedded(text: string): Report[] {
  const found: Report[] = [];
  let next = 0;
  for (const { index } of text.matchAll(BEGINNING)) {
    if (index < next) continue;
    next = endOfObject(text, index);
    const report = reportIn(text.slice(index, next));
    if (report) found.push(report);
  }
  return found;
}

/** Behind the brace that closes the one at `start`; where none does, the end of the text. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (isInString && character === '\\') at += 1;
    else if (character === '"') isInString = !isInString;
    else if (!isInString && character === '{') depth += 1;
    else if (!isInString && character === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

function reportIn(text: string): Report | null {
  try {
    return Report.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** A run can fail although none of its tests did: an uncaught error, for example. */
function allOf({ success, numFailedTests, testResults }: Report): SingleTest[] {
  const tests = testResults.flatMap(testsOf);
  if ((success && numFailedTests === 0) || tests.some(({ result }) => result === 'failed')) return tests;
  return [
    ...tests,
    { path: ['the run as a whole'], result: 'failed', message: 'it says that it has failed, and names no test' },
  ];
}

/** A file that could not even be loaded has no tests of its own, and has failed as one. */
function testsOf({ name, status, message, assertionResults }: File): SingleTest[] {
  const tests = assertionResults.map((assertion): SingleTest => ({
    path: [name, ...assertion.ancestorTitles, assertion.title],
    result: resultOf(assertion.status),
    message: assertion.failureMessages?.join('\n') ?? '',
  }));
  if (status !== 'failed' || tests.some(({ result }) => result === 'failed')) return tests;
  return [...tests, { path: [name], result: 'failed', message: message ?? '' }];
}

function resultOf(status: string): SingleTest['result'] {
  return status === 'passed' || status === 'failed' ? status : 'skipped';
}
