import type { Script } from '../../actors/model/script.ts';
import type { Log } from '../../log/log.ts';

/** The options of a run that the contract starts: those of every host. */
export interface HostedOptions {
  readonly prompt: string;
  readonly loop: 'turn' | 'iteration';
  readonly tools: readonly string[];
  readonly checks?: readonly string[];
  readonly maxIterations?: number;
}

/** A host with one model, as the contract sees it. Its runs work in a folder of their own, and keep no worktree. */
export interface HostUnderTest {
  /** The log of its runs. */
  readonly log: Log;
  /** Starts a run, and resolves with its id. */
  readonly start: (options: HostedOptions) => Promise<string>;
  /** A person says something to a run, in the way of this host. Resolves when it is recorded, or refused. */
  readonly answer: (run: string, text: string) => Promise<unknown>;
  /** A person approves what a run asks for. */
  readonly grant: (run: string) => Promise<unknown>;
  readonly steer: (run: string, text: string) => Promise<unknown>;
  readonly abort: (run: string) => Promise<unknown>;
  /** What works on the runs goes away, and another one of its kind takes them over, in the way of this host. */
  readonly restart: () => Promise<void>;
}

/** Makes a host whose runs are answered by a script. The test that asked for it ends it. */
export type OpenHost = (script: Script) => Promise<HostUnderTest>;
