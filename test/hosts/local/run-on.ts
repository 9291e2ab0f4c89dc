import { lastValueFrom, toArray } from 'rxjs';
import { onTestFinished } from 'vitest';
import type { LoopEvent } from '../../../machines/events.ts';
import type { Providers } from '../../../src/actors/model/providers.ts';
import type { RunOptions } from '../../../src/config/options.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { temporaryFolder } from '../../git/repository.ts';
import { environmentOn } from '../../support/model-server/on-each-wire.ts';
import type { ServerScript } from '../../support/model-server/script.ts';
import { modelServer } from '../../support/model-server/server.ts';

/** A run, a turn where nothing else is said, whose model is a server with this script. It has ended. */
export async function runOn(
  model: string,
  script: ServerScript,
  more: Partial<RunOptions> = {},
  providers: Providers = {},
) {
  const server = await modelServer(script);
  onTestFinished(server.close);
  const loops = new Loops({ log: memoryLog(), providers, environment: environmentOn(server.url) });
  const directory = more.directory ?? (await temporaryFolder());
  const run = await loops.start({ prompt: 'Explain it.', loop: 'turn', model, ...more, directory });
  const end = await run.done;
  if (end.kind !== 'ended') throw new Error(`it left as ${end.kind}`);
  const facts = (await lastValueFrom(loops.events(run.run).pipe(toArray()))) as unknown as readonly LoopEvent[];
  return {
    outcome: end.outcome,
    requests: server.requests,
    facts,
    charged: chargedIn(facts),
    warnings: warningsIn(facts),
  };
}

/** The codes of warnings, but for the price of a model that has none. */
const warningsIn = (facts: readonly LoopEvent[]): readonly string[] =>
  facts
    .flatMap(({ type, payload }) => (type === 'warning.raised' ? [payload.code] : []))
    .filter((code) => code !== 'price_unknown');

/** The tokens that are recorded as used, of all answers and failures. */
function chargedIn(facts: readonly LoopEvent[]): { readonly input: number; readonly output: number } {
  const used = facts.flatMap(({ payload }) => ('usage' in payload && payload.usage ? [payload.usage] : []));
  return {
    input: used.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    output: used.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  };
}
