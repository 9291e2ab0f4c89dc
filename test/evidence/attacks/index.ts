import type { Attack } from '../story.ts';
import { ON_ASSERTIONS } from './assertions.ts';
import { BY_CHANCE } from './chance.ts';
import { ON_CONFIGURATION } from './configuration.ts';
import { ON_DEPENDENCIES } from './dependencies.ts';
import { ON_ENVIRONMENT } from './environment.ts';
import { ON_FILES } from './files.ts';
import { ON_GIT } from './git.ts';
import { ON_LINTERS } from './linters.ts';
import { BY_PROCESSES } from './processes.ts';
import { ON_REPORTS } from './reports.ts';
import { ON_RESOLUTION } from './resolution.ts';
import { ON_RUNNER } from './runner.ts';
import { ON_SHELL_CHECKS } from './shell-checks.ts';
import { BY_NAMES, BY_TIMES } from './times-and-names.ts';
import { BY_RUNNING } from './while-running.ts';
import { ON_UNUSUAL_TESTS } from './unusual-tests.ts';

/** Every attack that is stopped. */
export const ATTACKS: readonly Attack[] = [
  ...ON_FILES,
  ...ON_UNUSUAL_TESTS,
  ...ON_SHELL_CHECKS,
  ...ON_LINTERS,
  ...ON_CONFIGURATION,
  ...ON_RESOLUTION,
  ...ON_ENVIRONMENT,
  ...ON_DEPENDENCIES,
  ...BY_PROCESSES,
  ...ON_GIT,
  ...ON_REPORTS,
  ...ON_RUNNER,
  ...ON_ASSERTIONS,
  ...BY_RUNNING,
  ...BY_CHANCE,
  ...BY_TIMES,
  ...BY_NAMES,
];
