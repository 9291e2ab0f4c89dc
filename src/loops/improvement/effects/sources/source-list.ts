import type { ImprovementOptions } from '../../../../../machines/improvement-options.ts';
import { benchmarks } from './benchmarks.ts';
import { failingTests, lintFindings, skippedTests, typeErrors } from './check-sources.ts';
import { coverage } from './coverage-report.ts';
import { ideas } from './model-ideas.ts';
import { items } from './items.ts';
import { logs } from './logs.ts';
import { runs } from './runs.ts';
import type { Source } from './source.ts';
import { todos } from './todos.ts';

/** Every source, in the order in which they are asked: a model last, because it is told what the others have found. */
const SOURCES: readonly Source[] = [
  failingTests,
  typeErrors,
  lintFindings,
  skippedTests,
  items,
  todos,
  coverage,
  logs,
  runs,
  benchmarks,
  ideas,
];

/** The sources that a run has chosen. A list of items that it names is always one; without discovery, the only one. */
export function chosenSources({ discovery }: ImprovementOptions['phases']): readonly Source[] {
  const { enabled, sources, items: file, itemsCommand } = discovery;
  const hasItems = file !== null || itemsCommand !== null;
  return SOURCES.filter(({ name }) => (name === 'items' ? hasItems : enabled && sources.includes(name)));
}
