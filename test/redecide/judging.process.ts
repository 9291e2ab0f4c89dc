// Judges a run that lies in a file of facts again, while everything a judge could touch throws.
import { readFileSync } from 'node:fs';
import type { Fact } from '../../src/kernel/effect-handlers.ts';
import { redecide } from '../../src/redecide/redecide-run.ts';
import { forbidden } from './forbidden.ts';

const facts = readFileSync(0, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Fact);
const other = JSON.parse(process.argv[2] ?? '{}');
const allow = forbidden();
const { conclusion, turn, redecisions, saved } = await redecide(facts, other);
allow();
process.stdout.write(JSON.stringify({ conclusion, turn, saved, judgements: redecisions.length }));
