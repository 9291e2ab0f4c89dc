import { RUST } from './code-syntax.ts';
import { testsOfRust } from './function-tests.ts';
import { withOwnPairs } from './own-pairs.ts';
import type { ControlMark, WrittenTests } from './write-tests.ts';

/** As `cargo test` finds them, in a file of its own: what is within a source belongs to the work. */
export function rustControl(
  text: string,
  label: (index: number) => string,
  numbers: ControlMark['numbers'],
): WrittenTests {
  const [one, other] = numbers;
  const bodies = [`panic!("${one}")`, `assert_eq!(${one}, ${other})`, 'assert!(false)', `assert_ne!(${one}, ${one})`];
  const failing = bodies.map((body, index) => `#[test]\nfn ${label(index)}() { ${body} }`);
  return withOwnPairs(text, { preamble: '', failing }, { label, numbers }, { syntax: RUST, testsOf: testsOfRust });
}
