import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { App } from '../../app/app.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { readableFacts } from '../../projections/read-summary.ts';
import { plain } from '../../projections/phrases.ts';
import type { Watch } from '../../runtime/own-tree.ts';
import { LiveReading } from '../live/live-reading.ts';
import { pastOf } from '../pages/past-facts.ts';
import { RunUpdates } from './run-updates.ts';

export type Tell = (update: SessionUpdate) => void;

/** A watch that tells what a new run records and streams. */
export function watchOfNew(loops: readonly LoopDefinition[], tell: Tell): Watch {
  return following(new RunUpdates(loops), loops, tell);
}

/** The same for a run that is resumed: what it recorded before is known, and not told again. */
export async function watchOfResumed(
  { log, definitions }: Pick<App, 'log' | 'definitions'>,
  run: string,
  tell: Tell,
): Promise<Watch> {
  const updates = new RunUpdates(definitions);
  for await (const fact of pastOf(log, run, definitions)) updates.recall(fact);
  return following(updates, definitions, tell);
}

/** Tells a run that is over, or stands still, from its first message on. */
export async function tellPast(
  { log, definitions }: Pick<App, 'log' | 'definitions'>,
  root: string,
  tell: Tell,
): Promise<void> {
  const updates = new RunUpdates(definitions, { isPast: true });
  const below = (await log.tree(root)).map(({ run }) => run).filter((run) => run !== root);
  for (const run of [root, ...below]) {
    for await (const fact of readableFacts(log, run, definitions)) {
      if (fact.type === 'run.started' && run === root) tell(spoken(fact.payload.settings.prompt));
      if (fact.type === 'run.steered') tell(spoken(fact.payload.text));
      for (const update of updates.observe(fact)) tell(update);
    }
  }
}

function following(updates: RunUpdates, loops: readonly LoopDefinition[], tell: Tell): Watch {
  const reading = new LiveReading(loops);
  return (facts, deltas) => {
    facts.subscribe((envelope) => {
      const fact = reading.read(envelope);
      for (const update of fact ? updates.observe(fact) : []) tell(update);
    });
    deltas.subscribe((delta) => {
      for (const update of updates.delta(delta)) tell(update);
    });
  };
}

const spoken = (text: string): SessionUpdate => ({
  sessionUpdate: 'user_message_chunk',
  content: { type: 'text', text: plain(text) },
});
