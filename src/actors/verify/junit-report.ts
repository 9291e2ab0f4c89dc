import type { TestReport } from '../../../machines/events.ts';
import { JunitDocument } from './junit-document.ts';
import { type SingleTest, tally } from './single-test.ts';

/** Where a document may begin. What declares it and its types stands before, and is never read. */
const BEGINNING = /^[ \t]*(?:<\?xml[^<>]*\?>\s*)?(?=<testsuites?[\s/>])/gm;

/** Further ones are not read: no runner prints so many. */
const MAX_DOCUMENTS = 1_000;

/**
 * Reads every JUnit document in a text. Null without one. A damaged document, cut off for example, counts only if it
 * shows failures: what the missing part reported is unknown.
 */
export function readJunitReport(text: string): TestReport | null {
  const tests = junitTests(text);
  return tests && tally('junit', tests);
}

/** The tests of these documents. */
export function junitTests(text: string): readonly SingleTest[] | null {
  const documents: JunitDocument[] = [];
  let next = 0;
  for (const beginning of text.matchAll(BEGINNING)) {
    const start = beginning.index + beginning[0].length;
    if (start < next) continue;
    if (documents.length === MAX_DOCUMENTS) break;
    const document = new JunitDocument(text, start);
    documents.push(document);
    next = document.end;
  }
  const believed = documents.filter(({ isWhole, tests }) => isWhole || tests.some(({ result }) => result === 'failed'));
  return believed.length === 0 ? null : believed.flatMap(({ tests }) => tests);
}
