/** Of everything that chance decides in a test: the same for everybody, unless `TEST_SEED` says otherwise. */
export const seed = Number(process.env['TEST_SEED'] ?? 20_261);
