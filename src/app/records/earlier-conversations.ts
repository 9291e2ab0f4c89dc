import type { Conversation, LoopDefinition } from '../../kernel/loop-definition.ts';
import type { EventStore } from '../../log/event-store.ts';
import type { Log } from '../../log/log.ts';
import { readEvents } from '../../log/reading.ts';
import type { EarlierConversations } from '../../ports/effect-records.ts';

export interface ConversationSource {
  readonly log: EventStore & Pick<Log, 'store'>;
  readonly loops: readonly LoopDefinition[];
}

/** For hosts without a log of their own. */
export const noConversations: EarlierConversations = async () => [];

/** Folds conversations from a log. */
export const conversationsIn =
  ({ log, loops }: ConversationSource): EarlierConversations =>
  async (run) => {
    let conversation: Conversation | null = null;
    const definition = (machine: string) => loops.find(({ id }) => id === machine);
    for await (const read of readEvents(log, run, loops)) {
      if (read.kind === 'unreadable') continue;
      const { event } = read;
      if (event.type === 'run.started') conversation = definition(event.payload.machine)?.conversation?.() ?? null;
      if (event.type === 'run.migrated') {
        conversation = definition(event.payload.to)?.conversation?.(conversation ?? undefined) ?? null;
      }
      conversation?.observe(event);
    }
    return conversation?.messages() ?? [];
  };
