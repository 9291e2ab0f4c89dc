import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { faultSentence } from '../../options/config-fault.ts';
import type { CustomConfig } from '../../strategies/custom-config.ts';
import type { LoopDecision } from '../../strategies/loop-decision.ts';
import type { IterationCompleteEvent, LoopEndEvent, LoopStrategy, StrategyCall } from '../../strategies/strategy.ts';
import { StrategyError } from '../../strategies/strategy-error.ts';
import { faultOf, faultOfFile, type LoadFault } from './load-fault.ts';
import { StrategyThread, type Question } from './strategy-thread.ts';

/** How long a module may take to load, and to make its strategy. */
const LOAD_LIMIT_MS = 10_000;

/**
 * A user's strategy from a module, in a thread of its own: one that never answers, has an unhandled rejection, or ends
 * its process costs its run a decision and nothing else. The thread is started when it is first needed,
 * and again where it is gone: a strategy keeps nothing between two questions. `end` it when its run is over.
 */
export class CustomStrategy implements LoopStrategy {
  readonly #config: CustomConfig;
  readonly #path: string;
  readonly #loadLimitMs: number;
  #name: string;
  #thread: StrategyThread | null = null;

  /** `directory` is where a relative path starts: the workspace. */
  constructor(config: CustomConfig, directory: string, loadLimitMs = LOAD_LIMIT_MS) {
    this.#config = config;
    this.#path = resolve(directory, config.modulePath);
    this.#loadLimitMs = loadLimitMs;
    this.#name = config.strategyName;
  }

  /** What it calls itself; until it is loaded, what its module exports it as. */
  get name(): string {
    return this.#name;
  }

  /** Loads it, where that has not been done yet. Why that is not possible; null where it was. */
  async load(signal: AbortSignal = new AbortController().signal): Promise<LoadFault | null> {
    if (this.#thread?.isOver === false) return null;
    const wrong = await faultOfFile(this.#path, this.#config);
    if (wrong) return wrong;
    const { strategyName, config } = this.#config;
    const thread = new StrategyThread({ url: pathToFileURL(this.#path).href, strategyName, config });
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#loadLimitMs);
    const received = await thread.introduction(AbortSignal.any([signal, late.signal]));
    clearTimeout(timer);
    const fault = faultOf(received, this.#path, this.#config, this.#loadLimitMs);
    if (fault) {
      await thread.end();
      return fault;
    }
    if (received.kind === 'said' && received.said.kind === 'ready') this.#name = received.said.name;
    this.#thread = thread;
    return null;
  }

  async onIterationComplete(event: IterationCompleteEvent, call?: StrategyCall): Promise<LoopDecision> {
    // The caller checks whether this is a decision.
    return (await this.#ask('iteration', event, call)) as LoopDecision;
  }

  async onLoopEnd(event: LoopEndEvent, call?: StrategyCall): Promise<void> {
    await this.#ask('end', event, call);
  }

  async end(): Promise<void> {
    await this.#thread?.end();
  }

  async #ask(about: Question['about'], event: unknown, { signal }: StrategyCall = NOT_STOPPED): Promise<unknown> {
    const fault = await this.load(signal);
    if (fault) throw new StrategyError(fault.code, faultSentence({ ...fault, flag: null }));
    const thread = this.#thread;
    if (!thread) throw new StrategyError('strategy_gone', 'its thread was ended');
    const received = await thread.ask(about, event, signal);
    switch (received.kind) {
      case 'broken':
        throw new StrategyError('strategy_failed', `it threw an uncaught error: ${received.message}`);
      case 'gone':
        throw new StrategyError('strategy_gone', `it ended its own thread (exit code ${received.exitCode})`);
      case 'stopped':
        throw new StrategyError('strategy_timed_out', 'it was told to stop');
      case 'said':
        break;
    }
    const { said } = received;
    if (said.kind === 'threw') throw new StrategyError('strategy_failed', said.message);
    if (said.kind === 'no_data')
      throw new StrategyError('invalid_decision', `its answer is no plain data: ${said.message}`);
    return said.answer;
  }
}

const NOT_STOPPED: StrategyCall = { signal: new AbortController().signal };
