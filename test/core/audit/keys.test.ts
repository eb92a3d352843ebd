import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../core/failure.ts'
import { long } from '../../long.ts'
import { draftsOf, forged, must, renamed, type Draft } from './forgery.ts'
import { anotherKey, keysLog } from './keys-log.ts'
import { audited, closed, codesIn, linesOf } from './logs.ts'

/* An audit has no keystore: it computes every address again from its public key, and verifies every signature with it. */
const it = suite('audits of keys')

const { text, organizationId, withWallet, withKeys } = await keysLog()

const codes = async (log: string): Promise<readonly string[]> => codesIn(await audited(log))

it('find nothing in an honest log, and have computed all of it again', async () => {
  const { counts, findings } = await audited(text)
  assert.equal(findings, [])
  assert.is(counts.executions, counts.activities)
  assert.is(counts.decisions, counts.activities)
  assert.is(counts.believed, 0)
  assert.is(forged(renamed(draftsOf(text))), text)
})

/** A text in an event, and what it is: such as `change of CREATE_WALLET: accounts.publicKey`. */
type Place = { readonly event: number; readonly path: readonly string[]; readonly kind: string; readonly value: string }

const SECTIONS = ['performed', 'change', 'result']
const MEMBERS = ['publicKey', 'publicKeys', 'shownPublicKey', 'address', 'addresses', 'r', 's', 'v']
const isIndex = (step: string): boolean => /^\d+$/.test(step)

/** Whether the text is a signature, a public key or an address. What the keyring gives for accounts and for a child are public keys. */
const isOfKey = (path: readonly string[]): boolean => {
  const names = path.filter((step) => !isIndex(step))
  return MEMBERS.includes(names.at(-1) ?? '') || names.join('.') === 'performed.accounts'
}

const leavesOf = (value: Json, path: readonly string[]): readonly (readonly [readonly string[], string])[] => {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
}

const places: readonly Place[] = draftsOf(text).flatMap(({ event: { data } }, event) =>
  SECTIONS.flatMap((section) =>
    leavesOf(data[section] ?? null, [section])
      .filter(([path]) => isOfKey(path))
      .map(([path, value]) => {
        const name = path.filter((step) => !isIndex(step)).slice(1)
        const type = (data['type'] as string).replace('ACTIVITY_TYPE_', '') // our own log
        return { event, path, value, kind: `${section} of ${type}: ${name.join('.')}` }
      }),
  ),
)

const put = (drafts: readonly Draft[], { event, path }: Place, value: string): void => {
  let inside: Json = must(drafts[event]).event.data
  for (const step of path.slice(0, -1)) inside = (inside as { [member: string]: Json })[step] ?? null // as the place was found
  ;(inside as { [member: string]: Json })[path.at(-1) ?? ''] = value
}

/** The text with its last character changed; the same kind of text of another key, where the log has one. */
const others = ({ kind, value }: Place): readonly string[] => {
  const changed = `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`
  const twin = places.find((one) => one.kind === kind && one.value !== value && one.value.length === value.length)
  return twin === undefined ? [changed] : [changed, twin.value]
}

/** The places in which the change is not found by an audit. */
const notFound = async (changed: readonly Place[], by: (place: Place) => readonly string[]): Promise<string[]> => {
  const missed: string[] = []
  for (const place of changed)
    for (const value of by(place)) {
      const drafts = draftsOf(text)
      put(drafts, place, value)
      if ((await codes(forged(renamed(drafts)))).length === 0) missed.push(`${place.kind}: ${place.value} as ${value}`)
    }
  return missed
}

const kinds = [...new Map(places.map((place) => [place.kind, place])).values()]
/** One of each member in each section. */
const sample = [...new Map(kinds.map((place) => [`${place.path[0]} ${place.path.at(-1)}`, place])).values()]

it('look at signatures, public keys and addresses, in what work gave, in changes and in results', () => {
  const all = kinds.map(({ kind }) => kind)
  for (const kind of [
    'performed of CREATE_WALLET: accounts',
    'performed of CREATE_WALLET: publicKey',
    'performed of CREATE_WALLET_ACCOUNTS: publicKeys',
    'performed of CREATE_PRIVATE_KEYS_V2: publicKeys',
    'performed of IMPORT_WALLET: publicKey',
    'performed of IMPORT_WALLET: accounts',
    'performed of IMPORT_PRIVATE_KEY: publicKey',
    'performed of INIT_IMPORT_SECRETS: publicKeys',
    'performed of SIGN_RAW_PAYLOAD_V2: signatures.r',
    'performed of SIGN_RAW_PAYLOADS: signatures.s',
    'performed of CREATE_SUB_ORGANIZATION_V8: wallet.addresses',
    'performed of CREATE_SUB_ORGANIZATION_V8: wallet.publicKey',
    'performed of CREATE_SUB_ORGANIZATION_V8: privateKeys.addresses.address',
    'change of CREATE_WALLET: publicKey',
    'change of CREATE_WALLET: accounts.publicKey',
    'change of CREATE_WALLET: accounts.address',
    'change of CREATE_PRIVATE_KEYS_V2: privateKeys.publicKey',
    'change of CREATE_PRIVATE_KEYS_V2: privateKeys.shownPublicKey',
    'change of CREATE_PRIVATE_KEYS_V2: privateKeys.addresses.address',
    'change of IMPORT_WALLET: wallet.accounts.address',
    'change of IMPORT_PRIVATE_KEY: privateKey.publicKey',
    'change of INIT_IMPORT_WALLET: targets.publicKey',
    'change of CREATE_ORGANIZATION: wallet.publicKey',
    'change of CREATE_ORGANIZATION: wallet.accounts.address',
    'change of CREATE_ORGANIZATION: privateKeys.shownPublicKey',
    'result of CREATE_WALLET: addresses',
    'result of IMPORT_WALLET: addresses',
    'result of SIGN_RAW_PAYLOAD_V2: v',
    'result of CREATE_SUB_ORGANIZATION_V8: wallet.addresses',
  ])
    assert.ok(all.includes(kind), `${kind} among\n${all.join('\n')}`)
  assert.ok(places.length > 100)
})

