import { expect, test } from 'vitest';
import { fitsAny } from '../../src/evidence/path-globs.ts';

test('V2 a path fits one of several globs, in any case of its letters', () => {
  const fits = fitsAny(['**/*_test.go', '{t,features}/**', 'routes/[id].test.ts']);
  const paths = ['a/b_TEST.go', 'T/one', 'features/a\nb', 'routes/[id].test.ts', 'routes/i.test.ts'];
  expect(paths.filter((path) => !fits(path))).toEqual([]);
  expect(['a/t/one', 'b_test.go.txt', 'routes/x.test.ts', ''].filter(fits)).toEqual([]);
});

test('V2 no path fits an empty list of globs', () => {
  expect(['', 'a', 'a/b'].filter(fitsAny([]))).toEqual([]);
});
