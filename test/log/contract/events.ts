import { describe } from 'vitest';
import { appending } from './appending.ts';
import { fencing } from './fencing.ts';
import { following } from './following.ts';
import { forking } from './forking.ts';
import type { Fresh } from './fresh.ts';
import { reading } from './reading.ts';
import { refusals } from './refusals.ts';
import { runs } from './runs.ts';
import { verifying } from './verifying.ts';

export function events(fresh: Fresh): void {
  describe('append', () => {
    appending(fresh);
    fencing(fresh);
    refusals(fresh);
  });
  describe('read', () => reading(fresh));
  describe('follow', () => following(fresh));
  describe('fork', () => forking(fresh));
  describe('runs', () => runs(fresh));
  describe('verify', () => verifying(fresh));
}
