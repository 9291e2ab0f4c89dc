import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ApiHost } from '../../http/api-host.ts';
import { FollowedIssues } from '../../triggers/issue-comments.ts';
import {
  type IssueRule,
  optionsBy,
  secretVariableOf,
  submissionBy,
  TriggerRules,
} from '../../triggers/trigger-rules.ts';
import type { TriggerDoor } from '../../triggers/trigger-door.ts';
import { userFolder } from '../../config/places.ts';
import { SubmitOptions } from '../../app/start/submit-run.ts';
import { OptionsError } from '../../app/start/options-error.ts';
import { faultsOf, knownKeys } from '../../options/config-fault.ts';
import { jsonIn } from '../../text/json-in.ts';
import { usage } from '../pages/complaint.ts';

/** Reads the rules of a file, checks the options of their runs, and opens the door for them. */
export async function openDoor(path: string, { loops, defaults, kept, warn }: ApiHost): Promise<TriggerDoor> {
  const wrong = (expected: string, found: string) => usage('--triggers', expected, found, ['serve', '--help']);
  if (!kept) throw wrong('no --read-only beside it: triggers start runs', `'${path}'`);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw wrong('a file that can be read', `'${path}' (${error.code})`);
  });
  const read = TriggerRules.safeParse(jsonIn(text));
  if (!read.success) throw wrong('a list of rules', z.prettifyError(read.error));
  for (const rule of read.data) await assertRunnable(rule, { loops, defaults });
  for (const rule of read.data.filter((one): one is IssueRule => one.source !== 'schedule'))
    if (!process.env[secretVariableOf(rule)])
      throw wrong(`a secret in ${secretVariableOf(rule)}: without one no request is believed`, 'none');
  const { triggerDoor } = await import('../../triggers/trigger-door.ts');
  try {
    return triggerDoor(read.data, {
      loops,
      defaults,
      keep: (live) => kept.keep(live),
      environment: process.env,
      say: warn,
      followed: new FollowedIssues(join(userFolder(process.env), 'triggers.json'), loops.log.store),
    });
  } catch (error) {
    throw wrong('a cron text such as "0 3 * * *"', error instanceof Error ? error.message : String(error));
  }
}

/** Throws an `OptionsError` where no run can be begun by a rule. */
async function assertRunnable(rule: TriggerRules[number], { loops, defaults }: Pick<ApiHost, 'loops' | 'defaults'>) {
  const prompt = 'the text of an issue';
  if (!rule.submit) return loops.check(optionsBy(rule, prompt, defaults));
  const asked = submissionBy(rule, prompt);
  const read = SubmitOptions.safeParse(asked);
  if (!read.success) throw new OptionsError(faultsOf(read.error, asked, knownKeys(SubmitOptions)));
}
