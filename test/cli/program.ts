import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Script } from '../../src/actors/model/script.ts';
import type { Result } from '../../src/cli/pages/result.ts';
import { bundled, compileCache, folderOfRun, YOUNG_GENERATION } from '../support/bundled.ts';

export const MAIN = bundled('src/cli/main.ts');

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface How {
  readonly cwd: string;
  /** Nothing is piped in unless it is said. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly file?: string;
  readonly node?: readonly string[];
}

/**
 * What the program is started with: nothing of the person who runs the tests. Walls around commands are asked for by
 * the tests that are about them, since building them for each run takes a tenth of a second: `TEST_SANDBOX=try` stands
 * them in all.
 */
export const environment = (more: How['env'] = {}): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  XDG_STATE_HOME: process.env['XDG_STATE_HOME'] ?? '',
  TMPDIR: tmpdir(),
  LOOPFOLD_SANDBOX: process.env['TEST_SANDBOX'] ?? 'off',
  ...compileCache,
  ...more,
});

/** Resolves `next` with each output, however many wait for it: a stream gets one listener. */
class More {
  #next = Promise.withResolvers<void>();

  get next(): Promise<void> {
    return this.#next.promise;
  }

  came(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }
}

/** The program as a process of its own: what it has printed so far can be awaited, and it can be signalled. */
export class Program {
  readonly ended: Promise<Ended>;
  #stdout = '';
  #stderr = '';
  readonly #more = new More();
  readonly #child: ChildProcess;

  constructor(words: readonly string[], { cwd, input, env, file = MAIN, node = [] }: How) {
    const child = spawn(process.execPath, [...YOUNG_GENERATION, ...node, file, ...words], {
      cwd,
      env: environment(env),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stdin?.end(input);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => ((this.#stdout += text), this.#more.came()));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => ((this.#stderr += text), this.#more.came()));
    this.ended = once(child, 'close').then(([status]) => ({ status, stdout: this.#stdout, stderr: this.#stderr }));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** What it has printed so far. */
  get shown(): Omit<Ended, 'status'> {
    return { stdout: this.#stdout, stderr: this.#stderr };
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Waits until either stream has shown a text. */
  async shows(text: string): Promise<void> {
    const seen = () => this.#stdout.includes(text) || this.#stderr.includes(text);
    while (!seen()) {
      if (this.#child.exitCode !== null)
        throw new Error(`ended without showing ${text}:\n${this.#stdout}\n${this.#stderr}`);
      await Promise.race([this.#more.next, this.ended]);
    }
  }
}

/** The program on a terminal of its own, with scripted keys. What it shows is in `stdout`, with its control codes. */
export class Terminal {
  readonly ended: Promise<Ended>;
  #shown = '';
  readonly #more = new More();
  /** How far it was read. */
  #read = 0;
  readonly #child: ChildProcess;

  constructor(
    words: readonly string[],
    { cwd, env, columns = 200 }: Pick<How, 'cwd' | 'env'> & { readonly columns?: number },
  ) {
    const command = [process.execPath, ...YOUNG_GENERATION, MAIN, ...words]
      .map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
      .join(' ');
    const child = spawn('script', ['-qefc', `stty cols ${columns}; exec ${command}`, '/dev/null'], {
      cwd,
      env: environment({ TERM: 'xterm', SHELL: '/bin/sh', ...env }),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => ((this.#shown += text), this.#more.came()));
    this.ended = once(child, 'close').then(([status]) => ({ status, stdout: this.#shown, stderr: '' }));
  }

  type(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  /** The terminal goes away. */
  hangUp(): void {
    this.#child.kill('SIGKILL');
  }

  /** Waits until a text is shown that was not waited for before. */
  async shows(text: string): Promise<void> {
    for (;;) {
      const at = this.#shown.indexOf(text, this.#read);
      if (at >= 0) {
        this.#read = at + text.length;
        return;
      }
      if (this.#child.exitCode !== null) throw new Error(`ended without showing ${text}:\n${this.#shown}`);
      await Promise.race([this.#more.next, this.ended]);
    }
  }
}

export const loopfold = (words: readonly string[], how: How): Promise<Ended> => new Program(words, how).ended;

/** A folder of its own with these files, gone when the tests are over. */
export async function folder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const made = await mkdtemp(folderOfRun('cli-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(made, path)), { recursive: true });
    await writeFile(join(made, path), text);
  }
  return made;
}

/** A folder with a scripted model, `model.json`, and a git repository unless it is told not to have one. */
export async function project(
  script: Script,
  files: Readonly<Record<string, string>> = {},
  git = true,
): Promise<string> {
  const made = await folder({ ...files, 'model.json': JSON.stringify(script) });
  if (git) await once(spawn('git', ['init', '--quiet', made]), 'close');
  return made;
}

export const MODEL = ['-m', 'script:model.json'] as const;

/** Everything that lies in a folder, git's own records left out. */
export async function listing(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true });
  return entries.filter((entry) => !entry.startsWith('.git/')).toSorted();
}

/** The last line of what a program printed, as the result it has to be. */
export function resultIn({ stdout }: Ended): Result {
  const result = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  if (result.type !== 'result') throw new Error(`the last line is no result: ${JSON.stringify(result)}`);
  return result;
}
