import { z } from 'zod';
import { Level } from '../../machines/events.ts';
import { milliseconds } from './amounts.ts';
import { CLEAN_TREE, cleanTreeCommand } from './clean-tree.ts';
import { DEFAULT_CHECK_TIMEOUT_MS } from '../options/defaults.ts';
import { BOOLEAN, said } from './said-text.ts';

// Commands that say whether work is done. Every `error` is the end of the sentence "expected …" in a fault.

export const command = said('a command');
const CheckFields = z.strictObject({
  level: z.enum(Level.options, { error: 'L0, L1, L2 or L3' }).default('L0'),
  name: said('a name').optional(),
  command,
  timeoutMs: milliseconds(1).default(DEFAULT_CHECK_TIMEOUT_MS),
  report: said('the path of a report, from the workspace').optional(),
  network: z.boolean({ error: BOOLEAN }).optional(),
  reads: z.boolean({ error: BOOLEAN }).optional(),
});

/** `npm test`, or `L1:npm test`, or the name of a check that ships. The fields check whether the level exists. */
const CheckLine = z
  .string()
  .transform((line) => {
    const level = /^(L\d+):/.exec(line)?.[1];
    const asked = level === undefined ? line : line.slice(level.length + 1);
    const isCleanTree = asked.trim() === CLEAN_TREE;
    const check = isCleanTree ? { name: CLEAN_TREE, command: cleanTreeCommand() } : { command: asked };
    return { ...check, ...(level === undefined ? {} : { level }) } as z.input<typeof CheckFields>;
  })
  .pipe(CheckFields);

/** A check as a user writes it: a command, or all of its parts. */
export const CheckOption = z
  .union([CheckLine, CheckFields], { error: "a command, such as 'npm test', 'L1:npm test' or {level, name, command}" })
  .transform(({ report, network, reads, ...check }) => ({
    ...check,
    name: check.name ?? check.command,
    ...(report === undefined ? {} : { report }),
    ...(network === undefined ? {} : { network }),
    ...(reads === undefined ? {} : { reads }),
  }));

/** The command that asks a CI. */
export const CiOption = z.union(
  [
    command.transform((line) => ({ command: line, timeoutMs: DEFAULT_CHECK_TIMEOUT_MS })),
    z.strictObject({ command, timeoutMs: milliseconds(1).default(DEFAULT_CHECK_TIMEOUT_MS) }),
  ],
  { error: 'a command, or {command, timeoutMs}' },
);
