/**
 * A duration in whole seconds, minutes or hours.
 *
 * @example
 * inSeconds(7_800); // '2 h 10 min'
 */
export function inSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
