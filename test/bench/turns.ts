import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { defineTool } from '../../src/actors/tools/tool.ts';
import type { Model } from '../../src/actors/model/model.ts';
import { Loops } from '../../src/hosts/local/local-host.ts';
import type { Log } from '../../src/log/log.ts';
import type { Watch } from '../../src/runtime/own-tree.ts';

export const nothing = defineTool({
  name: 'nothing',
  description: 'Does nothing.',
  input: z.strictObject({ step: z.int() }),
  // The same result again and again would be a doom loop.
  run: async ({ step }) => ({ output: `ok ${step}` }),
});

/** Answers at once: one call a step, then a text. No two calls are alike. */
export const instant = (steps: number): Model => ({
  name: 'instant',
  answer: async ({ step }) =>
    step + 1 < steps
      ? { text: '', calls: [{ tool: 'nothing', arguments: { step } }], usage: { inputTokens: 1, outputTokens: 1 } }
      : { text: 'done', usage: { inputTokens: 1, outputTokens: 1 } },
});

export function loopsOf(log: Log, steps: number): Loops {
  return new Loops({ log, model: instant(steps), tools: [nothing], ceilings: { steps: 1_000_000 } });
}

/** Outside a repository: what git costs has a bench of its own. */
const elsewhere = mkdtempSync(join(tmpdir(), 'loopfold-bench-workspace-'));
process.on('exit', () => rmSync(elsewhere, { recursive: true, force: true }));

/**
 * One turn of so many steps, through everything a user's turn goes through. Turns at once need folders of their own:
 * each may write in its own.
 */
export async function turn(loops: Loops, steps: number, directory = elsewhere, watch?: Watch): Promise<string> {
  const options = { prompt: 'Count.', loop: 'turn', directory, tools: ['nothing'] };
  const run = await loops.start({ ...options, maxSteps: steps, maxToolCalls: 'none' }, watch);
  const end = await run.done;
  if (end.kind !== 'ended' || end.outcome.ending !== 'success')
    throw new Error(`the turn did not finish: ${JSON.stringify(end)}`);
  return run.run;
}

/** Counts commits where they reach the database driver. */
export function countingCommits<Result>(work: () => Result): Result & { commits: () => number } {
  let commits = 0;
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function counted(sql: string) {
    const statement = prepare.call(this, sql);
    if (sql !== 'COMMIT') return statement;
    const run = statement.run.bind(statement);
    statement.run = ((...values: never[]) => {
      commits += 1;
      return run(...values);
    }) as typeof statement.run;
    return statement;
  };
  try {
    return Object.assign(work() as Result & object, { commits: () => commits });
  } finally {
    DatabaseSync.prototype.prepare = prepare;
  }
}
