import { expect, test } from 'vitest';
import { ANSWER_READERS } from './readers/answer-readers.ts';
import { COMMAND_READERS } from './readers/command-readers.ts';
import { OUTPUT_READERS } from './readers/output-readers.ts';
import type { Reader } from './readers/reader.ts';
import { SOURCE_READERS } from './readers/source-readers.ts';
import { worstTexts } from './worst-texts.ts';

const READERS: readonly Reader[] = [...ANSWER_READERS, ...OUTPUT_READERS, ...SOURCE_READERS, ...COMMAND_READERS];

const CHARS = 2_000;
/** The long text is so many times the short one. */
const FACTOR = 4;
/** For twice the text; twice as long is exact. */
const MAX_RATIO = 2.6;
/** Some kernels count the time of a thread in steps of half this size: less is no measure. */
const STEP_MS = 8;
/** A long text that is read in less is not compared with the short one. */
const MIN_LONG_MS = 10;
/** A reader that takes longer with the short text is not tried with the long one. */
const STOP_MS = 500;
const REPEATS = 12;

/** Milliseconds of this thread, and of no other one, for reading `times` times. */
function cpuOf(read: () => unknown, times = 1): number {
  const before = process.threadCpuUsage();
  for (let time = 0; time < times; time += 1) read();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** As often as takes two steps of the clock. */
function timesOf(read: () => unknown): number {
  let times = 1;
  while (times < 64 && cpuOf(read, times) < 2 * STEP_MS) times *= 2;
  return times;
}

const isSteep = (short: number, long: number): boolean =>
  long > Math.max(short, STEP_MS) * MAX_RATIO ** Math.log2(FACTOR);

/** The texts with which a function takes more than in proportion to them. A time that looks so is taken again. */
function steepTexts(read: Reader[1]): readonly string[] {
  const long = worstTexts(FACTOR * CHARS);
  return worstTexts(CHARS).flatMap(([unit, text], index) => {
    const [readShort, readLong] = [() => read(text), () => read(long[index]?.[1] ?? '')];
    if (cpuOf(readShort) <= STOP_MS && cpuOf(readLong) < MIN_LONG_MS) return [];
    const times = timesOf(readShort);
    const taken = (): readonly [short: number, long: number] => {
      const short = cpuOf(readShort, times);
      return [short, short > STOP_MS ? Infinity : cpuOf(readLong, times)];
    };
    let [least, most] = taken();
    for (let repeat = 1; repeat < REPEATS && most < Infinity && isSteep(least, most); repeat += 1) {
      const again = taken();
      [least, most] = [Math.min(least, again[0]), Math.min(most, again[1])];
    }
    return isSteep(least, most) ? [`${JSON.stringify(unit)}: ${least} ms, ${most} ms`] : [];
  });
}

test('B4 foreign text is read in linear time by more than sixty functions, which are measured here', () =>
  expect(new Set(READERS.map(([name]) => name)).size).toBeGreaterThan(60));

test.each(READERS)('B4 %s takes time in proportion to the text', (_, read) => expect(steepTexts(read)).toEqual([]));

test('B4 a pattern that reads on from every start is noticed', () =>
  expect(steepTexts((text) => /a+$/.test(text)).join()).toMatch(/"a": /));
