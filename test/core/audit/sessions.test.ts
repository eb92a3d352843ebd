import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateP256KeyPair } from '@turnkey/crypto'
import { generateKey, stamp } from '../../../adapters/signatures/signer.ts'
import { activityIdOf, fingerprintOf } from '../../../core/activity/identity.ts'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { eraseUser } from '../../../core/resources/erasure/erase-user.ts'
import { claimsIn, signedToken } from '../../../core/resources/deployment-key/token.ts'
import { sessionToken, type SessionClaims } from '../../../core/resources/session/session-token.ts'
import { childOf, family } from '../resources/sub-organization/children.ts'
import { signIn } from '../resources/session/scene.ts'
import { knownKeyring } from '../world/keyring.ts'
import { right } from '../world/world.ts'
import { draftsOf, forged, must, rebased, type Draft } from './forgery.ts'
import { audited as auditedWith, codesIn, digest, exported } from './logs.ts'

/* A log of sessions, in an organization and one below it, and forgeries of it whose hashes all fit. */
const it = suite('audits of sessions')

const w = await family()
const child = await childOf(w, 'eve')
const other = await childOf(w, 'olga')
const ada = await w.enrol('ada')
const scope = "activity.kind != 'UPDATE_USER_NAME'"
const { result } = await w.done(w.root, 'create_session_profile', { sessionProfileName: 'narrow', scope })
const { sessionProfileId } = Object.values(result)[0] as { readonly sessionProfileId: string } // as the wire says
await signIn(w, ada)
const narrow = await signIn(child, child.root, { sessionProfileId })
await child.done(narrow, 'create_user_tag', { userTagName: 'tag', userIds: [] })
await w.done(child.root, 'stamp_login', { publicKey: generateKey('API_KEY_CURVE_P256').publicKey })
const targetPublicKey = generateP256KeyPair().publicKey
await w.done(w.root, 'create_read_write_session', { targetPublicKey, userId: ada.userId })
await w.done(ada, 'create_read_only_session', {})
const text = await exported(w.storage.store)

it.after(() => w.close())

const audited = (log: string) => auditedWith(log, {}, [eraseUser])
const codes = async (drafts: readonly Draft[]) => codesIn(await audited(forged(rebased(drafts))))

it('find nothing in an honest log, and have executed all of it again', async () => {
  const { counts, findings } = await audited(text)
  assert.equal(findings, [])
  assert.is(counts.executions, counts.activities)
  assert.equal([counts.believed, counts.executionsErased, counts.executionsInPart], [0, 0, 0])
})

it('find nothing when a user was erased, whose bundle and token are gone', async () => {
  await w.done(w.root, 'delete_users', { userIds: [ada.userId] })
  await w.done(w.root, 'erase_user', { userId: ada.userId })
  const left = await exported(w.storage.store)
  assert.equal((await audited(left)).findings, [])
  const tokens = [...text.matchAll(/"bytes":"([^"]+)"/g)].map(([, bytes = '']) =>
    Buffer.from(bytes, 'base64').toString(),
  )
  assert.ok(tokens.some((one) => one.includes(ada.userId)))
})

const completionOf = (drafts: readonly Draft[], kind: string, organization = w.organizationId): Draft =>
  must(
    drafts.find(
      ({ event: { type, data, organization: own } }) =>
        type === 'ActivityCompleted' && own === organization && data['type'] === `ACTIVITY_TYPE_${kind}`,
    ),
  )

/** Changes what stands in the personal part of a completion. */
const inPart = (draft: Draft, change: (text: string) => string): void => {
  for (const part of draft.others ?? []) part.bytes = encodeUtf8(change(decodeUtf8(part.bytes) ?? ''))
}

/** Puts other claims into the tokens of a completion, signed by a key of the forger. */
const reclaimed = async (draft: Draft, change: (claims: SessionClaims) => SessionClaims): Promise<void> => {
  const tokens = new Set<string>()
  inPart(draft, (part) => {
    for (const [token] of part.matchAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g)) tokens.add(token)
    return part
  })
  for (const token of tokens) {
    const signed = await signedToken(sessionToken, knownKeyring(), change(must(claimsIn(sessionToken, token))))
    inPart(draft, (part) => part.replaceAll(token, signed))
  }
}

