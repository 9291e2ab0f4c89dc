import { readEvents } from '../../log/reading.ts';
import type { ConversationSource } from './earlier-conversations.ts';
import type { ImageSource } from './services/with-images.ts';

/** Finds the images of a tree of runs in the settings of the run at its top. */
export const imagesIn =
  ({ log, loops }: ConversationSource): ImageSource =>
  async (run) => {
    const root = (await log.run(run))?.root ?? run;
    for await (const read of readEvents(log, root, loops)) {
      if (read.kind === 'event' && read.event.type === 'run.started') return read.event.payload.settings.images ?? [];
    }
    return [];
  };
