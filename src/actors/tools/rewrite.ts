import { type Reach, confine } from './confine.ts';
import { inTurn } from './in-turn.ts';
import { ToolRefusal } from './tool-refusal.ts';
import type { Replaced } from './replacement.ts';
import { see } from './seen-files.ts';
import { readText, replaceText } from './text-file.ts';
import type { ToolContext } from './tool.ts';

/** Gives a text file the text that `change` makes of what it holds. */
export async function rewrite(
  path: string,
  { directory, effect, signal }: ToolContext,
  change: (text: string) => Replaced,
): Promise<void> {
  const place = await confine({ directory }, path);
  await inTurn(place.real, async () => {
    const before = await readText(place);
    const result = change(before.text);
    if (result.kind === 'refused') throw new ToolRefusal('edit_refused', `${path}: ${result.reason}`);
    const check = (stamp: string) => {
      if (stamp === before.stamp) return;
      throw new ToolRefusal('file_changed', `${path}: it changed while it was edited; read it again first`);
    };
    see(effect, place.real, await replaceText(place, result.text, { effect, signal, check }));
  });
}

/** Whether a file is as `isDone` expects it. One that cannot be read is not: starting again will say why. */
export async function isRewritten(path: string, reach: Reach, isDone: (text: string) => boolean): Promise<boolean> {
  try {
    return isDone((await readText(await confine(reach, path))).text);
  } catch (error) {
    if (error instanceof ToolRefusal) return false;
    throw error;
  }
}
