import type { PromptImage } from '../../../machines/prompt-image.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { readEvents } from '../../log/reading.ts';
import type { ConversationSource } from './earlier-conversations.ts';

/**
 * The images that the run at the top of a run's tree, or one before it in its thread, was started with, with their
 * content: those with one of these digests, as far as the log has them.
 */
export type ImageSource = (run: string, digests: ReadonlySet<string>) => Promise<readonly PromptImage[]>;

/** How many runs of a thread are looked at for an image, the newest first. */
const MAX_RUNS_OF_THREAD = 1_000;

/** Finds images in the settings of the run at the top of a run's tree, and of the runs before it in its thread. */
export const imagesIn =
  (source: ConversationSource): ImageSource =>
  async (run, digests) => {
    const found = new Map<string, PromptImage>();
    let next: string | null = (await source.log.run(run))?.root ?? run;
    for (let looked = 0; next !== null && looked < MAX_RUNS_OF_THREAD && found.size < digests.size; looked += 1) {
      const settings: RunSettings | null = await settingsIn(source, next);
      for (const image of settings?.images ?? []) if (digests.has(image.sha256)) found.set(image.sha256, image);
      next = settings?.thread?.continues ?? null;
    }
    return [...found.values()];
  };

async function settingsIn({ log, loops }: ConversationSource, run: string): Promise<RunSettings | null> {
  for await (const read of readEvents(log, run, loops)) {
    if (read.kind === 'event' && read.event.type === 'run.started') return read.event.payload.settings;
  }
  return null;
}
