import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Script } from '../../src/actors/model/script.ts';
import { scriptedModel } from '../../src/actors/model/model-script.ts';
import type { RunOptions } from '../../src/config/options.ts';
import { Loops } from '../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { factOf } from '../../src/projections/read-summary.ts';
import { type RunSummary, runSummary } from '../../src/projections/run-summary.ts';
import type { Fact } from '../../src/kernel/effect-handlers.ts';

/** A real run of a scripted model, to its end: the loops it is in, and every fact of a run of its log. */
export async function recorded(script: Script, options: Partial<RunOptions>) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'loopfold-read-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  execFileSync('git', ['init', '--quiet', directory]);
  const loops = new Loops({ log: memoryLog(), model: scriptedModel(script) });
  const live = await loops.start({ prompt: 'do it', directory, ...options });
  await live.done;
  const factsOf = async (run: string): Promise<readonly Fact[]> => {
    const facts: Fact[] = [];
    for await (const envelope of loops.log.read(run)) facts.push(factOf(envelope));
    return facts;
  };
  return { loops, run: live.run, factsOf };
}

export function summaryOf(facts: readonly Fact[]): RunSummary {
  const summary = facts.reduce<RunSummary | null>((before, fact) => runSummary(before, fact, shippedLoops), null);
  if (!summary) throw new Error('no facts');
  return summary;
}