it('find a line that was changed and whose hash was not', async () => {
  const { event, value } = must(places.find(({ kind }) => kind === 'result of SIGN_RAW_PAYLOAD_V2: r'))
  const { id } = must(draftsOf(text)[event]).event
  const lines = linesOf(text).map((line) =>
    line.includes(`"id":"${id}"`) ? line.replaceAll(value, '0'.repeat(64)) : line,
  )
  assert.ok((await codes(closed(lines))).includes('CHAIN_BROKEN'))
})

it('find one text that was changed, where the forger has made all hashes right again', async () => {
  assert.equal(await notFound(sample, (place) => others(place).slice(-1)), [])
})

long(it)('find it in each place, as another text and as that of another key', async () => {
  assert.equal(await notFound(places, others), [])
})

/** The log in which a text stands for another one in all events of an organization, hashes and beginnings made right again. */
const replaced = (organization: string, texts: ReadonlyMap<string, string>): string => {
  const drafts = draftsOf(text)
  for (const { event } of drafts) {
    if (event.organization !== organization) continue
    let data = JSON.stringify(event.data)
    for (const [from, to] of texts) data = data.replaceAll(from, to)
    event.data = JSON.parse(data) as typeof event.data // as it was written
  }
  return forged(renamed(drafts))
}

const changeOf = (organization: string, type: string) =>
  must(
    draftsOf(text).find(
      ({ event }) => event.organization === organization && event.data['type'] === type && event.data['change'],
    ),
  ).event.data['change'] as {
    // our own log
    readonly wallet?: { readonly accounts: readonly Account[] }
    readonly privateKeys?: readonly PrivateKey[]
  }
type Account = { readonly publicKey: string; readonly address: string }
type PrivateKey = {
  readonly publicKey: string
  readonly shownPublicKey: string
  readonly addresses: readonly { readonly address: string }[]
}

const ETHEREUM = 'ADDRESS_FORMAT_ETHEREUM'

it('find another key with the right addresses, where it has signed', async () => {
  const other = anotherKey('CURVE_SECP256K1', ETHEREUM)
  const { privateKeys = [] } = changeOf(organizationId, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2')
  const { publicKey, addresses } = must(privateKeys[0])
  const formats = ['ADDRESS_FORMAT_UNCOMPRESSED', 'ADDRESS_FORMAT_COMPRESSED', ETHEREUM] as const
  const texts = formats.map((format, index) => {
    const { address } = anotherKey('CURVE_SECP256K1', format)
    return [must(addresses[index]).address, address] as const
  })
  const log = replaced(organizationId, new Map([...texts, [publicKey, other.publicKey]]))
  assert.equal(await codes(log), ['PERFORMED_DIFFERS']) // of the two signatures alone: the key itself fits
})

it("find another address in the parent's completion than the log below has", async () => {
  const { address } = anotherKey('CURVE_SECP256K1', ETHEREUM)
  for (const [child, changed] of [
    [withWallet, must(must(changeOf(withWallet, 'ACTIVITY_TYPE_CREATE_ORGANIZATION').wallet).accounts[0]).address],
    [
      withKeys,
      must(must(must(changeOf(withKeys, 'ACTIVITY_TYPE_CREATE_ORGANIZATION').privateKeys)[0]).addresses[0]).address,
    ],
  ] as const)
    assert.equal(await codes(replaced(organizationId, new Map([[changed, address]]))), ['PERFORMED_DIFFERS'], child)
})

it('find another public key with the right address below, where the parent names that beginning', async () => {
  const other = anotherKey('CURVE_SECP256K1', ETHEREUM)
  const account = must(must(changeOf(withWallet, 'ACTIVITY_TYPE_CREATE_ORGANIZATION').wallet).accounts[0])
  const swapped = new Map([[account.publicKey, other.publicKey]]).set(account.address, other.address)
  assert.ok((await codes(replaced(withWallet, swapped))).includes('PERFORMED_DIFFERS'))
  const key = must(must(changeOf(withKeys, 'ACTIVITY_TYPE_CREATE_ORGANIZATION').privateKeys)[0])
  const uncompressed = anotherKey('CURVE_SECP256K1', 'ADDRESS_FORMAT_UNCOMPRESSED').address
  const texts = new Map([[key.publicKey, other.publicKey]])
    .set(must(key.addresses[0]).address, other.address)
    .set(key.shownPublicKey, uncompressed)
  assert.equal(await codes(replaced(withKeys, texts)), ['PERFORMED_DIFFERS'])
})

it('find a beginning below whose keys are none, and judge what follows', async () => {
  const account = must(must(changeOf(withWallet, 'ACTIVITY_TYPE_CREATE_ORGANIZATION').wallet).accounts[0])
  const found = await codes(replaced(withWallet, new Map([[account.publicKey, `05${account.publicKey.slice(2)}`]])))
  assert.ok(found.includes('EXECUTION_DIFFERS'), found.join())
  assert.not.ok(found.includes('AUDIT_IMPOSSIBLE'), found.join())
})

it.run()
