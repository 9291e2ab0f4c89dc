import { DETECTOR_KINDS } from '../../src/detectors/detector-kinds.ts';
import { PROFILES } from '../../src/detectors/profile.ts';

/** Every detector, its numbers, and which profile has it. */
export function detectorTable(): string {
  const rows = DETECTOR_KINDS.map(({ name, row, notices, config }) => {
    const profiles = [...PROFILES.keys()].map((profile) => inProfile(profile, name));
    return `| ${[`\`${name}\``, row, notices, numbers(config.parse({})), ...profiles].join(' | ')} |`;
  });
  return [
    '| detector | id | notices | numbers | `default` | `strict` | `off` |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** A profile's own numbers, where it has any. */
function inProfile(profile: string, name: string): string {
  const choice = PROFILES.get(profile)?.find((one) => (typeof one === 'string' ? one : one.name) === name);
  if (choice === undefined) return '';
  return typeof choice === 'string' ? 'yes' : numbers(choice.config);
}

const numbers = (config: unknown): string =>
  Object.entries(config as object)
    .map(([name, value]) => `\`${name}\` ${value}`)
    .join(', ');
