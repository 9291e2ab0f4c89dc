import { z } from 'zod';
import { DEFAULT_DETECTORS } from '../detectors/profile.ts';
import { json } from '../text/json-value.ts';

// Every `error` is the end of the sentence "expected …" in a fault.

const DETECTORS = 'the names of detectors or profiles, or {name, config}';
const name = (expected: string) =>
  z.string({ error: expected }).refine((text) => text.trim() !== '' && text.isWellFormed(), { error: expected });

const DetectorOption = z.union(
  [
    name(DETECTORS),
    z.strictObject({
      name: name("a detector's name"),
      config: z.record(z.string(), json('a JSON value'), { error: 'an object' }).prefault({}),
    }),
  ],
  { error: DETECTORS },
);

const kebab = (key: string) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `{identicalCalls: {threshold: 4}}`: the profile `default`, with these numbers of its detectors. */
const Numbers = z
  .record(z.string().regex(/^(?!name$)[a-z][A-Za-z]*$/), z.record(z.string(), json('a JSON value')))
  .transform((numbers) => [
    ...DEFAULT_DETECTORS,
    ...Object.entries(numbers).map(([key, config]) => ({ name: kebab(key), config })),
  ]);

export const DetectorsOption = z.union([DetectorOption.transform((one) => [one]), Numbers, z.array(DetectorOption)], {
  error: DETECTORS,
});
