import { randomBytes } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { RunSettings } from '../../../machines/settings.ts';
import { confine, type Place, ToolRefusal } from '../../actors/tools/confine.ts';
import { replaceText } from '../../actors/tools/text-file.ts';
import { type ConfigFault, faultAt } from '../../options/config-fault.ts';
import { LOOP_STATE_FILE, METRICS_FILE } from '../../text/own-files.ts';
import type { Envelope } from '../../log/envelope.ts';
import { Reading } from '../../log/reading.ts';
import { LoopMetrics, loopMetrics, LoopState, loopState } from '../../projections/loop-state.ts';
import { SummaryInForce } from '../../projections/summary-in-force.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';

/** How long changes are collected before the files are written again. */
const WRITE_PAUSE_MS = 200;
const DRAFT_BYTES = 8;

const FILES = [
  { name: LOOP_STATE_FILE, schema: LoopState, contentOf: loopState },
  { name: METRICS_FILE, schema: LoopMetrics, contentOf: loopMetrics },
] as const;

type Placed = Pick<RunSettings, 'directory' | 'stateDirectory'>;

/** Why a state directory cannot be used: it leads out of the workspace, or has files of those names from elsewhere. */
export async function stateDirectoryFaults({ directory, stateDirectory }: Placed): Promise<ConfigFault[]> {
  if (stateDirectory == null) return [];
  const fault = (why: string) => [
    faultAt('stateDirectory', stateDirectory, `a folder in the workspace for the loop's own files (${why})`),
  ];
  for (const { name, schema } of FILES) {
    try {
      const { real } = await placeOf(directory, join(stateDirectory, name));
      if (!(await isOurs(real, schema))) return fault(`there is a ${name} that no loop has written`);
    } catch (error) {
      if (error instanceof ToolRefusal) return fault(error.message);
      throw error;
    }
  }
  return [];
}

/** Whether a run has a state directory. */
export const keepsState = ({ stateDirectory }: Placed): boolean => stateDirectory != null;

/** Whether the path is free, or has a state file of a run. */
async function isOurs(path: string, schema: z.ZodType): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? null : '',
  );
  if (text === null) return true;
  try {
    return schema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

const placeOf = async (directory: string, path: string): Promise<Place> =>
  confine({ directory: await realpath(directory) }, path);

/**
 * Keeps the files of a state directory equal to the log, by observing the facts of a run from its first. Each file is
 * replaced as a whole, so that readers see the old or the new content. They are a projection: the run never reads them,
 * and the next fact writes them again.
 */
export class StateFiles {
  readonly #run: string;
  readonly #warn: (message: string) => void;
  readonly #reading: Reading;
  readonly #read: SummaryInForce;
  #written = 0;
  #writing: Promise<void> | null = null;
  #isLast = false;
  #wake = () => {};
  #hasWarned = false;

  constructor(run: string, loops: readonly LoopDefinition[], warn: (message: string) => void) {
    this.#run = run;
    this.#read = new SummaryInForce(loops);
    this.#reading = new Reading(loops);
    this.#warn = warn;
  }

  observe(envelope: Envelope): void {
    const read = this.#reading.read(envelope);
    this.#read.observe(read);
    if (read.kind === 'unreadable') return;
    this.#writing ??= this.#keepUp();
  }

  /** Resolves when the files contain all observed facts. */
  async close(): Promise<void> {
    this.#isLast = true;
    this.#wake();
    await this.#writing;
    await this.#write();
  }

  async #keepUp(): Promise<void> {
    while (!this.#isLast && (this.#read.summary?.version ?? 0) > this.#written) {
      await this.#write();
      await this.#pause();
    }
    this.#writing = null;
  }

  #pause(): Promise<void> {
    if (this.#isLast) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, WRITE_PAUSE_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #write(): Promise<void> {
    const { summary } = this.#read;
    if (!summary || summary.version === this.#written) return;
    this.#written = summary.version;
    const { stateDirectory, isolation, directory: workspace } = summary.settings;
    // In the project, where people look for them: a worktree is removed at the end.
    const directory = isolation?.origin ?? workspace;
    try {
      for (const { name, contentOf } of FILES) {
        const place = await placeOf(directory, join(stateDirectory ?? '.', name));
        const text = `${JSON.stringify(contentOf(this.#run, summary), null, 2)}\n`;
        const effect = `${this.#run}/${summary.version}/${randomBytes(DRAFT_BYTES).toString('hex')}`;
        await replaceText(place, text, { effect, signal: new AbortController().signal });
      }
    } catch (error) {
      if (!this.#hasWarned)
        this.#warn(
          `the state directory ${stateDirectory} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
        );
      this.#hasWarned = true;
    }
  }
}
