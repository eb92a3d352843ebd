import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey, stamp } from '../../../adapters/signatures/signer.ts'
import { encodeBase64Url, encodeUtf8 } from '../../../core/bytes.ts'
import type { FindingCode } from '../../../core/log/finding.ts'
import { anyPasskey, paramsOf, type AssertionOptions, type SoftwarePasskey } from '../world/software-passkey.ts'
import { right } from '../world/world.ts'
import { changeOf } from './attack-table.ts'
import { draftsOf, find, forged, must, votes, type Draft } from './forgery.ts'
import { audited, codesIn, exported, trio, type Trio } from './logs.ts'

/*
 * What passkeys add to what can be done to a log. The log stays as it is but for this: hashes are made anew after each of these.
 */
const it = suite('attacks on what a passkey has stamped')

let made: Trio
let honest = ''
it.before(async () => {
  made = await trio({ passkeys: anyPasskey })
  const { ada, grace, root, approve, reject, done, storage } = made
  const origins = { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: 'https://example.org' }
  right(await approve(grace, await done(root, 'set_organization_feature', origins)))
  const tag = (userTagName: string) => done(ada, 'create_user_tag', { userTagName, userIds: [] })
  right(await approve(grace, await tag('approved')))
  right(await reject(grace, await tag('rejected')))
  const second = { userId: grace.userId, authenticators: [paramsOf(anyPasskey(), 'second', { statement: 'self' })] }
  const { result } = right(await approve(ada, await done(grace, 'create_authenticators', second)))
  const { authenticatorIds } = result.createAuthenticatorsResult as { readonly authenticatorIds: readonly string[] }
  const gone = { userId: grace.userId, authenticatorIds: [...authenticatorIds] }
  right(await approve(ada, await done(grace, 'delete_authenticators', gone)))
  honest = await exported(storage.store)
})
it.after(() => made.close())

type Members = { authenticatorData: string; clientDataJson: string; credentialId: string; signature: string }

/** The first vote that rejects: its user is Grace. */
const target = (drafts: readonly Draft[]) => must(votes(drafts, 'VOTE_SELECTION_REJECTED').request)
const membersOf = ({ request }: Pick<Draft, 'request'>): Members => JSON.parse(must(request).head.stamp) as Members // our own
const change = (drafts: readonly Draft[], by: (members: Members) => Partial<Members>): void => {
  const request = target(drafts)
  const members = membersOf({ request })
  request.head.stamp = JSON.stringify({ ...members, ...by(members) })
}
const flipped = (text: string, at: number): string => {
  const bytes = Buffer.from(text, 'base64url')
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return bytes.toString('base64url')
}
const passkeyOf = (who: 'ada' | 'grace'): SoftwarePasskey => must(made[who].passkey)
/** Grace herself stamps the body again, otherwise. */
const restamped = (options: AssertionOptions) => (drafts: readonly Draft[]) => {
  const request = target(drafts)
  request.head.stamp = passkeyOf('grace').stamp(encodeUtf8(request.body), options)
}
const createdBy = (drafts: readonly Draft[], type: string): Draft =>
  must(drafts.find(({ event }) => event.data.type === type && event.type === 'ActivityCreated'))

type Attack = readonly [name: string, change: (drafts: Draft[]) => void, found: FindingCode]

