import { runCommand } from '../../../../actors/subprocess.ts';
import { boundedRead } from '../../../../config/read-within.ts';
import { openItems } from '../../discovery/open-items.ts';
import { whyFailed } from '../failure-cause.ts';
import { namedFile } from './file-by-name.ts';
import { faultyFinds, type Finds, type Looking, type Source } from './source.ts';

const MAX_LIST_BYTES = 1024 * 1024;
const COMMAND_TIMEOUT_MS = 120_000;
const UNREADABLE = 'items_unreadable';

/** Open items of a file, and of a command that prints them. */
export const items: Source = {
  name: 'items',
  canChange: ({ discovery }) => discovery.itemsCommand !== null,
  find: async (of) => {
    const { items: file, itemsCommand: command } = of.options.discovery;
    const all = [
      ...(file === null ? [] : [await ofFile(file, of)]),
      ...(command === null ? [] : [await ofCommand(command, of)]),
    ];
    const [fault] = all.flatMap((one) => one.fault ?? []);
    return { items: all.flatMap((one) => one.items), ...(fault ? { fault } : {}) };
  },
};

async function ofFile(named: string, { settings }: Looking): Promise<Finds> {
  const path = await namedFile(named, settings);
  const read = await boundedRead(path, MAX_LIST_BYTES);
  if (read.kind === 'unread') return faultyFinds(UNREADABLE, `the list of items ${path} ${read.why}`);
  return findsIn(read.text, `the list of items ${path}`);
}

async function ofCommand(command: string, { run, settings, signal }: Looking): Promise<Finds> {
  let text = '';
  const ended = await runCommand({
    run,
    // What it prints as an error is no item.
    command: `(\n${command}\n) 2>/dev/null`,
    directory: settings.directory,
    passes: settings.environment ?? [],
    timeoutMs: COMMAND_TIMEOUT_MS,
    signal,
    maxOutputBytes: MAX_LIST_BYTES,
    onOutput: (more) => {
      if (text.length <= MAX_LIST_BYTES) text += more;
    },
  });
  const where = `the command of items \`${command}\``;
  const why = whyFailed(ended, COMMAND_TIMEOUT_MS);
  if (why !== null) return faultyFinds(UNREADABLE, `${where} ${why}: start it in ${settings.directory} to see why`);
  if (text.length > MAX_LIST_BYTES)
    return faultyFinds(UNREADABLE, `${where} printed more than ${MAX_LIST_BYTES} bytes`);
  return findsIn(text, where);
}

function findsIn(text: string, where: string): Finds {
  const { items: found, problem } = openItems(text);
  return problem === null
    ? { items: found }
    : { items: found, fault: { code: UNREADABLE, message: `${where}: ${problem}` } };
}
