import type { EventOf } from '../../../machines/events.ts';
import { readEvents } from '../../log/reading.ts';
import type { ChecksOf } from '../../ports/effect-records.ts';
import type { ConversationSource } from './earlier-conversations.ts';

/** For hosts without a log of their own. */
export const noChecks: ChecksOf = async () => null;

/** Finds them in a log. */
export const checksIn =
  ({ log, loops }: ConversationSource): ChecksOf =>
  async (run) => {
    let newest: EventOf<'verification.completed'>['payload'] | null = null;
    for await (const read of readEvents(log, run, loops))
      if (read.kind === 'event' && read.event.type === 'verification.completed') newest = read.event.payload;
    return newest;
  };
