import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { redecide } from '../../src/redecide/redecide.ts';
import { readHistory, logOf } from '../histories/history.ts';
import { factsOf } from './recorded.ts';

const folder = new URL('../histories/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));

test.each(names)('%s: the judge that decided it decides it again, word by word', async (name) => {
  const told = readHistory(new URL(name, folder));
  const log = await logOf(told);
  for (const { run } of told.runs) {
    const facts = await factsOf(log, run);
    const { redecisions, conclusion, differsFrom, saved } = await redecide(facts);
    for (const one of redecisions) expect(one.other).toEqual(one.recorded);
    expect(redecisions.length).toBeGreaterThan(1);
    expect({ conclusion, differsFrom, saved }).toEqual({ conclusion: 'agrees', differsFrom: null, saved: null });
  }
});
