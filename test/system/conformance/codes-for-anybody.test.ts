import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { testKeyring } from '../../core/world/keyring.ts'
import { quiet } from '../../core/world/under-way.ts'
import { onStageWithPost, type Post } from './post.ts'
import { credentialsOf } from './stage.ts'

const it = suite('codes for contacts with and without an account')

/** The port, with the name of each call written down. */
const noting = <Port extends object>(calls: string[], name: string, port: Port): Port =>
  new Proxy(port, {
    get: (target, member, self) => {
      const value: unknown = Reflect.get(target, member, self)
      if (typeof value !== 'function') return value
      return (...given: readonly unknown[]): unknown => {
        calls.push(`${name}.${String(member)}`)
        return Reflect.apply(value, target, given)
      }
    },
  })

const notingStorage = (calls: string[], { store, readModels, leases, sealed }: Storage): Storage => ({
  store: noting(calls, 'store', store),
  readModels: noting(calls, 'readModels', readModels),
  leases: leases && noting(calls, 'leases', leases),
  sealed: sealed && noting(calls, 'sealed', sealed),
})

/** Plays with the names of all calls of the store and the keyring. */
const onNotedStage = (play: (stage: Post, calls: string[]) => Promise<void>): Promise<void> => {
  const calls: string[] = []
  const store = notingStorage(calls, memoryStore())
  const keyring = noting(calls, 'keyring', testKeyring(store))
  return onStageWithPost((stage) => play(stage, calls), { store, ports: { keyring } })
}

/** Each text by its length, each object by its members. Signatures in DER are of any length. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]))
  if (typeof value !== 'string') return value
  if (value.startsWith('{')) return shapeOf(JSON.parse(value))
  return DER.test(value) ? 'DER' : value.length
}
const DER = /^30[0-9a-f]{2}02(?:[0-9a-f]{2}){66,}$/

const [KNOWN, UNKNOWN] = ['anne@example.com', 'bill@example.com']

for (const [type, more] of [
  ['ACTIVITY_TYPE_INIT_OTP', {}],
  ['ACTIVITY_TYPE_INIT_OTP_V2', { appName: 'Engine' }],
  ['ACTIVITY_TYPE_INIT_OTP_V3', { appName: 'Engine' }],
] as const)
  it(`are sent alike: ${type}`, () =>
    onNotedStage(async (stage, calls) => {
      const { userId } = await stage.enrol('anne')
      await stage.sdk(stage.root).updateUserEmail({ userId, userEmail: KNOWN })
      const asked = async (contact: string) => {
        await quiet()
        calls.length = 0
        const { length } = stage.arrived
        const body = stage.bytes(type, { otpType: 'OTP_TYPE_EMAIL', contact, ...more })
        const stamp = await new ApiKeyStamper(credentialsOf(stage.root)).stamp(body)
        const headers = { [stamp.stampHeaderName]: stamp.stampHeaderValue }
        const answer = await fetch(`${stage.url}/public/v1/submit/init_otp`, { method: 'POST', body, headers })
        const said = shapeOf(await answer.json())
        await quiet()
        const names = [...answer.headers.keys()]
        return { status: answer.status, names, said, calls: calls.toSorted(), mails: stage.arrived.length - length }
      }
      const [known, unknown] = [await asked(KNOWN), await asked(UNKNOWN)]
      assert.equal([known.status, known.mails, known.calls.includes('sealed.put')], [200, 1, true])
      assert.equal(unknown, known)
    }))

it.run()
