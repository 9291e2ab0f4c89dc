import type { RunSettings } from '../../machines/settings.ts';
import { fixed } from './fixed-strategy.ts';
import { hybrid } from './hybrid.ts';
import { ralph } from './ralph.ts';
import { type BuiltInStrategy, builtIn } from './strategy-kind.ts';
import { CUSTOM, CUSTOM_SHORTHAND, CustomConfig } from './custom-config.ts';

/** A strategy in a module of the user's own, which a host loads into a thread. */
const custom = builtIn({
  name: CUSTOM,
  config: CustomConfig,
  shorthand: CUSTOM_SHORTHAND,
  runsUserCode: true,
  create: (config, limits) => {
    if (limits.custom) return limits.custom(config);
    throw new Error('A custom strategy needs a host that can load its module. Start the run with Loops.');
  },
  defaultIterations: () => null,
  about: {
    purpose: 'your own module decides',
    caps: 'what the module says, within `maxIterations`',
    endsWhen: 'the checks pass, or the module says so',
    stopsWhen: 'the module says so',
    progress: 'as the module measures it',
    partial: 'as the module says',
    checks: 'run',
    bestFor: ['none of the others fits', 'you have rules of your own', 'you build on top of loopfold'],
  },
});

/**
 * Every strategy that comes with the library, in the order of the guide. A new one is its own file and one entry here.
 */
export const STRATEGY_KINDS: readonly BuiltInStrategy[] = [fixed, hybrid, ralph, custom];

export const DEFAULT_STRATEGY = fixed.name;

type Configured = NonNullable<RunSettings['strategy']>;

/** The built-in strategy of a name; undefined for one that a program has registered. */
export const builtInStrategy = (name: string | null | undefined): BuiltInStrategy | undefined =>
  STRATEGY_KINDS.find((kind) => kind.name === name);

/** Whether a user's module decides. A strategy that is not built in is code of the program itself. */
export const runsUserCode = (name: string | null | undefined): boolean => builtInStrategy(name)?.runsUserCode === true;

/** Whether the strategy stops at a number of iterations of its own, so that a higher cap of the run changes nothing. */
export const hasOwnCap = (name: string | null | undefined): boolean => builtInStrategy(name)?.hasOwnCap === true;

/** How many iterations a strategy gets where none are configured: null is as many as the ceiling allows. */
export const strategyCap = ({ name, config }: Configured): number | null =>
  builtInStrategy(name)?.defaultIterations(config) ?? null;

/** How the strategies are written in an option, as a list: `fixed, hybrid, ralph, or custom:PATH#NAME`. */
export function strategyChoice(): string {
  const written = STRATEGY_KINDS.map(({ name, shorthand }) => shorthand ?? name);
  return `${written.slice(0, -1).join(', ')}, or ${written.at(-1)}`;
}
