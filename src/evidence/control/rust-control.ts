import type { ControlMark, MustFail } from './written-tests.ts';

/** As `cargo test` finds them, in a file of its own: what is within a source belongs to the work. */
export function rustControl(
  _text: string,
  label: (index: number) => string,
  [one, other]: ControlMark['numbers'],
): MustFail {
  const bodies = [`panic!("${one}")`, `assert_eq!(${one}, ${other})`, 'assert!(false)', `assert_ne!(${one}, ${one})`];
  return { preamble: '', tests: bodies.map((body, index) => `#[test]\nfn ${label(index)}() { ${body} }`) };
}
