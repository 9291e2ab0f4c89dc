import type { Log } from '../../../src/log/log.ts';
import type { Oracle } from './oracle.ts';

/** A log whose answers to its process are noted: what it says is durable has to stay so. */
export const acknowledging = (log: Log, oracle: Oracle): Log => ({
  ...log,
  append: async (request) => {
    const result = await log.append(request);
    if (result.kind === 'appended') oracle.acknowledged(result.envelopes);
    return result;
  },
  post: async (run, command) => {
    const entry = await log.post(run, command);
    oracle.posted(entry.id, entry.type);
    return entry;
  },
});
