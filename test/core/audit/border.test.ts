import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { p256 } from '@noble/curves/nist.js'
import { decodeUtf8, encodeHex, encodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { decodePersonal, encodePersonal } from '../../../core/log/personal-part.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import { pagesOf } from '../../../core/log/transcript.ts'
import { scrubTranscript } from '../../../core/log/scrub-transcript.ts'
import { eraseUser, erasure } from '../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { right } from '../world/world.ts'
import { bytesOf } from '../resources/bundle/border.ts'
import { anotherKey } from './keys-log.ts'
import { borderLog } from './border-log.ts'
import { draftsOf, forged, must, rebased, type Draft, type Other } from './forgery.ts'
import { audited as auditedWith, closed, codesIn, digest, exported, linesOf } from './logs.ts'

/* An audit has no keystore: it opens no bundle, and computes addresses again from the public keys that an import has brought. */
const it = suite('audits of imports and exports')

const made = await borderLog({ resources: [...publicApi, ...erasure] })
const { w, ada, text } = made
const audited = (log: string) => auditedWith(log, {}, [eraseUser])
const codes = async (drafts: readonly Draft[]) => codesIn(await audited(forged(rebased(drafts))))

it.after(() => w.close())

it('find nothing in an honest log, and have executed all of it again', async () => {
  const { counts, findings } = await audited(text)
  assert.equal(findings, [])
  assert.is(counts.executions, counts.activities)
  assert.equal([counts.believed, counts.executionsErased, counts.executionsInPart], [0, 0, 0])
  assert.is(forged(draftsOf(text)), text)
})

const completionsOf = (drafts: readonly Draft[], kind: string): readonly Draft[] =>
  drafts.filter(({ event: { type, data } }) => type === 'ActivityCompleted' && (data['type'] as string).includes(kind)) // our own log

/** Changes what stands in the parts of a completion, which has the bundles. */
const inPart = (draft: Draft, change: (text: string) => string): void => {
  for (const part of draft.others ?? []) part.bytes = encodeUtf8(change(decodeUtf8(part.bytes) ?? ''))
}

const KINDS = [
  'INIT_IMPORT_WALLET',
  'INIT_IMPORT_PRIVATE_KEY',
  'INIT_IMPORT_SECRETS',
  'EXPORT_WALLET',
  'EXPORT_WALLET_ACCOUNT',
  'EXPORT_PRIVATE_KEY',
  'EXPORT_SECRETS',
]

it('find a bundle whose part was changed, and its line was not', async () => {
  for (const kind of KINDS) {
    const { event, others } = must(completionsOf(draftsOf(text), kind)[0])
    const { bytes }: Other = must(others?.[0])
    const [before, after] = [bytes, bytes.map((byte, at) => (at === bytes.length - 9 ? byte ^ 1 : byte))]
    const [from, to] = [before, after].map((one) => `"bytes":"${Buffer.from(one).toString('base64')}"`)
    const lines = linesOf(text).map((line) =>
      line.startsWith('{"part":') && line.includes(event.id) ? line.replace(from ?? '', () => to ?? '') : line,
    )
    assert.equal(codesIn(await audited(closed(lines))), ['PART_DIFFERS'], kind)
  }
})

/** Signs the data of a bundle by another key, and perhaps says so. */
const signedAnew = (bundle: string, data: string, namesKey: boolean): string => {
  const { secretKey, publicKey } = p256.keygen()
  const dataSignature = encodeHex(p256.sign(bytesOf(data), secretKey, { format: 'der' }))
  const own = namesKey ? { enclaveQuorumPublic: p256.Point.fromBytes(publicKey).toHex(false) } : {}
  return JSON.stringify({ ...(JSON.parse(bundle) as object), data, dataSignature, ...own })
}

/** Changes each bundle of a completion, in the line's part: what the work brought, and the result with the same one. */
const rebundled = (draft: Draft, change: (bundle: string, data: string) => string): void =>
  inPart(draft, (part) => {
    const known = new Map<string, string>()
    const changed = (value: Json): Json => {
      if (Array.isArray(value)) return value.map(changed)
      if (typeof value !== 'string') return value
      const { data } = JSON.parse(value) as { readonly data: string } // of our own engine
      const now = known.get(value) ?? change(value, data)
      known.set(value, now)
      return now
    }
    const { result = [], performed = [] } = decodePersonal(encodeUtf8(part)) ?? {}
    return decodeUtf8(encodePersonal({ result: result.map(changed), performed: performed.map(changed) })) ?? ''
  })

const dataWith = (data: string, change: (json: string) => string): string =>
  encodeHex(encodeUtf8(change(decodeUtf8(bytesOf(data)) ?? '')))

const forgeries: { readonly [name: string]: (bundle: string, data: string) => string } = {
  'another signature': (bundle, data) => signedAnew(bundle, data, false),
  'another version': (bundle) => bundle.replace('v1.0.0', 'v1.0.1'),
  'another organization': (bundle, data) =>
    signedAnew(
      bundle,
      dataWith(data, (json) => json.replace(w.organizationId, ada.userId)),
      true,
    ),
}

for (const [name, forge] of Object.entries(forgeries))
  it(`find a bundle of ${name}, where the forger has made all hashes right again`, async () => {
    for (const kind of KINDS) {
      const drafts = draftsOf(text)
      rebundled(must(completionsOf(drafts, kind)[0]), forge)
      assert.equal(await codes(drafts), ['PERFORMED_DIFFERS'], kind)
    }
  })

it('find a target of another user or key, whoever has signed its bundle', async () => {
  const other = anotherKey('CURVE_P256', 'ADDRESS_FORMAT_UNCOMPRESSED').address
  for (const kind of KINDS.slice(0, 2))
    for (const forge of [
      (json: string) => json.replace(ada.userId, w.root.userId),
      (json: string) => json.replace(/04[0-9a-f]{128}/, other),
    ]) {
      const drafts = draftsOf(text)
      rebundled(must(completionsOf(drafts, kind)[0]), (bundle, data) => signedAnew(bundle, dataWith(data, forge), true))
      assert.equal(await codes(drafts), ['PERFORMED_DIFFERS'], kind)
    }
})

it('cannot know by whom a bundle was encrypted: a whole one of a forger with a key of their own stands', async () => {
  const drafts = draftsOf(text)
  rebundled(must(completionsOf(drafts, 'EXPORT_WALLET')[0]), (bundle, data) => signedAnew(bundle, data, true))
  assert.equal(await codes(drafts), [])
})

/** The drafts with a text for another one in one event. */
const replacedIn = (kind: string, change: (data: string) => string): readonly Draft[] => {
  const drafts = draftsOf(text)
  const { event } = must(completionsOf(drafts, kind)[0])
  event.data = JSON.parse(change(JSON.stringify(event.data))) as typeof event.data // as it was written
  return drafts
}

it('find an import of another key; one that was swapped wherever it stands only by what was done with it', async () => {
  const { event } = must(completionsOf(draftsOf(text), 'ACTIVITY_TYPE_IMPORT_WALLET')[0])
  const { performed, result } = event.data as {
    readonly performed: { readonly publicKey: string; readonly accounts: readonly string[] }
    readonly result: { readonly addresses: readonly string[] }
  }
  const other = anotherKey('CURVE_SECP256K1', 'ADDRESS_FORMAT_ETHEREUM')
  const [key = '', address = ''] = [performed.accounts[0], result.addresses[0]]
  const kind = 'ACTIVITY_TYPE_IMPORT_WALLET'
  const changes = [
    (data: string) => data.replace(key, other.publicKey),
    (data: string) => data.replaceAll(key, other.publicKey),
    (data: string) => data.replaceAll(address, other.address),
    (data: string) => data.replace(performed.publicKey, other.publicKey),
    (data: string) => data.replaceAll(performed.publicKey, `05${performed.publicKey.slice(2)}`),
    (data: string) => data.replace(/"targetId":"[^"]+"/, `"targetId":"${ada.userId}"`),
  ]
  for (const [index, change] of changes.entries())
    assert.is.not((await codes(replacedIn(kind, change))).length, 0, `change ${index}`)
  const account = (data: string) => data.replaceAll(key, other.publicKey).replaceAll(address, other.address)
  // Its export was asked for by the address, which no account has any more.
  assert.is.not((await codes(replacedIn(kind, account))).length, 0)
  const root = (data: string) => data.replaceAll(performed.publicKey, other.publicKey)
  assert.equal(await codes(replacedIn(kind, root)), []) // the key at `m` never signs: whoever writes the whole log writes that, too
})

it('find an import for another user, and one whose target was never made', async () => {
  const otherUser = (data: string) => data.replaceAll(ada.userId, w.root.userId)
  assert.ok((await codes(replacedIn('ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', otherUser))).includes('EXECUTION_DIFFERS'))
  const drafts = draftsOf(text)
  const begun = must(completionsOf(drafts, 'ACTIVITY_TYPE_INIT_IMPORT_WALLET')[0]).event.activity
  const without = drafts.filter(({ event }) => event.activity !== begun)
  assert.ok((await codes(without)).includes('EXECUTION_DIFFERS'))
})

/** How many parts have bundles. */
const bundlesIn = (log: string): number =>
  draftsOf(log)
    .flatMap(({ others = [] }) => others)
    .filter(({ bytes }) => decodeUtf8(bytes)?.includes('dataSignature')).length

const shownResult = async (activityId: string): Promise<Json> => {
  const { activity } = await w.answer(w.root, 'get_activity', { activityId })
  const { result } = activity as { readonly result: { readonly [member: string]: Json } }
  return Object.values(result)[0] ?? null
}

it('count bundles once their requester is erased: then they are null in answers, and gone from a scrubbed export', async () => {
  await w.done(w.root, 'delete_users', { userIds: [ada.userId] })
  await w.done(w.root, 'erase_user', { userId: ada.userId })
  for (const { id } of made.exports) {
    const shown = (await shownResult(id)) as { readonly [member: string]: Json }
    assert.is('secretPayloads' in shown ? shown['secretPayloads'] : shown['exportBundle'], null)
  }
  const erased = await exported(w.storage.store)
  const { findings, counts } = await audited(erased)
  assert.equal(findings, [])
  assert.ok(counts.executionsInPart >= made.exports.length)
  assert.equal([bundlesIn(text), bundlesIn(erased)], [made.imports.length + made.exports.length, 0])

  const chunks: string[] = []
  const scrubbing = scrubTranscript(digest, readTranscript(digest, [encodeUtf8(text)]), pagesOf(w.storage.store))
  for await (const chunk of scrubbing) chunks.push(decodeUtf8(right(chunk)) ?? '')
  const scrubbed = chunks.join('')
  assert.is(bundlesIn(scrubbed), 0)
  assert.equal(codesIn(await audited(scrubbed)), ['PART_ERASED']) // it ends before the erasure
})

it.run()
