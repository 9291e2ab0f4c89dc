/** What a person has typed for one judge. Empty: as each run had it. */
export type JudgeFields = Readonly<Record<(typeof JUDGE_FIELDS)[number][0], string>>;

/** The fields of a judge: the option, its title and an example. */
export const JUDGE_FIELDS = [
  ['strategy', 'Strategy', 'fixed'],
  ['detectors', 'Detectors', 'default, same-tool threshold=4'],
  ['maxIterations', 'Iterations at most', '3'],
  ['maxSteps', 'Steps at most', '50'],
  ['maxTokens', 'Tokens at most', '200000'],
  ['maxTime', 'Time at most', '30m'],
  ['maxCost', 'Cost at most', '2.50'],
] as const;

export const NO_FIELDS = Object.fromEntries(JUDGE_FIELDS.map(([name]) => [name, ''])) as JudgeFields;

/** The change of a run's judge that is asked for. */
export function changeOf(fields: JudgeFields): object {
  const given = JUDGE_FIELDS.flatMap(([name]) => {
    const text = fields[name].trim();
    if (text === '') return [];
    return [[name, name === 'detectors' ? text.split(',').map(detectorOf) : valueOf(text)]];
  });
  return Object.fromEntries(given) as object;
}

/** A name for it, where it changes nothing as well. */
export function judgeName(fields: JudgeFields): string {
  const said = JUDGE_FIELDS.flatMap(([name, title]) => {
    const text = fields[name].trim();
    return text === '' ? [] : [name === 'strategy' || name === 'detectors' ? text : `${title.toLowerCase()} ${text}`];
  });
  return said.join(', ') || 'the judge of today';
}

/** `same-tool threshold=4` is a detector with a number of its own. */
function detectorOf(text: string): string | object {
  const [name = '', ...numbers] = text.trim().split(/\s+/);
  if (numbers.length === 0) return name;
  return { name, config: Object.fromEntries(numbers.map((one) => pairOf(one))) };
}

function pairOf(text: string): readonly [string, unknown] {
  const [key = '', value = ''] = text.split('=', 2);
  return [key, valueOf(value)];
}

const valueOf = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);
