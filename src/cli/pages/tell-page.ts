import type { Told } from '../../projections/read-told.ts';
import { plain } from '../../text/one-line.ts';
import { shortId } from '../args/find-run.ts';
import type { Colours } from '../terminal/output.ts';

/** What models were told, in full: the system prompt once where it is the same, and below it each prompt. */
export function toldPage(told: readonly Told[], { bold, dim }: Colours): readonly string[] {
  if (told.length === 0) return [dim('no model was asked yet')];
  let before: string | null = null;
  return told.flatMap(({ run, system, systemVersion, tools, prompts }) => {
    const isSame = system === before;
    before = system;
    const version = systemVersion === null ? '' : ` (${systemVersion})`;
    const title = isSame ? 'system prompt, as before' : `system prompt${version}`;
    return [
      bold(`run ${shortId(run)}`),
      dim(system === null ? 'no system prompt' : title),
      ...(system === null || isSame ? [] : ['', plain(system), '']),
      dim(`tools   ${tools.join(', ') || 'none'}`),
      ...prompts.flatMap((prompt) => [dim('told'), '', plain(prompt), '']),
    ];
  });
}
