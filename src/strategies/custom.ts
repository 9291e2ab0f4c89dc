import { CUSTOM, CUSTOM_SHORTHAND, CustomConfig } from './custom-config.ts';
import { builtIn } from './strategy-kind.ts';

/** A strategy in a module of the user's own, which a host loads into a thread. */
export const custom = builtIn({
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
