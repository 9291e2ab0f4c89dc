import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../log/temporary-folders.ts';
import { quoted } from '../../text/shell-words.ts';
import { entering, withInputAsFile } from '../agent-cell.ts';
import type { Agent } from '../agent-port.ts';
import { type AgentEnding, endingOf, endingOfExit } from '../agent-ending.ts';
import { type Exit, startAgent } from '../agent-process.ts';
import { agentOf, type AgentWork } from '../agent-work.ts';
import { objectIn } from '../json-object.ts';
import type { LineReading } from './line-reading.ts';

/** The longest argument that Linux gives a program, and some room below it: the words around the task. */
const MAX_ARGUMENT_BYTES = 120 * 1_024;

/** The words in a command in whose place the task or the path of a file with it is put, in quotes. */
const TASK = '{task}';
const TASK_FILE = '{file}';

/** A program that works on one task and ends. */
export interface OneShotLaunch {
  /** For `/bin/sh -c`. Without `{task}` and `{file}` in it, the task is its standard input. */
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Reads its output. Null: the output is what it says. */
  readonly reading: (() => LineReading) | null;
}

/** An agent that is a command: it gets the task, works, and ends. */
export const oneShotAgent = (launch: OneShotLaunch): Agent => agentOf((work) => handOver(launch, work));

/** Gives the task in the way that the command asks for. */
async function handOver(launch: OneShotLaunch, work: AgentWork): Promise<AgentEnding> {
  const { prompt } = work.task;
  const { command } = launch;
  if (command.includes(TASK)) {
    const bytes = Buffer.byteLength(prompt);
    if (bytes > MAX_ARGUMENT_BYTES) {
      return endingOf('not-started', `the task has ${bytes} bytes, and an argument has at most ${MAX_ARGUMENT_BYTES}`);
    }
    return perform(
      launch,
      command.replaceAll(TASK, () => quoted(asArgument(prompt))),
      work,
    );
  }
  if (!command.includes(TASK_FILE)) return perform(launch, command, work, prompt);
  if (work.task.cell) return perform(launch, withInputAsFile(command, TASK_FILE), work, prompt);
  const folder = await makeTemporaryFolder('task');
  try {
    const file = join(folder, 'task.md');
    await writeFile(file, prompt);
    return await perform(
      launch,
      command.replaceAll(TASK_FILE, () => quoted(file)),
      work,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An argument that begins with a dash would be read as an option. */
const asArgument = (prompt: string): string => (prompt.startsWith('-') ? ` ${prompt}` : prompt);

async function perform(
  { environment, reading }: OneShotLaunch,
  command: string,
  { task, tell, ready, watch }: AgentWork,
  input: string | null = null,
): Promise<AgentEnding> {
  const { run, directory, passes, cell } = task;
  const read = reading?.() ?? null;
  let ending: AgentEnding | null = null;
  const take = (line: string, note: (text: string) => void) => {
    if (!read) return tell({ kind: 'message', text: `${line}\n` });
    const object = objectIn(line);
    if (!object) return note(`${line}\n`);
    const { events, ending: ended } = read(object);
    for (const event of events) tell(event);
    ending = ended ?? ending;
  };
  const started = startAgent(
    { run, directory, passes, ...entering(cell, command, environment) },
    {
      line: (line, note) => {
        watch.alive();
        take(line, note);
        return ready();
      },
      flooded: (reason) => watch.end('flooded', reason),
    },
  );
  if ('missing' in started) return endingOf('not-started', started.missing);
  if (input !== null) started.write(input);
  started.closeInput();
  const first = await Promise.race([started.gone, watch.cut]);
  await started.end();
  if ('code' in first) return first;
  return endingAfter(first, ending, started.said());
}

/** An exit code that is not 0 says that it has failed; what it said about that before says it better. */
function endingAfter(exit: Exit, told: AgentEnding | null, said: string): AgentEnding {
  if (told !== null && (exit.exitCode === 0 || told.code !== 'stopped')) return told;
  return exit.exitCode === 0 ? endingOf('stopped') : endingOfExit(exit, said);
}
