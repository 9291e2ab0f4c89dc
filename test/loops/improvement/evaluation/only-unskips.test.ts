import { describe, expect, test } from 'vitest';
import { onlyUnskips } from '../../../../src/loops/improvement/evaluation/only-unskips.ts';

describe('I9 a file differs only by marks that skip tests', () => {
  test.each([
    ['test.skip', "test.skip('adds', () => ok(1));", "test('adds', () => ok(1));"],
    ['describe.skip', "describe.skip('sums', all);", "describe('sums', all);"],
    ['xit', "xit('adds', adds);", "it('adds', adds);"],
    ['an option', "test('adds', { skip: true }, adds);", "test('adds', {}, adds);"],
    ['an option that is gone', "test('adds', { skip: 'later' }, adds);", "test('adds', adds);"],
    [
      'a decorator of pytest',
      '@pytest.mark.skip(reason="later")\ndef test_adds():\n    f()',
      'def test_adds():\n    f()',
    ],
    ['an attribute of Rust', '#[test]\n#[ignore]\nfn adds() {}', '#[test]\nfn adds() {}'],
    [
      'a call of Go',
      'func TestAdds(t *testing.T) {\n\tt.Skip("later")\n\tadds(t)\n}',
      'func TestAdds(t *testing.T) {\n\tadds(t)\n}',
    ],
    ['one of two', "test.skip('a', a);\ntest.skip('b', b);", "test('a', a);\ntest.skip('b', b);"],
  ])('%s', (_, before, after) => expect(onlyUnskips(before, after)).toBe(true));

  test.each([
    ['the test is hollowed', "test.skip('adds', () => ok(sum(1)));", "test('adds', () => {});"],
    ['another test is hollowed', "test.skip('a', a);\ntest('b', b);", "test('a', a);\ntest('b', () => {});"],
    ['another test is skipped', "test.skip('a', a);\ntest('b', b);", "test('a', a);\ntest.skip('b', b);"],
    ['nothing is run that was skipped', "test.skip('a', a);", "test.skip( 'a', a );"],
    ['a word that only looks like a mark', "exit('a', a);", "et('a', a);"],
    ['a test is skipped', "test('a', a);", "test.skip('a', a);"],
    ['an attribute moves to another test', '#[ignore]\nfn a() {}\nfn b() {}', 'fn a() {}\n#[ignore]\nfn b() {}'],
    ['nothing changes', "test.skip('a', a);", "test.skip('a', a);"],
  ])('not where %s', (_, before, after) => expect(onlyUnskips(before, after)).toBe(false));
});
