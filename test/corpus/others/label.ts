import type { Call, Shape } from './shape.ts';

/**
 * The label of a trajectory by the verdict of its source's verifier, by how it ended, and by what its steps brought:
 *
 * - healthy: the verifier passed, and the agent ended by itself;
 * - stuck: the verifier failed, a limit of steps, time or money ended the agent, and its last third brought no test,
 *   error or file that had not been there before.
 *
 * Null, and not in the corpus, is what two people would label differently: passed, yet ended by a limit; failed without
 * a limit; failed at a limit with news in the last third, or with a new result from every third call there; and fewer
 * than six steps.
 */
export function labelOf({
  passed,
  limited,
  steps,
}: Pick<Shape, 'passed' | 'limited' | 'steps'>): Shape['label'] | null {
  if (steps.length < MIN_STEPS || passed === limited) return null;
  if (passed) return 'healthy';
  const { news, calls, fresh } = lastThirdOf(steps);
  return news === 0 && fresh * 3 <= calls ? 'stuck' : null;
}

const MIN_STEPS = 6;
const OF_FILES: ReadonlySet<string> = new Set(['read', 'list', 'edit', 'write']);
const classOf = ({ tool, command }: Call): string => command ?? tool;

interface LastThird {
  /** The tests, errors and files that the steps before did not show. */
  readonly news: number;
  readonly calls: number;
  /** The calls that told something new, by a result that had not been there, or by a change that had not been tried. */
  readonly fresh: number;
}

function lastThirdOf(steps: Shape['steps']): LastThird {
  const seen = new Set<string>();
  const start = steps.length - Math.floor(steps.length / 3);
  let third: LastThird = { news: 0, calls: 0, fresh: 0 };
  for (const [index, { calls }] of steps.entries()) {
    for (const call of calls) {
      const shown = shownBy(call);
      const told = isUntold(call) ? `args ${call.args}` : `result ${call.result}`;
      const isFresh = !call.failed && !seen.has(told) && !troublesIn(call).some((trouble) => seen.has(trouble));
      if (index >= start) {
        const news = shown.filter((one) => !seen.has(one)).length;
        third = { news: third.news + news, calls: third.calls + 1, fresh: third.fresh + Number(isFresh) };
      }
      for (const one of [...shown, `args ${call.args}`, `result ${call.result}`]) seen.add(one);
    }
  }
  return third;
}

const troublesIn = ({ red = [], errors = [] }: Call): string[] => [
  ...red.map((test) => `test ${test}`),
  ...errors.map((error) => `error ${error}`),
];

function shownBy(call: Call): string[] {
  const isOfFile = OF_FILES.has(classOf(call)) && call.about !== undefined && !call.failed;
  return [...troublesIn(call), ...(isOfFile ? [`file ${call.about}`] : [])];
}

/** Returns whether the result of a call does not tell what it did. */
const isUntold = (call: Call): boolean => call.empty === true || ['edit', 'write'].includes(classOf(call));
