import type { EventStore } from '../log/event-store.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { NextStep } from '../kernel/effect-handlers.ts';
import { readableFacts } from './read-summary.ts';

/** What the loop of an ended run proposes to do next. Empty: it proposes nothing. */
export async function readNext(
  log: EventStore,
  { run, name, loop }: { readonly run: string; readonly name: string; readonly loop: LoopDefinition | null },
  loops: readonly LoopDefinition[],
): Promise<readonly NextStep[]> {
  const next = loop?.describe.next?.();
  if (!next) return [];
  for await (const fact of readableFacts(log, run, loops)) next.observe(fact);
  return next.steps(name);
}
