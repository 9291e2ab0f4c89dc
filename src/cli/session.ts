import { resolve } from 'node:path';
import { DEFAULTS, type OutputFormat } from '../config/config.ts';
import type { Effective } from '../config/load-config.ts';
import { isLoopPath } from '../config/loop-path.ts';
import { knownLoops } from '../app/start/loop-names.ts';
import type { App } from '../app/app.ts';
import type { RecordedModule } from '../app/records/modules-of-record.ts';
import { createStore } from '../log/open-store.ts';
import { type LoopDefinition, loopNameOf } from '../kernel/loop-definition.ts';
import type { Log } from '../log/log.ts';
import type { ConfigFault } from '../options/config-fault.ts';
import { again, withFlags } from './args/again.ts';
import { assertNoFolder, namedLoop, recordedLoops } from './args/own-loops.ts';
import {
  askingFor,
  type Called,
  calledWith,
  located,
  type Mode,
  sessionConfig,
  type Shown,
  shownBy,
} from './args/session-config.ts';
import * as opened from './args/session-loops.ts';

export type { CommonFlags } from './args/session-config.ts';

const NONE: opened.OwnLoopsOf = { runs: [], otherwise: 'ignore' };

/** The verbs that start a run from nothing. */
const STARTING: ReadonlySet<string> = new Set(['run', 'improve']);

/** The verbs whose runs have the tools of MCP servers. */
const WORKING: ReadonlySet<string> = new Set([...STARTING, 'resume', 'extend', 'serve', 'studio', 'mcp', 'acp']);

type Servers = Pick<opened.McpServers, 'tools' | 'handed'>;
const NO_SERVERS: Servers = { tools: [], handed: [] };

/** One call of the program: where it writes, which folder and which log it is about. */
export class Session {
  readonly #called: Called;
  #config: Effective | null;
  /** A verb that fails before it works on a run leaves them open. */
  readonly #left: Log[] = [];
  #servers: Promise<opened.McpServers> | null = null;
  /** The loops of the module that the command line names. */
  #named: { readonly loop: LoopDefinition; readonly loops: readonly LoopDefinition[] } | null = null;

  /** `config` takes the place of everything that flags, variables and files say. */
  constructor(
    streams: Called['streams'],
    verb: string,
    flags: Called['flags'],
    config: Effective | null = null,
    words: readonly string[] = [verb],
  ) {
    this.#called = calledWith({ streams, verb, flags, words });
    this.#config = config;
  }

  /** Who is asked before a detector ends a run that is watched. */
  get attending(): Called['attending'] {
    return this.#called.attending;
  }

  get streams(): Called['streams'] {
    return this.#called.streams;
  }

  /** Absolute. */
  get directory(): string {
    return this.#called.directory;
  }

  /** The same call in another folder. */
  inFolder(directory: string): Session {
    const { streams, verb, flags, words } = this.#called;
    return new Session(streams, verb, { ...flags, directory }, null, words);
  }

