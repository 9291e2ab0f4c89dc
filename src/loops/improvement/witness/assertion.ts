/** An error that is no assertion, by the name that reporters write before its message. */
const OTHER_ERROR =
  /^(?!Assert|Jest)(?:[\w.]+\.)?(?:[A-Z]\w*)?(?:Error|Exception|Exit|Interrupt|Timeout|TimeoutExpired|StopIteration|Warning)(?: \[[^\]]*\])?(?::|$)/;
/** As jest prints what its own expectations say. */
const EXPECTATION = /^Error: (?=expect\()/;
/** Go and Rust: the test came to no assertion. */
const PANIC = /^panic: |\bpanicked at\b(?![\s\S]*assert)/;
/** Errors of loading and of the system, where no name is written before them. */
const LOADING =
  /^(?:E[A-Z]{3,}: |cannot find (?:module|package)|failed to (?:load|resolve)|no module named|fixture '[^']*' not found|the requested module)/i;

/**
 * Tells whether a test failed in an assertion, going by what its runner says of it, and not because something is
 * missing, cannot be loaded, or throws.
 *
 * @example
 * isAssertion('Expected values to be strictly equal:\n\n1 !== 2'); // true
 * isAssertion('TypeError: retry is not a function'); // false
 */
export function isAssertion(message: string): boolean {
  const said = message.trim().replace(EXPECTATION, '');
  return !OTHER_ERROR.test(said) && !PANIC.test(said) && !LOADING.test(said);
}