const attacks: readonly Attack[] = [
  [
    "another user's passkey has stamped the body",
    (drafts) => (target(drafts).head.stamp = passkeyOf('ada').stamp(encodeUtf8(target(drafts).body))),
    'STAMP_INVALID',
  ],
  [
    "another user's passkey has stamped the body, under the id of the right one",
    (drafts) => {
      const own = JSON.parse(passkeyOf('ada').stamp(encodeUtf8(target(drafts).body))) as Members // our own
      change(drafts, ({ credentialId }) => ({ ...own, credentialId }))
    },
    'SIGNATURE_INVALID',
  ],
  [
    'the stamp names the passkey of another user',
    (drafts) => change(drafts, () => ({ credentialId: encodeBase64Url(passkeyOf('ada').credentialId) })),
    'STAMP_INVALID',
  ],
  [
    'the assertion is one over another body',
    (drafts) => (target(drafts).head.stamp = passkeyOf('grace').stamp(encodeUtf8(`${target(drafts).body} `))),
    'SIGNATURE_INVALID',
  ],
  [
    'an assertion of before is used once more',
    (drafts) => {
      const before = votes(drafts, 'VOTE_SELECTION_APPROVED')
      target(drafts).head.stamp = must(before.request).head.stamp
    },
    'SIGNATURE_INVALID',
  ],
  [
    'the client data are those of another assertion',
    (drafts) => {
      const { clientDataJson } = membersOf(votes(drafts, 'VOTE_SELECTION_APPROVED'))
      change(drafts, () => ({ clientDataJson }))
    },
    'SIGNATURE_INVALID',
  ],
  ['the assertion is for another relying party', restamped({ rpId: 'evil.example' }), 'SIGNATURE_INVALID'],
  ['the assertion says that nobody was there', restamped({ flags: 0 }), 'SIGNATURE_INVALID'],
  ['the assertion is that of a registration', restamped({ type: 'webauthn.create' }), 'SIGNATURE_INVALID'],
  ['the authenticator data are cut', restamped({ cut: 4 }), 'SIGNATURE_INVALID'],
  [
    'the assertion was made at an origin that is not allowed',
    restamped({ origin: 'https://evil.example' }),
    'STAMP_INVALID',
  ],
  [
    'the origins that are allowed are others',
    (drafts) => (changeOf(drafts, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE').value = 'https://evil.example'),
    'STAMP_INVALID',
  ],
  ['the stamp is said to be that of a key', (drafts) => (target(drafts).head.header = 'X-Stamp'), 'STAMP_INVALID'],
  [
    'a key has stamped the body',
    (drafts) => {
      const request = target(drafts)
      const own = stamp(generateKey('API_KEY_CURVE_P256'), encodeUtf8(request.body))
      request.head = { header: 'X-Stamp', stamp: own }
    },
    'STAMP_INVALID',
  ],
  [
    'the passkey that is kept has another key',
    (drafts) => (registeredIn(drafts).publicKey = encodeBase64Url(anyPasskey().publicKey)),
    'EXECUTION_DIFFERS',
  ],
  [
    'the passkey that is kept is for another relying party',
    (drafts) => (registeredIn(drafts).rpIdHash = '0'.repeat(64)),
    'EXECUTION_DIFFERS',
  ],
  [
    'the passkey that is kept has another id',
    (drafts) => (registeredIn(drafts).webauthnId = 'AAAA'),
    'EXECUTION_DIFFERS',
  ],
  [
    'the passkey that is kept has another format',
    (drafts) => (registeredIn(drafts).format = 'tpm'),
    'EXECUTION_DIFFERS',
  ],
  [
    'the attestation is exchanged for that of another passkey',
    (drafts) => {
      const request = must(createdBy(drafts, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2').request)
      const body = JSON.parse(request.body) as { parameters: { authenticators: object[] } } // our own log
      body.parameters.authenticators = [paramsOf(anyPasskey(), 'second', { statement: 'self' })]
      request.body = JSON.stringify(body)
    },
    'SIGNATURE_INVALID',
  ],
  [
    'a byte of the attestation is changed, and the stamp is made anew',
    (drafts) => {
      const request = must(createdBy(drafts, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2').request)
      const body = JSON.parse(request.body) as {
        parameters: { authenticators: { attestation: { attestationObject: string } }[] }
      } // our own log
      const { attestation } = must(body.parameters.authenticators[0])
      attestation.attestationObject = flipped(attestation.attestationObject, 60)
      request.body = JSON.stringify(body)
      request.head.stamp = passkeyOf('grace').stamp(encodeUtf8(request.body))
    },
    'REQUEST_DIFFERS',
  ],
  [
    'the passkey is registered for another user',
    (drafts) => (changeOf(drafts, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2').userId = made.ada.userId),
    'EXECUTION_DIFFERS',
  ],
  [
    'a passkey stays that was deleted',
    (drafts) => (changeOf(drafts, 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS').authenticatorIds = []),
    'EXECUTION_DIFFERS',
  ],
]

/** The passkey that the one `create_authenticators` of the log has registered. */
const registeredIn = (drafts: readonly Draft[]): { [member: string]: unknown } => {
  const { authenticators } = changeOf(drafts, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2') as {
    readonly authenticators: readonly { [member: string]: unknown }[]
  }
  return must(authenticators[0])
}

for (const [name, attack, code] of attacks)
  it(`are found: ${name}`, async () => {
    const drafts = draftsOf(honest)
    attack(drafts)
    const codes = codesIn(await audited(forged(drafts)))
    assert.ok(codes.includes(code), `expected ${code} among ${codes.join(', ') || 'no findings'}`)
  })

it('are found: any byte of the stamp has a bit flipped', async () => {
  for (const member of ['authenticatorData', 'clientDataJson', 'credentialId', 'signature'] as const) {
    const { length } = Buffer.from(membersOf({ request: target(draftsOf(honest)) })[member], 'base64url')
    for (let at = 0; at < length; at += Math.ceil(length / 12)) {
      const drafts = draftsOf(honest)
      change(drafts, (members) => ({ [member]: flipped(members[member], at) }))
      const codes = codesIn(await audited(forged(drafts)))
      const isFound = codes.includes('STAMP_INVALID') || codes.includes('SIGNATURE_INVALID')
      assert.ok(isFound, `${member}, byte ${at}: ${codes.join(', ') || 'no findings'}`)
    }
  }
})

it('are not seen in the honest log', async () => {
  const { counts, findings } = await audited(honest)
  assert.equal(findings, [])
  assert.is(counts.stamps, draftsOf(honest).filter(({ request }) => request?.head.header === 'X-Stamp-WebAuthn').length)
  assert.is(find(draftsOf(honest), 'ActivityCreated').event.sequence, '1')
})

it.run()
