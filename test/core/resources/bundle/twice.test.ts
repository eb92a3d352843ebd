import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Engine } from '../../../../core/engine.ts'
import type { Failure } from '../../../../core/failure.ts'
import type { E } from '../../../../core/prelude.ts'
import type { ActivityView } from '../../../../core/view/activity-view.ts'
import { shared } from '../../../campaigns/crash/shared.ts'
import { sealedOf } from '../../../sealed-of.ts'
import { secondProcess } from '../../command/second-process.ts'
import { inTime as inSteps } from '../../world/under-way.ts'
import { stoppableKeyring, testKeyring } from '../../world/keyring.ts'
import { codeOf, placeIn, right, stamped, world, type Person, type World } from '../../world/world.ts'
import { long } from '../../../long.ts'
import { account, listed, sealedIn } from '../wallet/wallet-world.ts'
import { anyMnemonic, borderClient, dataOf, encryptedTo } from './border.ts'
import { importWallet, keyIn, resultOf, targetFor, walletIn } from './border-world.ts'
import { stoppingBefore, type Stop } from './stepped-rows.ts'

/*
 * The same body in two processes of one store. Each stops before one of its uses of rows: the first stops, the second stops, the first goes on to
 * its end, then the second. The second stops before its last use, when it has ended its target and has committed nothing; each other place was
 * tried, too, and takes minutes.
 */
const it = suite('the same body in two processes')

type Answer = E.Either<Failure, ActivityView>
type Ready = {
  readonly path: string
  readonly body: Uint8Array
  readonly person: Person
  /** That of the second process, if it is not the same. */
  readonly other?: Uint8Array
}

/** Another process on a world's store, which stops before a use of rows. */
const processStopping = async (w: World, step: number): Promise<{ readonly engine: Engine; readonly stop: Stop }> => {
  const stop = stoppingBefore(sealedOf(w.storage), step)
  const keyring = stoppableKeyring({ ...w.storage, sealed: stop.rows })
  return { engine: await secondProcess({ ...w, storage: shared(w.storage) }, { ports: { keyring } }), stop }
}

/** Both answers, and how many uses of rows the first process had. */
const raced = async (w: World, { path, body, person, other = body }: Ready, steps: readonly [number, number]) => {
  const [first, second] = [await processStopping(w, steps[0]), await processStopping(w, steps[1])]
  const ask = ({ engine, stop }: Awaited<ReturnType<typeof processStopping>>, bytes: Uint8Array): Promise<Answer> => {
    stop.arm()
    return engine.submit(path, stamped(person, bytes))()
  }
  const answers = [ask(first, body)]
  const inTime = <A>(promise: Promise<A>): Promise<A> => inSteps(w.clock, promise, 1) // the keyring's time is not the clock's
  await inTime(Promise.race([first.stop.stopped, answers[0]]))
  answers.push(ask(second, other))
  await inTime(Promise.race([second.stop.stopped, answers[1]]))
  first.stop.go()
  await inTime(Promise.resolve(answers[0]))
  second.stop.go()
  const ended = await inTime(Promise.all(answers))
  await first.engine.close()
  await second.engine.close()
  return { ended, steps: [first.stop.steps(), second.stop.steps()] as const }
}

type Case = {
  readonly ready: (w: World) => Promise<Ready>
  readonly check: (w: World, answer: ActivityView) => Promise<void>
}

const rowsLeft = async (w: World): Promise<number> =>
  (await sealedIn(w.storage)).filter((row) => !('isGone' in row)).length

const words = anyMnemonic()
const client = borderClient()

const walletIsThere = async (w: World): Promise<void> => {
  const [wallet, ...others] = await listed(w, 'list_wallets', 'wallets')
  assert.equal([others.length, await rowsLeft(w)], [0, 1])
  const asked = { walletId: wallet?.['walletId'] ?? '', targetPublicKey: client.publicKey }
  const { exportBundle } = await resultOf<{ exportBundle: string }>(w, w.root, 'export_wallet', asked)
  assert.is(await client.text(exportBundle), words)
}

const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1'

