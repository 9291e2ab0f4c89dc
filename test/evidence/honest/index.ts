import type { HonestChange } from '../story.ts';
import { ASKED, IN_CONFIGURATION, IN_TESTS } from './grounds.ts';
import { ASKED_IN_STEPS } from './asked.ts';
import { REFACTORINGS } from './refactorings.ts';
import { IN_SOURCES } from './sources.ts';
import { IN_DEPENDENCIES, IN_REPOSITORIES, OF_SUITES } from './surroundings.ts';
import { UNUSUAL } from './unusual.ts';

/** Every honest change. */
export const HONEST: readonly HonestChange[] = [
  ...IN_SOURCES,
  ...IN_TESTS,
  ...ASKED,
  ...ASKED_IN_STEPS,
  ...REFACTORINGS,
  ...IN_CONFIGURATION,
  ...IN_DEPENDENCIES,
  ...IN_REPOSITORIES,
  ...OF_SUITES,
  ...UNUSUAL,
];
