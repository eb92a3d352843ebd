/*
 * `npm test` is what a newcomer waits for, and what somebody runs before each commit; `npm run test:all` runs every test. A test file belongs
 * to both unless this file says something else.
 */

/**
 * What only `npm run test:all` runs: what starts processes, servers and compilers, loads many libraries to compare ours with, repeats on
 * another store what has run on one, asks each operation for whatever another one has made, or guesses ten thousand times.
 */
export const LATER: readonly string[] = [
  'test/adapters/attestations/changed-bytes.test.ts',
  'test/adapters/cli/',
  'test/adapters/store-eventstoredb/',
  'test/adapters/store-postgres/',
  'test/adapters/store-sqlite/',
  'test/campaigns/',
  'test/core/audit/keys.test.ts',
  'test/core/keys/other-libraries.test.ts',
  'test/core/resources/otp/guesses.test.ts',
  'test/core/resources/signing/transaction-enemies.test.ts',
  'test/core/resources/signing/transaction-policies.test.ts',
  'test/core/transaction/other-libraries/',
  'test/package/',
  'test/run.test.ts',
  'test/system/canaries/canaries.test.ts',
  'test/system/canaries/codes.test.ts',
  'test/system/canaries/deleted-keys.test.ts',
  'test/system/canaries/erased.test.ts',
  'test/system/canaries/keys.test.ts',
  'test/system/canaries/sessions.test.ts',
  'test/system/clients/',
  'test/system/docs/',
  'test/system/examples/',
  'test/system/isolation/isolation.test.ts',
  'test/system/webhooks/taken-over.test.ts',
]

/** Of what `LATER` names, what `npm test` runs all the same: the contracts of the stores, and some of each family. */
export const SAMPLES: readonly string[] = [
  'test/adapters/cli/flags.test.ts',
  'test/adapters/cli/main.test.ts',
  'test/adapters/cli/vote.test.ts',
  'test/adapters/store-eventstoredb/client.test.ts',
  'test/adapters/store-eventstoredb/emulator/append-calls.test.ts',
  'test/adapters/store-eventstoredb/url.test.ts',
  'test/adapters/store-postgres/contract.test.ts',
  'test/adapters/store-sqlite/contract.test.ts',
  'test/campaigns/attack/verdict.test.ts',
  'test/campaigns/bench/usage.test.ts',
  'test/campaigns/fuzz/replies.test.ts',
  'test/campaigns/history/crowd.test.ts',
  'test/campaigns/load/load.test.ts',
  'test/campaigns/mutants/operators.test.ts',
  'test/campaigns/simulate/simulation.test.ts',
  'test/package/host-types/wrong.test.ts',
  'test/system/docs/pages.test.ts',
  'test/system/examples/wire-transfer.test.ts',
]

export const isLater = (file: string): boolean => LATER.some((part) => file.startsWith(part)) && !SAMPLES.includes(file)

/** The files that use the processor most, the most first: whichever process began them last would be waited for. */
export const LONGEST: readonly string[] = [
  'test/system/isolation/isolation.test.ts',
  'test/campaigns/crash/several/bugs.test.ts',
  'test/adapters/store-eventstoredb/contract.test.ts',
  'test/campaigns/crash/several/frozen.test.ts',
  'test/campaigns/crash/several/severed.test.ts',
  'test/campaigns/simulate/faults.test.ts',
  'test/adapters/cli/open-eventstoredb.test.ts',
  'test/campaigns/crash/erasures.test.ts',
  'test/campaigns/crash/bugs.test.ts',
  'test/system/docs/mount.test.ts',
  'test/campaigns/crash/crash.test.ts',
  'test/core/policy/cron-within.test.ts',
  'test/adapters/store-sqlite/contract.test.ts',
  'test/run.test.ts',
  'test/adapters/store-eventstoredb/engines-on-cluster.test.ts',
  'test/package/package.test.ts',
  'test/system/docs/shell.test.ts',
  'test/system/docs/readme.test.ts',
  'test/adapters/cli/doctor/examine-store.test.ts',
  'test/adapters/cli/doctor.test.ts',
  'test/campaigns/crash/several/twins.test.ts',
  'test/adapters/attestations/changed-bytes.test.ts',
  'test/adapters/cli/doctor/eventstoredb.test.ts',
  'test/core/command/hostile-host.test.ts',
  'test/adapters/store-eventstoredb/client-faults.test.ts',
  'test/adapters/cli/bad-eventstoredb.test.ts',
]