const cases: Readonly<Record<string, Case>> = {
  import_wallet: {
    ready: async (w) => {
      const params = await walletIn(w.root, await targetFor(w, w.root), words, { accounts: [account()] })
      return { path: 'import_wallet', body: w.body('import_wallet', params), person: w.root }
    },
    check: walletIsThere,
  },
  import_private_key: {
    ready: async (w) => {
      const key = new Uint8Array(32).fill(7)
      const params = await keyIn(w.root, await targetFor(w, w.root, 'key'), key)
      return { path: 'import_private_key', body: w.body('import_private_key', params), person: w.root }
    },
    check: async (w) => {
      assert.is((await listed(w, 'list_private_keys', 'privateKeys')).length, 1)
      assert.is(await rowsLeft(w), 1)
    },
  },
  import_secrets: {
    ready: async (w) => {
      const begun = { encryptionSuite, numSecrets: 2 }
      type Begun = { enclaveTargetMessages: string[] }
      const { enclaveTargetMessages } = await resultOf<Begun>(w, w.root, 'init_import_secrets', begun)
      const secrets = await Promise.all(
        enclaveTargetMessages.map(async (bundle, index) => ({
          secretPayload: await encryptedTo(bundle, `secret ${index}`),
          targetPublicKey: dataOf(bundle).targetPublic ?? '',
          encryptionSuite,
        })),
      )
      return { path: 'import_secrets', body: w.body('import_secrets', { secrets }), person: w.root }
    },
    check: async (w) => {
      assert.is((await listed(w, 'list_secrets', 'secrets')).length, 2)
      assert.is(await rowsLeft(w), 2)
    },
  },
  init_import_wallet: {
    ready: async (w) => {
      await targetFor(w, w.root) // there is one to be replaced
      const body = w.body('init_import_wallet', { userId: w.root.userId })
      return { path: 'init_import_wallet', body, person: w.root }
    },
    check: async (w, { result }) => {
      assert.is(await rowsLeft(w), 1)
      const { importBundle } = Object.values(result)[0] as { readonly importBundle: string } // as the operation defines it
      await w.done(w.root, 'import_wallet', await walletIn(w.root, importBundle, words))
      await walletIsThere(w)
    },
  },
  export_wallet: {
    ready: async (w) => {
      const { walletId } = await importWallet(w, w.root, words)
      const body = w.body('export_wallet', { walletId, targetPublicKey: client.publicKey })
      return { path: 'export_wallet', body, person: w.root }
    },
    check: async (w, { result }) => {
      const { exportBundle } = Object.values(result)[0] as { readonly exportBundle: string } // as the operation defines it
      assert.is(await client.text(exportBundle), words)
      assert.is(await rowsLeft(w), 1)
    },
  },
  approve_activity: {
    ready: async (w) => {
      const bob = await w.enrol('bob')
      const params = await walletIn(w.root, await targetFor(w, w.root), words, { accounts: [account()] })
      await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, bob.userId] })
      const { fingerprint, status } = await w.done(w.root, 'import_wallet', params)
      assert.is(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
      return { path: 'approve_activity', body: w.body('approve_activity', { fingerprint }), person: bob }
    },
    check: async (w, { status }) => {
      assert.is(status, 'ACTIVITY_STATUS_COMPLETED')
      assert.is((await listed(w, 'list_wallets', 'wallets')).length, 1)
      assert.is(await rowsLeft(w), 1)
    },
  },
}

/** So many uses of rows that no process has more. */
const MANY = 99

const inWorld = async (play: (w: World) => Promise<void>): Promise<void> => {
  const w = await world()
  await play(w)
  await w.close()
}

/** A world as a process has it that begins now. */
const elsewhere = async (w: World, act: (there: World) => Promise<void>): Promise<void> => {
  const ports = { keyring: testKeyring(w.storage) }
  const engine = await secondProcess({ ...w, storage: shared(w.storage) }, { ports })
  await act({ ...w, ...placeIn({ engine, clock: w.clock }, w.organizationId, w.root) })
  await engine.close()
}

const asOne = async ({ ready, check }: Case, steps: readonly [number, number]) => {
  let used: readonly [number, number] = [0, 0]
  await inWorld(async (w) => {
    const raceOf = await ready(w)
    const { ended, steps: taken } = await raced(w, raceOf, steps)
    used = taken
    const [one, other] = ended
    assert.equal(ended.map(codeOf), ['no failure', 'no failure'], `stopped before ${steps.join(' and ')}`)
    if (one === undefined || other === undefined) throw new Error('both have answered')
    const [shown, again] = [right(one), right(other)]
    assert.equal([again.id, again.status, again.result], [shown.id, shown.status, shown.result])
    await elsewhere(w, (there) => check(there, shown))
  })
  return used
}

it('is answered as one, where the first stood still while the second had ended its target', async () => {
  const importing = cases['import_wallet'] as Case // above
  const [uses] = await asOne(importing, [MANY, MANY])
  await asOne(importing, [1, uses - 1])
})

for (const [name, one] of Object.entries(cases))
  long(it)(`is answered as one, wherever the first stands still: ${name}`, async () => {
    const [uses] = await asOne(one, [MANY, MANY])
    assert.ok(uses > 0)
    for (let first = 0; first < uses; first += 1) await asOne(one, [first, uses - 1])
  })

/** Two wallets for one target. */
const twoForOne = async (w: World): Promise<Ready> => {
  const target = await targetFor(w, w.root)
  const [body, other] = [
    w.body('import_wallet', await walletIn(w.root, target, words, { walletName: 'one' })),
    w.body('import_wallet', await walletIn(w.root, target, anyMnemonic(), { walletName: 'other' })),
  ]
  return { path: 'import_wallet', body, other, person: w.root }
}

const onlyOne = (steps: readonly [number, number]): Promise<void> =>
  inWorld(async (w) => {
    const { ended } = await raced(w, await twoForOne(w), steps)
    assert.equal(
      ended.map(codeOf).toSorted(),
      ['REQUEST_INVALID', 'no failure'],
      `stopped before ${steps.join(' and ')}`,
    )
    await elsewhere(w, async (there) => {
      const wallets = await listed(there, 'list_wallets', 'wallets')
      assert.is(wallets.length, 1)
      const asked = { walletId: wallets[0]?.['walletId'] ?? '', targetPublicKey: client.publicKey }
      await resultOf(there, w.root, 'export_wallet', asked) // its row is there
    })
  })

it('is another matter for two bodies with bundles for one target: one of them becomes a wallet', () => onlyOne([3, 3]))

long(it)('is one wallet for two bodies, wherever both stand still', async () => {
  for (let first = 0; first < 7; first += 2)
    for (let second = 1; second < 7; second += 1) await onlyOne([first, second])
})

it.run()
