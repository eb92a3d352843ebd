/**
 * Files of tests that wait for a time, and why they may: none of them concludes anything from it. Who waits for a state uses `test/until.ts`, and
 * what is about time has a clock of its own. Entries only go.
 */
export const WAITS: Readonly<Record<string, string>> = {
  'test/adapters/store-eventstoredb/emulator/compare/':
    'compares with a real server, which says by silence that nothing comes',
  'test/adapters/store-eventstoredb/emulator/given-cluster.ts': 'asks nodes of a real cluster that may be dead',
  'test/campaigns/attack/loop-probe.mjs': 'measures how long one request keeps the event loop',
  'test/campaigns/attack/salvos.ts': 'to drip is the attack',
  'test/campaigns/bench/': 'measures',
  'test/campaigns/crash/bugs/': 'the planted mistake is to be late',
  'test/campaigns/crash/erasures/host.ts': 'keeps the host alive until it is told to stop',
  'test/campaigns/crash/load.ts': 'a client pauses before it sends again',
  'test/campaigns/crash/payments.ts': 'a service takes time, so that effects overlap',
  'test/campaigns/crash/several/fleet.ts': 'a frozen server goes on although others may wait for what it holds',
  'test/campaigns/load/closed-loop.ts': 'obeys Retry-After',
  'test/campaigns/mutants/sandbox.ts': 'only a time tells that a mutant hangs, and that counts as found',
  'test/core/door/client.test.ts': 'a caller who gives up: it concludes nothing from when',
  'test/run-process.ts': 'the one limit that tests have',
  'test/system/examples/wire-transfer-host.ts': 'keeps the host alive until it is killed',
  'test/until.ts': 'looks again, without a limit',
}
