import { OptionsError } from '../../app/start/options-error.ts';
import { flagOf } from '../../options/option-table.ts';
import { changesOf, type JudgeFlags } from './run-flags.ts';

export interface RedecideFlags extends JudgeFlags {
  readonly all?: boolean;
  readonly last?: boolean;
  readonly json?: boolean;
}

/** A judge to ask in place of the recorded one, with its name. */
export interface Judge {
  readonly name: string;
  readonly options: ReturnType<typeof changesOf>['changes'];
}

/** The judges that the flags name: one for each strategy, or one without a strategy. */
export function judgesIn(flags: RedecideFlags): readonly Judge[] {
  const { strategy: strategies = [], ...others } = flags;
  const asked = strategies.length === 0 ? [undefined] : strategies;
  return asked.map((strategy) => {
    const { changes, faults } = changesOf({ ...others, ...(strategy === undefined ? {} : { strategy }) });
    if (faults.length > 0) throw new OptionsError(faults);
    return { name: strategy ?? nameOf(flags), options: changes };
  });
}

/** The judge's name if no strategy is named: its detectors and limits. */
function nameOf({ detectors, ...limits }: RedecideFlags): string {
  if (detectors !== undefined) return detectors;
  const caps = Object.entries(limits)
    .filter(([name]) => name.startsWith('max'))
    .map(([name, value]) => `${flagOf(name)} ${value}`);
  return caps.join(', ') || 'the judge of today';
}
