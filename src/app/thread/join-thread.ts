import type { RunSettings, EarlierMessage } from '../../../machines/settings.ts';
import type { RunOptions } from '../../config/options.ts';
import type { AppHost } from '../app-host.ts';
import { type PastRun, pastRun } from './past-run.ts';
import { withAccount } from './thread-account.ts';
import { type RecordedOptions, recordedOptions } from '../../config/options-of-record.ts';
import { optionsThat } from '../../options/option-table.ts';
import type { PromptImage } from '../../../machines/prompt-image.ts';
import { isWhole } from '../../actors/model/image-file.ts';
import { recentMessages } from '../../actors/model/recent-messages.ts';
import { listed } from '../../text/list-text.ts';
import { plain } from '../../text/one-line.ts';
import { imagesIn } from '../records/earlier-images.ts';
import { historyTokens } from '../../loops/shared/effects/with-history.ts';

interface PastMessages {
  readonly history: EarlierMessage[];
  readonly warnings: readonly string[];
}

/**
 * The newest messages of a conversation that a run continues, for its settings. Images are shown again to the model
 * that has seen them; another one may take none, and would refuse the whole conversation.
 */
async function pastMessages(
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

/** Options that say what kind of run it is: with one of them, the loop and the strategy of the past do not count. */
const KINDS = ['loop', 'labels'] as const;
const OF_LOOP = ['loop', 'strategy', 'options', 'maxIterations'] as const;

const OF_PROOF = optionsThat(({ isOfProof }) => isOfProof === true) as readonly (keyof RecordedOptions)[];

/** The options of a run that continues another one: its own, and for what it does not say those of the other. */
function optionsOfThread(options: RunOptions, past: RunSettings): RunOptions {
  const recorded: Partial<RecordedOptions> = recordedOptions(past);
  const leaves = new Set<keyof RecordedOptions>();
  const isGiven = (option: keyof RunOptions) => options[option] !== undefined;
  if (KINDS.some(isGiven)) for (const option of OF_LOOP) leaves.add(option);
  if (past.loop === 'turn' && (isGiven('checks') || isGiven('strategy'))) leaves.add('loop');
  // The number of iterations may be said in its config.
  if (isGiven('strategy')) leaves.add('maxIterations');
  if (isGiven('agent')) for (const option of ['system', 'systemAppend'] as const) leaves.add(option);
  if (options.checkIn === 'workspace') for (const option of OF_PROOF) leaves.add(option);
  const kept = Object.entries(recorded).filter(([option]) => !leaves.has(option as keyof RecordedOptions));
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(kept), ...Object.fromEntries(given), prompt: options.prompt };
}

export type { PastRun } from './past-run.ts';

/** What a new run asks for, with what it takes over from the run that it continues. */
interface AskedInThread {
  readonly past: PastRun | null;
  readonly options: RunOptions;
}

/** Throws an `OptionsError` where the run that is named cannot be continued. */
export async function askedInThread(host: AppHost, given: RunOptions): Promise<AskedInThread> {
  const past = await pastRun(host, given);
  return { past, options: past ? optionsOfThread(given, past.settings) : given };
}

/** A new run with the account and the past of its thread. Throws an `OptionsError` where no money is left. */
export async function inThread(
  host: AppHost,
  settings: RunSettings,
  { past, options }: AskedInThread,
): Promise<{ readonly settings: RunSettings; readonly warnings: readonly string[] }> {
  const accounted = withAccount(settings, past, options);
  if (!past) return { settings: accounted, warnings: [] };
  const { history, warnings } = await pastMessages(host, past, accounted);
  return { settings: { ...accounted, history }, warnings };
}
