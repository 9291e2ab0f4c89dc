import type { RunSettings } from '../../machines/settings.ts';
import type { Conversation, LoopDefinition } from '../kernel/loop-definition.ts';
import type { RunRecord } from '../log/event-store.ts';
import type { Log } from '../log/log.ts';
import { readEvents } from '../log/reading.ts';
import { systemText } from '../prompt/system-text.ts';
import { knownLoop } from './loop-in-view.ts';

/** What the model of one conversation was told, beside its own answers and the results of its calls. */
export interface Told {
  readonly run: string;
  readonly system: string | null;
  /** Of the built-in system prompt. */
  readonly systemVersion: string | null;
  /** Names of tools. */
  readonly tools: readonly string[];
  /** The task, feedback and what persons have added, oldest first. */
  readonly prompts: readonly string[];
}

/**
 * What models were told in a run: in its own conversation, or else in those of the runs that it has opened, oldest
 * first. A projection of the log: what is not readable is left out.
 */
export async function readTold(
  log: Log,
  record: RunRecord,
  loops: readonly LoopDefinition[],
): Promise<readonly Told[]> {
  const own = await toldIn(log, record.run, loops);
  if (own) return [own];
  const children = (await log.tree(record.root)).filter(({ parentEffect }) =>
    parentEffect?.startsWith(`${record.run}/`),
  );
  const told = await Promise.all(
    children.toSorted((one, other) => place(one) - place(other)).map((child) => readTold(log, child, loops)),
  );
  return told.flat();
}

/** The version of the parent at which it opened the run. */
const place = ({ parentEffect }: RunRecord): number => Number(parentEffect?.split('/')[1] ?? 0);

async function toldIn(log: Log, run: string, loops: readonly LoopDefinition[]): Promise<Told | null> {
  let settings: RunSettings | null = null;
  let conversation: Conversation | null = null;
  for await (const read of readEvents(log, run, loops)) {
    if (read.kind === 'unreadable') break;
    const { event } = read;
    if (event.type === 'run.started') {
      settings = event.payload.settings;
      conversation = knownLoop(event.payload.machine, loops)?.conversation?.() ?? null;
    }
    conversation?.observe(event);
  }
  if (!settings || !conversation) return null;
  return {
    run,
    system: systemText(settings),
    systemVersion: settings.systemVersion ?? null,
    tools: settings.tools,
    prompts: conversation.messages().flatMap((message) => (message.role === 'user' ? [message.text] : [])),
  };
}
