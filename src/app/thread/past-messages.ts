import type { PromptImage } from '../../../machines/prompt-image.ts';
import type { EarlierMessage, RunSettings } from '../../../machines/settings.ts';
import { isWhole } from '../../actors/model/image-file.ts';
import { recentMessages } from '../../actors/model/recent-messages.ts';
import { listed } from '../../text/list-text.ts';
import { plain } from '../../text/plain.ts';
import { imagesIn } from '../records/earlier-images.ts';
import { historyTokens } from '../../loops/shared/effects/with-history.ts';
import type { AppHost } from '../app-host.ts';
import type { PastRun } from './past-run.ts';

interface PastMessages {
  readonly history: EarlierMessage[];
  readonly warnings: readonly string[];
}

/**
 * The newest messages of a conversation that a run continues, for its settings. Images are shown again to the model
 * that has seen them; another one may take none, and would refuse the whole conversation.
 */
export async function pastMessages(
  { log, definitions: loops, services }: Pick<AppHost, 'log' | 'definitions' | 'services'>,
  { run, messages, settings: past }: PastRun,
  settings: RunSettings,
): Promise<PastMessages> {
  const shown = settings.images ?? [];
  const images = messages.flatMap(imagesOf).filter((image) => !shown.some(({ sha256 }) => sha256 === image.sha256));
  const digests = new Set(images.map(({ sha256 }) => sha256));
  const found = images.length > 0 && past.model === settings.model ? await imagesIn({ log, loops })(run, digests) : [];
  const showable = new Set(found.filter(isWhole).map(({ sha256 }) => sha256));
  const history = recentMessages(messages, {
    maxTokens: await historyTokens(settings, services.contextTokensOf),
    shown,
    isShowable: ({ sha256 }) => showable.has(sha256),
  });
  const kept = new Set(history.flatMap(imagesOf).map(({ sha256 }) => sha256));
  const lost = new Map(images.flatMap(({ sha256, name }) => (kept.has(sha256) ? [] : [[sha256, plain(name)]])));
  return { history, warnings: lost.size === 0 ? [] : [warningOf([...lost.values()], past, settings)] };
}

function warningOf(names: readonly string[], past: RunSettings, { model }: RunSettings): string {
  const which = `Images of the conversation are left out (${listed(names, 'and')})`;
  const why =
    past.model === model
      ? 'they have no room in it, or the log has lost them'
      : `${plain(past.model)} has seen them, and ${plain(model)} may take none`;
  return `${which}: ${why}. The model is told so. Show them again with --image FILE.`;
}

const imagesOf = (message: EarlierMessage | PastRun['messages'][number]): readonly PromptImage[] =>
  message.role === 'user' ? (message.images ?? []) : [];
