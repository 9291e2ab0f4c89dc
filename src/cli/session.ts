import { resolve } from 'node:path';
import { DEFAULTS, type OutputFormat } from '../config/config.ts';
import { type ConfigFault, faultSentence } from '../config/fault.ts';
import { type Effective, loadConfig } from '../config/load.ts';
import { placed } from '../config/layer.ts';
import { isLoopPath } from '../config/loop-path.ts';
import { userFolder } from '../config/places.ts';
import { agentFiles } from '../hosts/local/agent-files.ts';
import { knownLoops } from '../hosts/local/known-loops.ts';
import { Loops } from '../hosts/local/loops.ts';
import { recordedModules } from '../hosts/local/recorded-modules.ts';
import { createStore, openStore, MEMORY, type StorePlace, storePlace, STORE_ADDRESSES } from '../hosts/local/store.ts';
import type { Log } from '../log/log.ts';
import { plain } from '../projections/wording.ts';
import { type LoopDefinition, loopNameOf } from '../runtime/loop-definition.ts';
import { Complaint, usage } from './complaint.ts';
import { EXIT } from './exit-status.ts';
import { findRun, type RunReference } from './find-run.ts';
import { again } from './again.ts';
import type { Streams } from './output.ts';
import { assertNoFolder, namedLoop, type Otherwise, recordedLoops } from './own-loops.ts';
import { configOfFlags, type OptionFlags } from './run-flags.ts';
import { type Asking, trustIn } from './trust.ts';

/** Flags every verb takes. */
export interface CommonFlags {
  readonly directory?: string;
  readonly log?: string;
  readonly trust?: boolean;
  readonly color: boolean;
}

/** What a session is to do with its log. To work is to read, to write, and to perform runs: with models and checks. */
type Mode = 'read' | 'write' | 'work';

/** The runs whose own loops are to be loaded, and what is to be done where these cannot be had. */
export interface OwnLoopsOf {
  readonly runs: readonly RunReference[] | 'all';
  readonly otherwise: Otherwise;
}

/** One call of the program: where it writes, which folder and which log it is about. */
export class Session {
  readonly streams: Streams;
  /** Absolute. */
  readonly directory: string;
  readonly #verb: string;
  readonly #flags: CommonFlags & OptionFlags;
  #config: Effective | null;
  /** Of a module that was named. */
  #named: { readonly loop: LoopDefinition; readonly loops: readonly LoopDefinition[] } | null = null;

  /** `config` takes the place of everything that flags, variables and files say. */
  constructor(streams: Streams, verb: string, flags: CommonFlags & OptionFlags, config: Effective | null = null) {
    this.streams = streams;
    this.#verb = verb;
    this.#flags = flags;
    this.#config = config;
    this.directory = resolve(flags.directory ?? '.');
  }

