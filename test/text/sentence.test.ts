import { expect, test } from 'vitest';
import { sentence } from '../../src/text/sentence.ts';

test.each([
  ['exit status 1', 'exit status 1.'],
  ['Choose another model.', 'Choose another model.'],
  ['Is it there?\n', 'Is it there?'],
  ['cut off…', 'cut off….'],
])('%j is the sentence %j', (text, expected) => expect(sentence(text)).toBe(expected));
