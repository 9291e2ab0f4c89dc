import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  deactivateLoop,
  formatRalphState,
  incrementIteration,
  loadRalphWiggumState,
  RalphStateError,
  saveRalphWiggumState,
} from '../../src/ralph/index.ts';
import { STATE } from './state.ts';

let folder: string;
const path = () => join(folder, '.claude', 'ralph-loop.local.md');
const write = (text: string): void => {
  mkdirSync(join(folder, '.claude'), { recursive: true });
  writeFileSync(path(), text);
};
const errorOf = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return null;
};

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'ralph-state-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the state file of a program that runs the loop itself', () => {
  test.each([
    ['as it begins', STATE],
    ['with a prompt of several lines', { ...STATE, originalPrompt: 'First.\n\n---\n\nactive: false\n' }],
    ['without a promise', { ...STATE, completionPromise: null }],
    ['once it has ended', deactivateLoop(STATE, 'completion promise given')],
  ])('R10 a saved state is loaded again: %s', (_, state) => {
    saveRalphWiggumState(folder, state);
    expect(loadRalphWiggumState(folder)).toEqual(state);
    expect(readFileSync(path(), 'utf8')).toBe(formatRalphState(state));
  });

  test('R10 a folder without a state file has no state', () => expect(loadRalphWiggumState(folder)).toBeNull());

  test('R10 a later state replaces the file as a whole, and leaves no draft', () => {
    saveRalphWiggumState(folder, { ...STATE, originalPrompt: 'long '.repeat(1_000) });
    saveRalphWiggumState(folder, incrementIteration(STATE));
    expect(loadRalphWiggumState(folder)).toMatchObject({ iteration: 2, originalPrompt: STATE.originalPrompt });
    expect(readdirSync(join(folder, '.claude'))).toEqual(['ralph-loop.local.md']);
  });

  test('R10 a damaged file is an error with its path, the line and what is expected there', () => {
    write(formatRalphState(STATE).replace('max_iterations: 10', 'max_iterations: many'));
    const error = errorOf(() => loadRalphWiggumState(folder));
    expect(error).toBeInstanceOf(RalphStateError);
    expect(error).toMatchObject({ path: path(), line: 4 });
    expect(String(error)).toContain(`${path()}:4: max_iterations: expected a whole number, 0 or more`);
  });

  test('R10 a file that cannot be read is an error that says why', () => {
    mkdirSync(path(), { recursive: true });
    expect(errorOf(() => loadRalphWiggumState(folder))).toMatchObject({ message: `${path()}: it is a folder` });
  });

  test('R10 a state that no file can hold is not saved', () => {
    saveRalphWiggumState(folder, STATE);
    expect(errorOf(() => saveRalphWiggumState(folder, { ...STATE, iteration: 0 }))).toMatchObject({
      name: 'RalphStateError',
      message: `${path()}: the state cannot be saved: iteration: expected a whole number, 1 or more`,
    });
    expect(loadRalphWiggumState(folder)).toEqual(STATE);
  });

  test('R10 nothing is written through a folder that is a link', () => {
    symlinkSync(mkdtempSync(join(folder, 'elsewhere-')), join(folder, '.claude'));
    expect(errorOf(() => saveRalphWiggumState(folder, STATE))).toMatchObject({
      message: `${path()}: its folder is a symbolic link`,
    });
  });
});
