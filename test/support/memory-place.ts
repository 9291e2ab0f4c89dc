import { accessSync, constants, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { availableMemory } from 'node:process';
import type { MemoryPlace } from './scratch-place.ts';

/** What a folder offers to the tests. One that is not there offers nothing. */
export function memoryPlace(path: string): MemoryPlace {
  return {
    path,
    freeBytes: Math.min(freeIn(path), availableMemory()),
    isWritable: succeeds(() => accessSync(path, constants.W_OK)),
    startsPrograms: succeeds(() => startProgramIn(path)),
  };
}

function freeIn(path: string): number {
  if (!existsSync(path)) return 0;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** On a file system that is mounted `noexec`, a program may be written and is not executable. */
function startProgramIn(path: string): void {
  const folder = mkdtempSync(join(path, 'loopfold-'));
  try {
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    accessSync(program, constants.X_OK);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function succeeds(attempt: () => void): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}
