import { readdirSync, readFileSync } from 'node:fs';
import { builtinTools } from '../../src/actors/tools/builtin.ts';
import type { TraitsOf } from '../../src/detectors/traits.ts';
import { readStory, type Story } from '../../src/redecide/story.ts';

/** Every story of the corpus, as it lies in its files. */
export function corpusStories(): Story[] {
  const folder = new URL('./', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl')).toSorted();
  return files.flatMap((name) => readFileSync(new URL(name, folder), 'utf8').trim().split('\n').map((line, index) => {
    const read = readStory(line);
    if (read.kind === 'invalid') throw new Error(`${name}:${index + 1}: ${read.because}`);
    return read.story;
  }));
}

const tools = new Map(builtinTools().map(({ name, traits = {} }) => [name, traits]));

/** What the tools that come with the library have declared. */
export const traitsHere: TraitsOf = (name) => tools.get(name) ?? {};