  /** False for a log in memory, which ends with this process. */
  get isKept(): boolean {
    return !opened.isInMemory(this.#config?.values.log ?? this.#called.flags.log);
  }

  /** The effective configuration: flags, variables and files. */
  config(): Promise<Effective> {
    return this.#load('work');
  }

  /** The same for a page: a file that is not trusted is left out, and faults are warnings. */
  configToShow(): Promise<Effective> {
    return this.#load('read');
  }

  /** The same, with the files that are left out because they are not trusted. */
  configWithLeftOut(): Promise<Effective> {
    return sessionConfig(this.#called, 'work', true);
  }

  async outputFormat(): Promise<OutputFormat> {
    const { values } = await this.config();
    return values.outputFormat ?? DEFAULTS.outputFormat ?? 'text';
  }

  /** How much of a run is shown. Known once the configuration is. */
  get shown(): Shown {
    return shownBy(this.#config?.values ?? {});
  }

  /** Faults that the options have together, each with the place where its option stands. */
  async located(faults: readonly ConfigFault[]): Promise<ConfigFault[]> {
    return located(faults, await this.config());
  }

  /** Every loop that can be named here, as `Loops` would know them. A log may hold runs of others. */
  async knownLoops(): Promise<readonly LoopDefinition[]> {
    return knownLoops(this.#namedLoops);
  }

  /** The same, with the loops of recorded modules that runs outside the log name. A missing module is a warning. */
  async loopsFrom(modules: readonly RecordedModule[]): Promise<readonly LoopDefinition[]> {
    const recorded = await recordedLoops(modules, 'warn', askingFor(this.#called, true));
    return knownLoops(opened.namedFirst(this.#namedLoops, recorded));
  }

  /** The name of the requested loop. For the path of a module: the module is loaded, and its loop is named. */
  async loopName(asked: string): Promise<string> {
    await assertNoFolder(asked);
    if (!isLoopPath(asked)) return asked;
    this.#named ??= await namedLoop(resolve(asked), this.directory, askingFor(this.#called, false));
    return loopNameOf(this.#named.loop.id);
  }

  /** `Loops` over an existing log, with the users' own loops that its runs were started with. */
  async loops(mode: Mode, own: opened.OwnLoopsOf = NONE, more: opened.MoreLoopsOptions = {}): Promise<App> {
    const servers = mode === 'work' ? await this.#withServers() : NO_SERVERS;
    return this.#opened(await this.#place(mode), mode, own, (log, recorded) =>
      this.#loopsOver(log, recorded, servers, more),
    );
  }

  /** `loops('read')` over a copy of the log that lies at another path. */
  async loopsOfCopy(path: string, own: opened.OwnLoopsOf): Promise<App> {
    return this.#opened({ path }, 'read', own, (log, recorded) => this.#loopsOver(log, recorded));
  }

  /** The same for pages that need a log and its loops, and nothing of what executes runs: that takes time to load. */
  async reading(own: opened.OwnLoopsOf = NONE): Promise<Pick<App, 'log' | 'definitions'>> {
    return this.#opened(await this.#place('read'), 'read', own, async (log, recorded) => {
      for (const warning of log.warnings) opened.warnIn(this.#called)(warning);
      return { log, definitions: knownLoops(opened.namedFirst(this.#namedLoops, recorded)) };
    });
  }

  /** The loops of runs that turn up while a log is read. A module that cannot be loaded is left out. */
  loopsAsNeeded(log: Log, known: readonly LoopDefinition[]): opened.LoopsOf {
    return opened.loopsAsNeeded(log, known, this.#called);
  }

  /** `Loops` over a log that is created if it does not exist. */
  async loopsOrNew(more: opened.MoreLoopsOptions = {}): Promise<App> {
    const servers = await this.#withServers();
    return this.#loopsOver(await createStore(await this.#place('work')), [], servers, more);
  }

  /** `Loops` that record nothing: errors of a run's options are found before a log is created for it. */
  async loopsNowhere(): Promise<App> {
    const place = await opened.logPlace(await this.config(), this.directory);
    return this.#loopsOver(await opened.noLog(place), [], await this.#withServers());
  }

  /** Where the log of this call lies. */
  async place(): Promise<opened.LogPlace> {
    return this.#place('read');
  }

  /** Ends MCP servers, and closes what a verb that failed left open: SQLite would leave files beside the log. */
  async close(): Promise<void> {
    for (const log of this.#left) await log.close();
    await this.#servers?.then((servers) => servers.close()).catch(() => {});
  }

  /** A command, for a user to paste, that continues with the same folder and log. */
  again(words: readonly string[]): string {
    return again(words, this.#called.flags);
  }

  /** This call with more flags, as a command for a user to paste. */
  withFlags(more: readonly string[]): string {
    return withFlags(this.#called.words, more);
  }

  /** A run started once more, with more flags: by this call where it has started one, or else by its verb alone. */
  anew(verb: string, more: readonly string[]): string {
    return this.#called.verb === verb ? this.withFlags(more) : this.again([verb, ...more]);
  }

  /** The run that this call has started, once more with more flags. Null: it has started none. */
  startedAnew(more: readonly string[]): string | null {
    return STARTING.has(this.#called.verb) ? this.withFlags(more) : null;
  }

  get #namedLoops(): readonly LoopDefinition[] {
    return this.#named?.loops ?? [];
  }

  async #opened<Made>(
    place: opened.LogPlace,
    mode: Mode,
    own: opened.OwnLoopsOf,
    make: (log: Log, recorded: readonly LoopDefinition[]) => Promise<Made>,
  ): Promise<Made> {
    const log = await opened.existingLog(place, mode, this.#called);
    this.#left.push(log);
    try {
      return await make(log, await opened.loopsOfRuns(log, own, this.#called));
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  async #loopsOver(
    log: Log,
    recorded: readonly LoopDefinition[] = [],
    servers: Servers = NO_SERVERS,
    more: opened.MoreLoopsOptions = {},
  ): Promise<App> {
    const { loopsOver } = await import('./args/loops-over.ts');
    const loops = opened.namedFirst(this.#namedLoops, recorded);
    return loopsOver(log, loops, this.#called, this.#config, { ...servers, ...more });
  }

  /** The MCP servers of this call, which start with it. */
  async #withServers(): Promise<Servers> {
    if (!WORKING.has(this.#called.verb)) return NO_SERVERS;
    const config = await this.config();
    this.#servers ??= import('./args/start-servers.ts').then(({ startedServers }) =>
      startedServers(this.#called, config),
    );
    return this.#servers;
  }

  async #place(mode: Mode): Promise<opened.LogPlace> {
    const config = await this.#load(mode);
    if (mode === 'work') await config.noteUse?.();
    return opened.logPlace(config, this.directory);
  }

  async #load(mode: Mode): Promise<Effective> {
    this.#config ??= await sessionConfig(this.#called, mode);
    return this.#config;
  }
}
