import type { RunSettings } from '../../machines/settings.ts';
import type { Actor } from '../actors/actor.ts';
import type { AttemptWalls, WallsMissing } from '../actors/proof/agent-walls.ts';
import type { CommandRequest, CommandResult } from '../actors/subprocess.ts';
import type { TimerInput } from '../actors/timer/timer-actor.ts';
import type { ToolSpec } from '../actors/tool-spec.ts';
import type { ToolInput } from '../actors/tools/tool-actor.ts';
import type { VerifyInput } from '../actors/verify/verify-actor.ts';
import type { CaptureInput } from '../actors/capture/capture-actor.ts';
import type { CallKindOf } from '../kernel/call-kinds.ts';

/** A run whose commands stand behind walls. */
export type WalledRun = Pick<RunSettings, 'directory' | 'isolation' | 'model' | 'sandbox' | 'tools'>;

/** A command of a run. `apart`: the call that gets walls of its own, since a person has opened more to it alone. */
export type WalledRequest = CommandRequest & { readonly run: string; readonly apart?: string | undefined };

/** The walls around the commands of runs. */
export interface CommandWalls {
  /** Runs a command of a run behind its walls. Where they do not stand, it does not run. */
  run(settings: WalledRun, request: WalledRequest): Promise<CommandResult>;
  /** The walls of a run, for a program that stays behind them. `missing`: they do not stand. */
  enter(run: string, settings: WalledRun): Promise<Pick<AttemptWalls, 'enter'> | WallsMissing>;
  /** Ends those of runs, and all that is left there. */
  end(isOf: (run: string) => Promise<boolean>): Promise<void>;
}

/** The actors that are the same for every run. */
export interface CommonActors {
  readonly person: Actor<null>;
  readonly capture: Actor<CaptureInput>;
  readonly verify: Actor<VerifyInput>;
  readonly timer: Actor<TimerInput>;
}

/** The tools that runs offer to their models, by name. */
export interface EffectTools {
  readonly tools: (names: readonly string[]) => Actor<ToolInput>;
  readonly toolSpecs: (names: readonly string[]) => readonly ToolSpec[];
  /** Who answers a call. `person` and `child`: only where its tool is offered and its arguments fit that tool. */
  readonly callKind: CallKindOf;
  readonly sandboxes: CommandWalls;
}
