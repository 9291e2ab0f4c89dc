import type { LoopEvent, Usage } from '../../machines/events.ts';
import { loopfold } from '../cli/warm-process.ts';

/** An event as `events --json` prints it. */
export type Printed = LoopEvent & { readonly payload: { readonly usage?: Usage } };

/** The events of the newest run, and of its children. */
export async function eventsOf(cwd: string, env: Readonly<Record<string, string>>): Promise<Printed[]> {
  const top = await linesOf(['events', '--last', '--json'], cwd, env);
  const below: Printed[] = [];
  for (const { type, payload } of top)
    if (type === 'child.settled') below.push(...(await linesOf(['events', payload.child, '--json'], cwd, env)));
  return [...top, ...below];
}

async function linesOf(
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Printed[]> {
  const { stdout } = await loopfold(words, { cwd, env });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Printed);
}
