import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import type { CommandResult } from '../../src/app/people/people-result.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { bundled, compileCache, YOUNG_GENERATION } from '../support/bundled.ts';
import type { Kill } from './killing.ts';
import { type ScenarioName, scenarios } from './scenarios.ts';
import { Story } from './story.ts';

const PLAYING = bundled('test/simulation/playing.process.ts');
const ANSWERING = bundled('test/simulation/answering.process.ts');

/** When a process is killed from outside: after so many changes of its log, and so long after the last. */
export interface Moment {
  readonly writes: number;
  readonly afterMs: number;
}

/** A folder with a real git repository, where processes play one scenario one after the other. */
export class Theatre {
  readonly scenario: ScenarioName;
  readonly folder: string;

  private constructor(scenario: ScenarioName, folder: string) {
    this.scenario = scenario;
    this.folder = folder;
  }

  static async open(scenario: ScenarioName): Promise<Theatre> {
    const folder = await mkdtemp(join(tmpdir(), 'loopfold-simulation-'));
    const work = join(folder, 'work');
    await mkdir(work);
    await mkdir(join(folder, 'tmp'));
    for (const [path, content] of Object.entries(scenarios[scenario].files)) {
      await mkdir(dirname(join(work, path)), { recursive: true });
      await writeFile(join(work, path), content);
    }
    await execa('git', ['init', '--quiet'], { cwd: work });
    return new Theatre(scenario, folder);
  }

  /** Plays in a process of its own until the run is over or left, or the process is. Null: it was killed. */
  async play(kill: Kill | null = null): Promise<{ readonly appends: number } | null> {
    const said = await this.#process(PLAYING, [
      this.scenario,
      this.folder,
      String(this.#generation()),
      JSON.stringify(kill),
    ]);
    return said === null ? null : { appends: Number(said) };
  }

  /** Plays in a process of its own until the log has changed so often, and a little longer. Null: it was killed. */
  async playUntil({ writes, afterMs }: Moment): Promise<{ readonly appends: number } | null> {
    const words = [this.scenario, this.folder, String(this.#generation()), 'null'];
    const said = await this.#process(PLAYING, words, async (child) => {
      let seen = '';
      for (let changes = -1; changes < writes && child.exitCode === null;) {
        const now = await stat(join(this.folder, 'log.db-wal')).then(
          ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
          () => '',
        );
        if (now !== seen) changes += 1;
        seen = now;
        await sleep(1);
      }
      await sleep(afterMs);
      child.kill('SIGKILL');
    });
    return said === null ? null : { appends: Number(said) };
  }

  /** Answers in a process of its own what the run asks, and tells what came of it. Null: the process was killed. */
  async answer(text: string, kill: Kill | null = null): Promise<CommandResult | null> {
    const said = await this.#process(ANSWERING, [this.folder, text, JSON.stringify(kill)]);
    return said === null ? null : (JSON.parse(said) as CommandResult);
  }

  /** Which process of the run plays next: the epoch that its lease will have. */
  #generation(): number {
    return newestEpoch(join(this.folder, 'log.db')) + 1;
  }

  /** Everything that a process prints until its end. */
  async #process(
    program: string,
    words: readonly string[],
    meanwhile: (child: ChildProcess) => Promise<void> = async () => {},
  ): Promise<string | null> {
    // What a killed process leaves in its temporary folder is removed with the harness.
    const env = { ...process.env, ...compileCache, TMPDIR: join(this.folder, 'tmp') };
    const child = spawn(process.execPath, [...YOUNG_GENERATION, program, ...words], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [[code, signal], said, complaints] = await Promise.all([
      once(child, 'close'),
      text(child.stdout),
      text(child.stderr),
      meanwhile(child),
    ]);
    if (signal === 'SIGKILL') return null;
    if (code !== 0) throw new Error(`the process ended with ${code ?? signal}: ${complaints}`);
    return said;
  }

  /** Everything that the log and the files show while no process runs. */
  async story(): Promise<Story> {
    const log = openSqliteLog(join(this.folder, 'log.db'));
    try {
      return await Story.of(log, this.folder);
    } finally {
      await log.close();
    }
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The epoch of the newest process that took the lease of the run: one that was killed before has taken none. */
function newestEpoch(file: string): number {
  if (!existsSync(file)) return 0;
  const db = new DatabaseSync(file);
  try {
    const { newest } = db
      .prepare('SELECT max(epoch) AS newest FROM leases WHERE root IN (SELECT run FROM runs)')
      .get() as { newest: number | null };
    return newest ?? 0;
  } catch {
    // It was killed before there were any tables.
    return 0;
  } finally {
    db.close();
  }
}