const forgeries: { readonly [name: string]: (claims: SessionClaims) => SessionClaims } = {
  'another user': (claims) => ({ ...claims, user_id: w.root.userId }),
  'another organization': (claims) => ({ ...claims, organization_id: child.organizationId }),
  'another key': (claims) => ({ ...claims, public_key: w.root.key.publicKey }),
  'another type': (claims) => ({ ...claims, session_type: 'SESSION_TYPE_READ_ONLY' }),
  'a profile': (claims) => ({ ...claims, session_profile_id: sessionProfileId, scope: '' }),
}
for (const [name, forge] of Object.entries(forgeries))
  it(`find a token of ${name}`, async () => {
    const drafts = draftsOf(text)
    await reclaimed(completionOf(drafts, 'STAMP_LOGIN'), forge)
    assert.equal(await codes(drafts), ['PERFORMED_DIFFERS'])
  })

it('find a token that ends after its key', async () => {
  const drafts = draftsOf(text)
  await reclaimed(completionOf(drafts, 'STAMP_LOGIN'), (claims) => ({ ...claims, exp: claims.exp + 10 }))
  assert.ok((await codes(drafts)).length > 0)
})

it('find a bundle that is none, and a session that is too long', async () => {
  const drafts = draftsOf(text)
  inPart(completionOf(drafts, 'CREATE_READ_WRITE_SESSION_V2'), (part) => part.replace(/"[1-9A-Za-z]{100,}"/g, '"x"'))
  assert.equal(await codes(drafts), ['PERFORMED_DIFFERS'])
  const others = draftsOf(text)
  const { event } = completionOf(others, 'CREATE_READ_ONLY_SESSION')
  const later = JSON.stringify(event.data).replace(
    /("sessionExpiry":)(\d+)/g,
    (_, name: string, at: string) => `${name}${Number(at) + 60}`,
  )
  event.data = JSON.parse(later) as typeof event.data // as it was
  assert.ok((await codes(others)).length > 0)
})

/** The events of the log-in that named the parent, in the child. */
const routedIn = (drafts: readonly Draft[]): readonly Draft[] => {
  const created = must(
    drafts.find(
      ({ event, request }) =>
        event.organization === child.organizationId && request?.body.includes(`"organizationId":"${w.organizationId}"`),
    ),
  )
  return drafts.filter(({ event }) => event.activity === created.event.activity)
}

it('find a log-in that named the parent and was moved to another child', async () => {
  const drafts = draftsOf(text)
  const moved = routedIn(drafts)
  for (const { event, request } of moved) {
    const fingerprint = fingerprintOf(digest, encodeUtf8(must(moved[0]?.request).body))
    event.organization = other.organizationId
    event.activity = activityIdOf(digest, other.organizationId, fingerprint)
    assert.ok(request === undefined || request.body.includes(w.organizationId))
  }
  const found = await codes([...drafts.filter((one) => !moved.includes(one)), ...moved])
  assert.ok(found.includes('STAMP_INVALID'), found.join(', '))
})

it('find another activity whose body names the parent', async () => {
  const drafts = draftsOf(text)
  const created = must(
    drafts.find(
      ({ event: { organization, type, data } }) =>
        organization === child.organizationId &&
        type === 'ActivityCreated' &&
        data['type'] === 'ACTIVITY_TYPE_CREATE_USER_TAG',
    ),
  )
  const request = must(created.request)
  request.body = request.body.replace(child.organizationId, w.organizationId)
  request.head.stamp = stamp(narrow.key, encodeUtf8(request.body))
  assert.ok((await codes(drafts)).includes('REQUEST_DIFFERS'))
})

it('find an activity outside the scope of the session that stamped it', async () => {
  const drafts = draftsOf(text)
  const login = completionOf(drafts, 'STAMP_LOGIN', child.organizationId)
  const changed = JSON.stringify(login.event.data).replaceAll(
    JSON.stringify(scope).slice(1, -1),
    "activity.kind == 'NOTHING'",
  )
  login.event.data = JSON.parse(changed) as typeof login.event.data // as it was
  const found = await codes(drafts)
  assert.ok(found.includes('VOTE_INVALID'), found.join(', '))
  right(await w.ask(w.root, 'whoami'))
})

it.run()
