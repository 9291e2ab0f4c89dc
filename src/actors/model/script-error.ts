import type { z } from 'zod';
import { head } from '../../text/excerpt.ts';

export type ScriptFault = 'not_found' | 'unknown_kind' | 'not_json' | 'not_loaded' | 'no_default' | 'not_a_script';

/** A script that cannot be used: which one, and what to change in it. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
  readonly code: ScriptFault;
  readonly script: string;

  constructor(code: ScriptFault, script: string, message: string, options?: ErrorOptions) {
    super(`${script}: ${message}`, options);
    this.code = code;
    this.script = script;
  }
}

const EXAMPLE = '{"answers": [{"text": "Done."}]}';
const SHOWN_CHARS = 80;

/** A value that is no script, or no answer of one: its first wrong field, what stands there, what was expected. */
export function notAScript(script: string, value: unknown, { issues: [issue] }: z.ZodError): ScriptError {
  const path = issue?.path ?? [];
  const field = path.length > 0 ? `${path.join('.')} is ${shown(at(value, path))}` : `it is ${shown(value)}`;
  return new ScriptError('not_a_script', script, `${field}. ${issue?.message}. ${EXAMPLE} is a script.`);
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (Object(inner) as Record<PropertyKey, unknown>)[key], value);
}

function shown(value: unknown): string {
  return head(value === undefined ? 'missing' : (JSON.stringify(value) ?? typeof value), SHOWN_CHARS);
}
