import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../../adapters/ids/node-ids.ts'
import type { Json } from '../../../../core/failure.ts'
import { encodeUtf8 } from '../../../../core/bytes.ts'
import { softwarePasskey, type SoftwarePasskey } from '../../world/software-passkey.ts'
import { codeOf, right, stamped, world, type World } from '../../world/world.ts'
import { nodeSignatures } from '../../../../adapters/signatures/node-signatures.ts'
import { authenticatorResource } from '../../../../core/resources/authenticator/authenticator-resource.ts'
import { E } from '../../../../core/prelude.ts'
import { publicApi } from '../../../../core/resources/public-api.ts'
import { audit } from '../../../../core/audit/audit.ts'
import { readTranscript } from '../../../../core/log/transcript-reader.ts'
import { audited, digest, exported } from '../../audit/logs.ts'
import { anyPasskey, askBy, byPasskey, done, paramsOf, submitBy } from './passkey-world.ts'

const it = suite('users who begin with passkeys')

const tag = { userTagName: 'ops', userIds: [] }
const anyUser = (...passkeys: readonly SoftwarePasskey[]) => ({
  userName: 'ada',
  apiKeys: [],
  authenticators: passkeys.map((passkey, n) => paramsOf(passkey, `passkey ${n}`)),
  oauthProviders: [],
  userTags: [],
})
/** Older versions know no identity providers. */
const withoutProviders = ({ userName, apiKeys, authenticators, userTags }: ReturnType<typeof anyUser>) => ({
  userName,
  apiKeys,
  authenticators,
  userTags,
})
const create = (w: World, users: readonly Json[], type?: string) =>
  w.submit(w.root, 'create_users', { users }, type === undefined ? {} : { type })
const refusalOf = async (...asked: Parameters<typeof create>): Promise<string> => {
  const answered = await create(...asked)
  return answered._tag === 'Left' ? answered.left.message : `it is ${answered.right.status}`
}
const isClean = async (w: World): Promise<void> =>
  assert.equal((await audited(await exported(w.storage.store))).findings, [])

/** The older form of a passkey, as a browser gives it. */
const firstForm = (passkey: SoftwarePasskey) => {
  const { authenticatorName, challenge, attestation } = paramsOf(passkey)
  const { credentialId, clientDataJson, attestationObject, transports } = attestation
  return {
    authenticatorName,
    challenge,
    userId: nodeIds().uuid(),
    attestation: {
      id: credentialId,
      rawId: credentialId,
      type: 'public-key',
      response: { clientDataJson, attestationObject, transports },
      clientExtensionResults: {},
    },
  }
}

for (const [version, userOf] of [
  ['_V4', anyUser],
  ['_V3', anyUser],
  ['_V2', (passkey: SoftwarePasskey) => withoutProviders(anyUser(passkey))],
  [
    '',
    (passkey: SoftwarePasskey) => ({
      ...withoutProviders(anyUser()),
      accessType: 'ACCESS_TYPE_WEB',
      authenticators: [firstForm(passkey)],
    }),
  ],
] as const)
  it(`stamp, vote and are audited: ACTIVITY_TYPE_CREATE_USERS${version}`, async () => {
    const w = await world()
    const passkey = anyPasskey()
    const made = right(await create(w, [userOf(passkey)], `ACTIVITY_TYPE_CREATE_USERS${version}`))
    const { createUsersResult } = made.result as { readonly createUsersResult: { readonly userIds: readonly string[] } }
    const [userId = ''] = createUsersResult.userIds
    assert.is(right(await askBy(w, passkey, 'whoami')).userId, userId)
    await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, userId] })
    const open = right(await w.submit(w.root, 'create_user_tag', tag))
    const approved = await done(w, passkey, 'approve_activity', { fingerprint: open.fingerprint })
    assert.is(approved.status, 'ACTIVITY_STATUS_COMPLETED')
    const { user } = await w.answer(w.root, 'get_user', { userId })
    assert.is((user as { readonly authenticators: readonly unknown[] }).authenticators.length, 1)
    await isClean(w)
    await w.close()
  })

it('are refused where a passkey is wrong, known or one too many, by its place', async () => {
  const w = await world()
  const passkey = anyPasskey()
  const place = (user: number, n: number) => `users.${user}.authenticators.${n}`
  const wrong = { ...paramsOf(anyPasskey()), challenge: 'another' }
  const withWrong = { ...anyUser(anyPasskey()), authenticators: [paramsOf(anyPasskey()), wrong] }
  assert.match(await refusalOf(w, [anyUser(anyPasskey()), withWrong]), `invalid parameters at ${place(1, 1)}: `)
  for (const junk of [{}, 'anything', null, 7])
    assert.match(await refusalOf(w, [{ ...anyUser(), authenticators: [junk] }]), `invalid parameters at ${place(0, 0)}`)
  assert.match(await refusalOf(w, [anyUser(passkey), anyUser(passkey)]), `${place(1, 0)}.attestation.credentialId`)
  right(await create(w, [anyUser(passkey)]))
  assert.match(await refusalOf(w, [anyUser(passkey)]), `${place(0, 0)}.attestation.credentialId`)
  const eleven = Array.from({ length: 11 }, () => anyPasskey())
  assert.is(await refusalOf(w, [anyUser(...eleven)]), 'user has exceeded maximum authenticators')
  const many = Array.from({ length: 3 }, () => anyUser(...eleven.slice(0, 7)))
  assert.match(await refusalOf(w, many), 'at most 20 authenticators in one request')
  assert.match(await refusalOf(w, [anyUser()]), 'user missing valid credential')
  await isClean(w)
  await w.close()
})

