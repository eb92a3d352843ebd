import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CountersignError, createEngine } from '../../../adapters/index.ts'
import { newKey } from '../../../adapters/keyring/keystore-keys.ts'
import { withKeyring } from '../../../adapters/keyring/with-keyring.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { failsWith, right } from '../../../adapters/testing/expect.ts'
import type { Services } from '../../../core/definition/port.ts'
import type { Keyring } from '../../../core/ports/keyring.ts'
import {
  failureOf,
  keyringOn,
  keystoreWith,
  place,
  sealedInMemory,
  withKeyring as using,
} from './keyring-under-test.ts'
import { sealedOf } from '../../sealed-of.ts'

const it = suite('an engine with a keyring')

const keystore = keystoreWith(newKey())
/** In place of an engine: the ports that one gets, and whether it is closed. */
const start = async (ports: Services) => {
  const engine = { ports, isClosed: false }
  return Object.assign(engine, { close: async () => void (engine.isClosed = true) })
}
const keyringOf = ({ ports }: { readonly ports: Services }) => ports['keyring'] as Keyring | undefined

it('has it beside the ports of the host, and closes it', async () => {
  const own = {}
  const engine = await withKeyring({ storage: { sealed: sealedInMemory() }, keystore, ports: { own } }, start)
  assert.is(engine.ports['own'], own)
  const keyring = keyringOf(engine)
  if (keyring === undefined) throw new Error('expected a keyring')
  const keys = keyring.publicKeys(place, [{ curve: 'CURVE_P256', path: 'm' }])
  await right(keyring.makeSeed(place, 12))
  await right(keys)
  await engine.close()
  await failsWith('UNAVAILABLE', keys)
})

it("has none without a keystore or sealed rows, and none of ours beside the host's", async () => {
  const storage = { sealed: sealedInMemory() }
  assert.equal((await withKeyring({ storage, keystore: undefined, ports: undefined }, start)).ports, {})
  assert.equal((await withKeyring({ storage: {}, keystore, ports: undefined }, start)).ports, {})
  const own = {}
  assert.is(keyringOf(await withKeyring({ storage, keystore, ports: { keyring: own } }, start)), own)
})

const refusalOf = (starting: Promise<unknown>): Promise<CountersignError> =>
  starting.then(
    () => {
      throw new Error('it was not refused')
    },
    (error: unknown) => {
      if (error instanceof CountersignError) return error
      throw error
    },
  )

it('does not start with the keystore of another store, and closes the store', async () => {
  const storage = memoryStore()
  const { store } = storage
  await using(keyringOn(sealedOf(storage), keystore), (keyring) => right(keyring.makeSeed(place, 12)))
  const refused = await refusalOf(createEngine({ store: storage, keystore: keystoreWith(newKey()) }))
  assert.is(refused.code, 'CONFIGURATION_INVALID')
  assert.match(
    refused.message,
    /^the keystore does not open the keys of this store: the keystore has not the key \w{16}$/,
  )
  assert.is((await failureOf(store.lastPosition())).code, 'UNAVAILABLE')
})

it('does not start with what is no keystore', async () => {
  const wrong = { store: memoryStore(), keystore: {} }
  const refused = await refusalOf(createEngine(wrong as Parameters<typeof createEngine>[0])) // as a host without our types calls it
  assert.equal([refused.code, refused.message.split(':')[0]], ['CONFIGURATION_INVALID', 'keystore'])
})

it.run()