  /** False where the log is gone with this process. */
  get isKept(): boolean {
    return (this.#config?.values.log ?? this.#flags.log) !== MEMORY;
  }

  /** What was said in advance, wherever it was said. */
  config(): Promise<Effective> {
    return this.#load('work');
  }

  async outputFormat(): Promise<OutputFormat> {
    const { values } = await this.config();
    return values.outputFormat ?? DEFAULTS.outputFormat ?? 'text';
  }

  /** Faults that the options have together, each with the place where its option stands. */
  async located(faults: readonly ConfigFault[]): Promise<ConfigFault[]> {
    const { from } = await this.config();
    return Promise.all(faults.map((fault) => {
      const layer = [...from].find(([option]) => option === fault.field.split(/[.[]/, 1)[0])?.[1];
      return layer ? placed(fault, layer) : fault;
    }));
  }

  /** Every loop that can be named here, as `Loops` would know them. A log may hold runs of others. */
  async knownLoops(): Promise<readonly LoopDefinition[]> {
    return knownLoops(this.#named?.loops ?? []);
  }

  /** The name of the loop that is asked for, or of the one in the module whose path is: that is loaded. */
  async loopName(asked: string): Promise<string> {
    await assertNoFolder(asked);
    if (!isLoopPath(asked)) return asked;
    this.#named ??= await namedLoop(resolve(asked), this.directory, this.#asking(false));
    return loopNameOf(this.#named.loop.id);
  }

  /** The loops of a log that must be there, with those of their own that runs were started with. */
  async loops(mode: Mode, own: OwnLoopsOf = { runs: [], otherwise: 'ignore' }): Promise<Loops> {
    const place = await this.#place(mode);
    if (place.path === null) throw usage('--log', 'sqlite:PATH: a log in memory is gone with its process', "'memory:'");
    const log = await openStore(place, mode === 'read' ? 'read' : 'write');
    try {
      return this.#loopsOf(log, await this.#recorded(log, own));
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  /** The loops of a log that is made where there is none. */
  async loopsOrNew(): Promise<Loops> {
    return this.#loopsOf(await createStore(await this.#place('work')));
  }

  /** Loops that keep nothing: whatever is wrong with a run is found before a log is made for it. */
  async loopsNowhere(): Promise<Loops> {
    await this.config();
    return this.#loopsOf(await openStore({ path: null, isDefault: false }, 'read'));
  }

  /** The loops of a person's own that these runs, and the runs below them, were started with. */
  async #recorded(log: Log, { runs, otherwise }: OwnLoopsOf): Promise<readonly LoopDefinition[]> {
    if (runs !== 'all' && runs.length === 0) return [];
    const records = await log.runs();
    // A run that is not there is told of where it is asked for.
    const found = runs === 'all' ? [] : await Promise.all(runs.map((run) => findRun(log, run).catch(() => null)));
    const roots = new Set(found.map((record) => record?.root));
    const meant = records.filter(({ root }) => runs === 'all' || roots.has(root));
    return recordedLoops(await recordedModules(log, meant), otherwise, this.#asking(otherwise !== 'refuse'));
  }

  /** A command that a person can paste to go on with the same folder and log. */
  again(words: readonly string[]): string {
    return again(words, this.#flags);
  }

  async #place(mode: Mode): Promise<StorePlace> {
    const { values } = await this.#load(mode);
    const place = await storePlace(values.log, this.directory);
    if (!place) throw usage('--log', STORE_ADDRESSES, `'${values.log}'`);
    return place;
  }

  #loopsOf(log: Log, recorded: readonly LoopDefinition[] = []): Loops {
    const named = this.#named?.loops ?? [];
    const own = [...named, ...recorded.filter(({ id }) => !named.some((one) => one.id === id))];
    const warn = (message: string) => this.streams.err.line(`warning: ${plain(message)}`);
    return new Loops({ log, loops: own, warn, agents: agentFiles(), providers: this.#config?.values.providers ?? {} });
  }

  #asking(isOptional: boolean): Asking {
    return { streams: this.streams, userFolder: userFolder(process.env), isTrusted: this.#flags.trust === true, isOptional };
  }

  async #load(mode: Mode): Promise<Effective> {
    if (this.#config) return this.#config;
    const { values, faults } = configOfFlags(this.#flags);
    if (faults.length > 0) throw new Complaint(EXIT.usage, faults.map(faultSentence).join('\n'), [this.#verb, '--help']);
    if (values.loop !== undefined) await assertNoFolder(values.loop);
    const loaded = await loadConfig({
      directory: this.directory,
      cwd: process.cwd(),
      env: process.env,
      flags: values,
      isStrict: mode === 'work',
      trust: (file, reason) => trustIn(file, reason, this.#asking(mode !== 'work')),
    });
    switch (loaded.kind) {
      case 'refused':
        throw new Complaint(EXIT.usage, loaded.problems.join('\n'), [this.#verb, '--help']);
      case 'untrusted': {
        const why = `${loaded.file} is not trusted: ${loaded.reason}. Read it, then use it this once with --trust`;
        throw new Complaint(EXIT.usage, `${why}, or say yes on a terminal once and for all.`, ['config', '--trust']);
      }
      case 'loaded':
        for (const warning of loaded.config.warnings) this.streams.err.line(`warning: ${plain(warning)}`);
        return (this.#config = loaded.config);
    }
  }
}