it('are refused where a passkey is for a public suffix, wherever passkeys are registered, and no audit judges that again', async () => {
  const w = await world()
  const wide = softwarePasskey({ algorithm: 'ES256', rpId: 'github.io' })
  const params = paramsOf(wide, 'wide', { origin: 'https://ada.github.io' })
  const users = [anyUser(anyPasskey()), { ...anyUser(), authenticators: [params] }]
  const reason = 'the id of the relying party is a public suffix'
  assert.match(await refusalOf(w, users), `invalid parameters at users.1.authenticators.0: ${reason}`)
  const added = await w.submit(w.root, 'create_authenticators', { userId: w.root.userId, authenticators: [params] })
  assert.match(added._tag === 'Left' ? added.left.message : '', `invalid parameters at authenticators.0: ${reason}`)
  const body = beginning(nodeIds().uuid(), w.clock.now(), wide)
  const begun = await w.engine.createOrganization(byPasskey(wide, body))()
  assert.match(begun._tag === 'Left' ? begun.left.message : '', `at rootUsers.0.authenticators.0: ${reason}`)

  // A log of before: an engine with an older list admitted such a passkey.
  const older = await world({ resources: withoutAdmission })
  const { userId } = older.root
  await older.done(older.root, 'create_authenticators', { userId, authenticators: [params] })
  await isClean(older)
  await older.close()
  await w.close()
})

/** The public API of an engine that registers every passkey. */
const withoutAdmission = publicApi.map((one) =>
  one.name === authenticatorResource.name
    ? { ...one, operations: one.operations.map((operation) => ({ ...operation, admit: () => E.right(undefined) })) }
    : one,
)

it('are believed, or a finding that says what is missing, where an audit has nothing that checks attestations', async () => {
  const w = await world()
  right(await create(w, [anyUser(anyPasskey())]))
  const text = await exported(w.storage.store)
  const ports = { signatures: nodeSignatures(), ids: nodeIds(), catalogue: w.engine.catalogue }
  const believing = await audit(ports, readTranscript(digest, [encodeUtf8(text)]))
  assert.equal([believing.findings, believing.counts.believed], [[], 2])
  const { findings } = await audit(ports, readTranscript(digest, [encodeUtf8(text)]), { believedMax: 0 })
  assert.equal([...new Set(findings.map(({ code }) => code))], ['AUDIT_IMPOSSIBLE'])
  assert.match(findings[0]?.message ?? '', 'give `attestations`')
  await w.close()
})

/** The beginning of an organization whose root user has these passkeys. */
const beginning = (organizationId: string, atMs: number, ...passkeys: readonly SoftwarePasskey[]): Uint8Array =>
  encodeUtf8(
    JSON.stringify({
      type: 'ACTIVITY_TYPE_CREATE_ORGANIZATION',
      timestampMs: String(atMs),
      organizationId,
      parameters: {
        organizationName: 'Passkeys only',
        rootUsers: [{ ...anyUser(...passkeys), userName: 'root' }],
        rootQuorumThreshold: 1,
      },
    }),
  )

for (const algorithm of ['ES256', 'RS256'] as const)
  it(`begin an organization with the stamp of a passkey that it registers: ${algorithm}`, async () => {
    const w = await world()
    const organizationId = nodeIds().uuid()
    const passkey = anyPasskey(algorithm)
    const body = beginning(organizationId, w.clock.now(), passkey)
    const { activity } = right(await w.engine.createOrganization(byPasskey(passkey, body))())
    assert.is(activity.status, 'ACTIVITY_STATUS_COMPLETED')
    const again = right(await w.engine.createOrganization(byPasskey(passkey, body))())
    assert.is(again.activity.id, activity.id)
    const own = {
      ...w,
      organizationId,
      body: (path: string, parameters: Json) =>
        encodeUtf8(
          JSON.stringify({
            type: `ACTIVITY_TYPE_${path.toUpperCase()}`,
            timestampMs: String(w.clock.now()),
            organizationId,
            parameters,
          }),
        ),
    }
    const made = right(await submitBy(own, passkey, 'create_user_tag', tag))
    assert.is(made.status, 'ACTIVITY_STATUS_COMPLETED')
    await isClean(w)
    await w.close()
  })

it('begin no organization with the stamp of a passkey that it does not register, or of another body', async () => {
  const w = await world()
  const [passkey, other] = [anyPasskey(), anyPasskey()]
  const body = beginning(nodeIds().uuid(), w.clock.now(), passkey)
  assert.is(codeOf(await w.engine.createOrganization(byPasskey(other, body))()), 'PUBLIC_KEY_NOT_FOUND')
  const moved = { ...byPasskey(passkey, beginning(nodeIds().uuid(), w.clock.now(), passkey)), body }
  assert.is(codeOf(await w.engine.createOrganization(moved)()), 'SIGNATURE_INVALID')
  assert.is(codeOf(await w.engine.createOrganization(stamped(w.root, body))()), 'PUBLIC_KEY_NOT_FOUND')
  const wrong = JSON.parse(new TextDecoder().decode(body)) as {
    parameters: { rootUsers: { authenticators: object[] }[] }
  }
  for (const user of wrong.parameters.rootUsers) user.authenticators = [{ ...paramsOf(passkey), challenge: 'another' }]
  const bytes = encodeUtf8(JSON.stringify(wrong))
  assert.is(codeOf(await w.engine.createOrganization(byPasskey(passkey, bytes))()), 'REQUEST_INVALID')
  await w.close()
})

it.run()
