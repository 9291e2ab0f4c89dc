import type * as Sdk from '@restatedev/restate-sdk';
import { codeOf } from '../../log/environment-fault.ts';
import { EnvironmentError } from '../../actors/environment-error.ts';

export type {
  ObjectContext,
  ObjectSharedContext,
  RestatePromise,
  VirtualObjectDefinition,
} from '@restatedev/restate-sdk';
export type RestateSdk = typeof Sdk;

/** Loads the SDK when a host on Restate is made: without one it need not be installed. Throws an `EnvironmentError`. */
export async function loadSdk(): Promise<RestateSdk> {
  try {
    return await import('@restatedev/restate-sdk');
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new EnvironmentError(
      'no_package',
      'The package @restatedev/restate-sdk is not installed. Install it: npm install @restatedev/restate-sdk',
    );
  }
}
