import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { Narration } from '../kernel/narration.ts';
import type { EventStore, RunRecord } from '../log/event-store.ts';
import { factPages } from './fact.ts';
import { LoopInView } from './loop-in-view.ts';

/**
 * The time until which a tree of runs waits, as the narration of its newest open run has it (RFC 3339), such as the end
 * of a limit of its provider. Null: it has ended, or waits for something else.
 *
 * @example
 * const until = await readWait(log, record, loops);
 * if (until !== null) console.log(`waits until ${until}`);
 */
export async function readWait(
  log: EventStore,
  { root }: Pick<RunRecord, 'root'>,
  loops: readonly LoopDefinition[],
): Promise<string | null> {
  const newest = (await log.tree(root)).findLast(({ closed }) => closed === null);
  if (!newest) return null;
  const inView = new LoopInView(loops);
  let narration: Narration | undefined;
  let described: LoopDefinition | null = null;
  let until: string | null = null;
  for await (const page of factPages(log, newest.run, loops)) {
    for (const fact of page) {
      const loop = inView.observe(fact);
      if (loop !== described) narration = loop?.describe.narration?.(narration);
      described = loop;
      for (const wait of narration?.tell(fact)?.waits ?? []) {
        if (wait.kind === 'only') until = wait.until ?? null;
        else if (wait.kind === 'over' && wait.key === undefined) until = null;
      }
    }
  }
  return until;
}
