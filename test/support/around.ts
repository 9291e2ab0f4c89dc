import type { Log } from '../../src/log/log.ts';

/** A log with one member in another way. */
export function around<Member extends keyof Log>(log: Log, member: Member, way: Log[Member]): Log {
  return new Proxy(log, {
    get: (target, asked) => {
      const value: unknown = asked === member ? way : Reflect.get(target, asked);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
