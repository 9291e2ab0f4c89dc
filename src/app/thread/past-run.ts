import { resolve } from 'node:path';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Message } from '../../actors/model/model.ts';
import type { RunOptions } from '../../config/options.ts';
import { readableFacts, readSummary } from '../../projections/read-summary.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import { faultAt } from '../../options/config-fault.ts';
import { givenFolder } from '../../actors/capture-repository.ts';
import { isSameFolder } from '../start/is-folder.ts';
import type { AppHost } from '../app-host.ts';
import { OptionsError } from '../start/options-error.ts';
import { endingName } from '../../projections/phrases.ts';
import { sentence } from '../../text/sentence.ts';

type Host = Pick<AppHost, 'log' | 'definitions' | 'services'>;

/** A run that has ended, and whose conversation another one continues. */
export interface PastRun {
  readonly run: string;
  readonly settings: RunSettings;
  /** What was said in it, oldest first, and at last how it ended. */
  readonly messages: readonly Message[];
  readonly spend: RunSummary['spend'];
}

/** The run that these options continue. Throws an `OptionsError` where it cannot be continued, and says what can. */
export async function pastRun(host: Host, { continues, directory }: RunOptions): Promise<PastRun | null> {
  if (continues === undefined) return null;
  const refused = (expected: string) => new OptionsError([faultAt('continues', continues, expected)]);
  const record = await host.log.run(continues);
  const summary = record && (await readSummary(host.log, continues, host.definitions));
  if (!record || !summary) throw refused('the id of a run in this log: loopfold runs lists them');
  if (record.root !== record.run) {
    throw refused(`a run of its own: this one belongs to run ${record.root}, which can be continued`);
  }
  const { settings, spend, ending, task, answer } = summary;
  if (record.closed === null || !ending) {
    throw refused(
      'a run that has ended. This one has not: loopfold steer adds to its task while it works, loopfold resume goes ' +
        'on with it after a pause',
    );
  }
  const folder = givenFolder(settings);
  if (directory !== undefined && !(await isSameFolder(directory, folder))) {
    throw refused(`a run of ${resolve(directory)}: this one worked in ${folder}. Continue it there, with -C ${folder}`);
  }
  const end = endText(ending, settings);
  const said = await conversationOf(host, continues);
  const messages = said.length > 0 ? said : withoutConversation(task, answer, settings);
  return { run: continues, settings, spend, messages: [...messages, { role: 'user', text: end }] };
}

/** Its own conversation; else that of the newest run that did a round of it. */
async function conversationOf({ log, definitions, services }: Host, run: string): Promise<readonly Message[]> {
  const own = await services.conversations(run);
  if (own.length > 0) return own;
  let child: string | null = null;
  for await (const { type, payload } of readableFacts(log, run, definitions)) {
    if (type === 'child.settled' && payload.callId === undefined) child = payload.child;
  }
  return child === null ? [] : services.conversations(child);
}

const withoutConversation = (task: string, answer: string, { images }: RunSettings): Message[] => [
  { role: 'user', text: task, ...(images ? { images } : {}) },
  ...(answer === '' ? [] : [{ role: 'assistant', text: answer, calls: [] } as const]),
];

/** How a run has ended, as the model is told that continues its conversation. */
const endText = (
  { outcome, reason }: NonNullable<RunSummary['ending']>,
  { checks }: Pick<RunSettings, 'checks'>,
): string => sentence(`The work on that has ended: ${endingName(outcome, checks.length > 0)}: ${reason}`);
