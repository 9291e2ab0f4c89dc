import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { ApiHost } from '../../http/api-host.ts';
import { type IssueRule, optionsBy, secretVariableOf, TriggerRules } from '../../triggers/trigger-rules.ts';
import type { TriggerDoor } from '../../triggers/trigger-door.ts';
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
  for (const rule of read.data) await loops.check(optionsBy(rule, 'the text of an issue', defaults));
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
    });
  } catch (error) {
    throw wrong('a cron text such as "0 3 * * *"', error instanceof Error ? error.message : String(error));
  }
}
