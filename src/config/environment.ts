import { MARK_VARIABLE } from '../actors/command-mark.ts';
import { OPTIONS, environmentOf } from '../options/option-table.ts';
import { type ConfigFault, faultAt } from '../options/config-fault.ts';
import type { Layer } from './layer.ts';
import { nearest } from '../text/nearest.ts';
import { fromText } from './text-form.ts';

export type Variables = { readonly [name: string]: string | undefined };

export interface EnvironmentLayer {
  readonly layer: Layer;
  readonly faults: readonly ConfigFault[];
  readonly warnings: readonly string[];
}

const PREFIX = 'LOOPFOLD_';

/** Signs reports to webhooks that name no variable of their own. */
export const DEFAULT_SECRET_VARIABLE = `${PREFIX}WEBHOOK_SECRET`;

/** Digests of files that are trusted for this call, as where no person can be asked. */
export const TRUST_VARIABLE = `${PREFIX}TRUST`;

/**
 * The options in the environment. An empty variable is ignored; an unknown variable with the prefix of loopfold brings
 * a warning.
 */
export function environmentLayer(env: Variables): EnvironmentLayer {
  const values: Record<string, unknown> = {};
  const faults: ConfigFault[] = [];
  for (const option of OPTIONS) {
    const variable = environmentOf(option);
    const text = env[variable]?.trim() ?? '';
    if (text === '') continue;
    const form = fromText(option, text);
    if (form.kind === 'value') values[option] = form.value;
    else faults.push({ ...faultAt(option, text, form.expected), flag: variable });
  }
  return { layer: { kind: 'variable', values }, faults, warnings: unknownVariables(env) };
}

function unknownVariables(env: Variables): string[] {
  const known = [...OPTIONS.map(environmentOf), DEFAULT_SECRET_VARIABLE, MARK_VARIABLE, TRUST_VARIABLE];
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith(PREFIX) && env[name] !== '' && !known.includes(name),
  );
  return unknown.toSorted().map((name) => {
    const meant = nearest(
      name.slice(PREFIX.length),
      known.map((one) => one.slice(PREFIX.length)),
    );
    return `${name} is not a variable that is read.${meant === null ? '' : ` Did you mean ${PREFIX}${meant}?`}`;
  });
}
