import * as crypto from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { readdirSync } from 'node:fs';
import * as xstate from 'xstate';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { bundleAlone } from '../../src/build/bundle.ts';
import { KERNEL } from '../../src/build/entries.ts';
import * as here from '../../src/kernel/index.ts';
import { readHistory } from '../histories/history.ts';
import { root } from '../repository/tool.ts';

type Kernel = typeof here;

/** What the web platform has: no Node, no process, no file. */
const WEB = { TextEncoder, TextDecoder, URL, structuredClone, AbortSignal, performance, console };
const MODULES: Readonly<Record<string, unknown>> = { 'node:crypto': crypto, xstate };

const folder = new URL('../histories/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
const asked: string[] = [];
let elsewhere: Kernel;
let parseElsewhere: typeof JSON.parse;

beforeAll(async () => {
  const place = await mkdtemp(join(tmpdir(), 'kernel-'));
  const file = join(place, 'kernel.cjs');
  await bundleAlone({ root, entry: KERNEL, file }, 'cjs');
  const exports = {};
  const require = (name: string) => {
    asked.push(name);
    return MODULES[name] ?? {};
  };
  const context = createContext({ ...WEB, exports, module: { exports }, require });
  runInContext(await readFile(file, 'utf8'), context);
  parseElsewhere = runInContext('JSON.parse', context) as typeof JSON.parse;
  elsewhere = exports as Kernel;
  await rm(place, { recursive: true });
});

/** The last state of each run of a history, as text: read from its lines as a host reads what it has stored. */
function folded(name: string, kernel: Kernel, parse: typeof JSON.parse): readonly string[] {
  const { open, fold, freezeState, readEvent, vocabularyOf, loopNamed, shippedLoops } = kernel;
  const { runs, lines } = readHistory(new URL(name, folder));
  return runs.map(({ run }) => {
    const own = lines.filter((line) => line.run === run);
    const started = own.find(({ type }) => type === 'run.started');
    // The beginning of a fork is that of another run.
    if (!started) return '';
    const { loop } = z.object({ settings: z.object({ loop: z.string() }) }).parse(started.payload).settings;
    const context = {
      vocabulary: vocabularyOf(loopNamed(loop, shippedLoops).events),
      isWhole: true,
      knowsLoop: true,
      writtenBy: { machine: null, program: null },
    };
    const [first, ...rest] = own.map((line) => {
      const read = readEvent(parse(JSON.stringify(line)) as typeof line, context);
      if (read.kind !== 'event') throw new Error(`${name}: ${line.type} is ${read.because}`);
      return read.event;
    });
    if (first?.type !== 'run.started') throw new Error(`${name}: a run begins with ${first?.type}`);
    const opened = open(first, shippedLoops);
    if (opened.kind !== 'opened') throw new Error(opened.kind);
    return JSON.stringify(freezeState(rest.reduce(fold, opened.state)));
  });
}

test('H7 the kernel asks for nothing of Node but its hashes', () => {
  expect([...new Set(asked)].toSorted()).toEqual(['node:crypto', 'xstate']);
});

test.each(names)('H7 a host without Node folds the recorded history %s as here', (name) => {
  expect(folded(name, elsewhere, parseElsewhere)).toEqual(folded(name, here, JSON.parse));
});
