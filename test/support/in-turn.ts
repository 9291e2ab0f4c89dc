import { test } from 'vitest';
import { tenthOf } from './tenth.ts';
import { tierOf } from './tier.ts';
import { hasTurn } from './turns.ts';

const tier = tierOf(process.env);

/** Whether these tests take what has this name: one of ten names, others with another tenth, or all. */
export const takesTurn = (name: string): boolean => hasTurn(name, tier);

type Run = () => Promise<void> | void;

/**
 * A test of whole runs, beside another one of its row in `npm test`: a slice takes one of ten, and a full run all.
 */
export function testInTurn(name: string, run: Run): void {
  // oxlint-disable-next-line vitest/valid-title, vitest/no-conditional-tests -- the titles are where this is called
  if (takesTurn(name)) test(name, run);
}

/** `testInTurn` where a condition holds; elsewhere those whose turn it is are skipped. */
testInTurn.runIf = (condition: boolean) => (name: string, run: Run) => {
  // oxlint-disable-next-line vitest/valid-title, vitest/no-conditional-tests -- the titles are where this is called
  if (takesTurn(name)) test.runIf(condition)(name, run);
};

/** `testInTurn` where a condition does not hold; elsewhere those whose turn it is are skipped. */
testInTurn.skipIf = (condition: boolean) => testInTurn.runIf(!condition);

/** A tenth of the cases of a table, and at least one. */
testInTurn.each = ((cases: readonly unknown[]) => test.each(tenthOf(cases))) as typeof test.each;
/** As `each`, and each test gets its case as one. */
// oxlint-disable-next-line vitest/valid-title, vitest/no-disabled-tests -- title and test are where this is called
testInTurn.for = ((cases: readonly unknown[]) => test.for(tenthOf(cases))) as typeof test.for;
