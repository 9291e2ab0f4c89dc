import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { z } from 'zod';
import { type Content, repository, temporaryFolder } from '../../git/repository.ts';
import type { EventOf, LoopEvent } from '../../../machines/events.ts';
import type { ImprovementOptions } from '../../../machines/improvement-options.ts';
import type { RunOptions } from '../../../src/config/options.ts';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import type { LoopsOptions } from '../../../src/hosts/local/loops-options.ts';
import { readEvents } from '../../../src/log/reading.ts';
import { openSqliteLog } from '../../../src/log/sqlite/engine.ts';

type Phases = NonNullable<z.input<typeof ImprovementOptions>['phases']>;

export interface Night {
  readonly files: Readonly<Record<string, Content>>;
  /** Files that are not committed: git ignores them, or they came later. */
  readonly uncommitted?: Readonly<Record<string, Content>>;
  readonly phases?: Phases;
  readonly checks?: readonly string[];
  /** A model of null: the one that the run names. */
  readonly loops?: Omit<Partial<LoopsOptions>, 'model'> & { readonly model?: LoopsOptions['model'] | null };
  readonly options?: Partial<RunOptions>;
}

/** A check that says nothing of the work, where a test is about something else. */
const PASSING = 'L0:true';

/**
 * A repository, and a store of runs, in which an improvement loop discovers and filters, and tries nothing: its
 * candidates are listed.
 */
export async function nights({ files, uncommitted = {}, ...first }: Night) {
  const { root, write, commit } = await repository({ '.gitignore': '.loopfold/\n*.log\n*.info\n', ...files });
  await commit();
  await write(uncommitted);
  const folder = await temporaryFolder();
  const log = openSqliteLog(join(folder, 'log.db'));
  onTestFinished(() => log.close());
  const { model = scriptedModel(() => ({ text: 'done' })), ...more } = first.loops ?? {};
  const loops = () =>
    new Loops({ log, ...(model ? { model } : {}), holds: join(folder, 'holds.db'), warn: () => {}, ...more });
  const listed = async ({ phases = {}, checks = [PASSING], options = {} }: Omit<Night, 'files'> = first) => {
    const run = await loops().start({
      loop: 'improvement',
      prompt: 'Keep it small.',
      directory: root,
      checks: [...checks],
      options: JSON.parse(JSON.stringify({ phases: { experiment: { enabled: false }, ...phases } })),
      maxIterations: 1,
      ...options,
    });
    await run.done;
    const events: LoopEvent[] = [];
    for await (const read of readEvents(log, run.run)) if (read.kind === 'event') events.push(read.event as LoopEvent);
    return events;
  };
  /** A run of another loop, that ends without success. */
  const failed = async (check: string) => {
    const about = { loop: 'iteration', prompt: 'Do it.', directory: root, checks: [check], maxIterations: 1 };
    await (
      await loops().start({ ...about, checkIn: 'workspace' })
    ).done;
  };
  return { root, loops, listed, failed };
}

/** The payloads of the events of one type. */
export const all = <Type extends LoopEvent['type']>(events: readonly LoopEvent[], type: Type) =>
  events
    .filter((event): event is Extract<LoopEvent, { type: Type }> => event.type === type)
    .map(({ payload }) => payload as EventOf<Type>['payload']);

/** What the first iteration has found. */
export function discoveredIn(events: readonly LoopEvent[]): EventOf<'discovery.completed'>['payload'] {
  const [first] = all(events, 'discovery.completed');
  if (!first) throw new Error(`nothing was discovered: ${JSON.stringify(events.at(-1))}`);
  return first;
}
