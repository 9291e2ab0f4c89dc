import { readdirSync, readFileSync } from 'node:fs';
import { builtinTools } from '../../src/actors/tools/builtin.ts';
import type { TraitsOf } from '../../src/detectors/traits.ts';
import { readStory, type Story } from '../../src/redecide/story.ts';

/** The stories of the corpus, as they lie in its files: every one, or one in so many. The others are not parsed. */
export function corpusStories(oneIn = 1): Story[] {
  const folder = new URL('./', import.meta.url);
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted();
  const lines = files.flatMap((name) =>
    readFileSync(new URL(name, folder), 'utf8')
      .trim()
      .split('\n')
      .map((line, index) => ({ line, place: `${name}:${index + 1}` })),
  );
  return lines
    .filter((_line, index) => index % oneIn === 0)
    .map(({ line, place }) => {
      const read = readStory(line);
      if (read.kind === 'invalid') throw new Error(`${place}: ${read.because}`);
      return read.story;
    });
}

const tools = new Map(builtinTools().map(({ name, traits = {} }) => [name, traits]));

/** What the tools that come with the library have declared. */
export const traitsHere: TraitsOf = (name) => tools.get(name) ?? {};
