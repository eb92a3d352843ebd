import type { TimeZones } from '../../../core/ports/time-zones.ts'
import { withBeginning } from '../../../core/resources/public-api.ts'
import { withHost } from '../world/with-host.ts'
import { intlTimeZones } from '../../../adapters/time-zones/intl-time-zones.ts'
import { simpleWebAuthn } from '../../../adapters/attestations/attestations.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { audit } from '../../../core/audit/audit.ts'
import type { AuditOptions, AuditReport } from '../../../core/audit/report.ts'
import { decodeUtf8, encodeHex, encodeUtf8 } from '../../../core/bytes.ts'
import { exportLines, pagesOf } from '../../../core/log/transcript.ts'
import { encodeClosing } from '../../../core/log/transcript-line.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import { catalogue } from '../../../core/definition/catalogue.ts'
import type { Operation } from '../../../core/definition/operation.ts'
import { rulesVersions } from '../../../core/policy/rules.ts'
import type { ReadModels } from '../../../core/ports/read-models.ts'
import type { EventStore } from '../../../core/ports/event-store.ts'
import { begin, right, world, type Person, type Signer, type World, type WorldOptions } from '../world/world.ts'

export const digest = nodeDigest()
const signatures = nodeSignatures()
const ids = nodeIds()

/** A store as text. */
export const exported = async (store: EventStore, pageEvents = 7): Promise<string> => {
  let text = ''
  for await (const chunk of exportLines(digest, pagesOf(store, { pageEvents }))) text += decodeUtf8(right(chunk))
  return text
}

/** Audits a text with the built-in operations and these. */
export const audited = (
  text: string | Uint8Array,
  options: AuditOptions = {},
  operations: readonly Operation[] = [],
  timeZones: TimeZones = intlTimeZones(),
  rules = rulesVersions,
  snapshots?: Pick<ReadModels, 'snapshot'>,
  verificationKeys?: readonly string[],
): Promise<AuditReport> =>
  audit(
    {
      signatures,
      ids,
      attestations: simpleWebAuthn({ digest }),
      rules,
      verificationKeys,
      ...(snapshots && { snapshots }),
      catalogue: right(catalogue(withBeginning(withHost([...operations])), timeZones)),
    },
    readTranscript(digest, [typeof text === 'string' ? encodeUtf8(text) : text]),
    options,
  )

/** What an audit found: each code once, in the order of the alphabet. */
export const codesIn = ({ findings }: AuditReport): readonly string[] =>
  [...new Set(findings.map(({ code }) => code))].toSorted()

/** The lines of an export, without its closing line. */
export const linesOf = (text: string): string[] => text.split('\n').slice(0, -2)

/** Puts a closing line under lines: what anyone can do who changes an export. */
export const closed = (lines: readonly string[]): string => {
  const parts = lines.filter((line) => line.startsWith('{"part":')).length
  const text = lines.map((line) => `${line}\n`).join('')
  const closing = {
    events: lines.length - parts,
    parts,
    lines: lines.length,
    sha256: encodeHex(digest.sha256(encodeUtf8(text))),
  }
  return `${text}${decodeUtf8(encodeClosing(closing))}\n`
}

/** A world in which two of three have to agree. */
export type Trio = World & { readonly ada: Person; readonly grace: Person }

export const trio = async (
  options: WorldOptions = {},
  first: (made: World) => Promise<void> = async () => {},
): Promise<Trio> => {
  const made = await world(options)
  await first(made)
  const ada = await made.enrol('ada')
  const grace = await made.enrol('grace')
  await made.done(made.root, 'update_root_quorum', {
    threshold: 2,
    userIds: [made.root.userId, ada.userId, grace.userId],
  })
  return { ...made, ada, grace }
}

/** A trio, a neighbour on each side of its events, and one part erased; with the text of its export. Close what was made. */
export const mixedLog = async (): Promise<{ readonly made: Trio; readonly text: string }> => {
  const made = await trio()
  await neighbour(made)
  await eventful(made)
  await neighbour(made)
  right(await made.storage.store.eraseParts(made.organizationId, [{ sequence: 3n, name: 'request' }])())
  return { made, text: await exported(made.storage.store) }
}

const HOUR_MS = 60 * 60 * 1000

/** Lets nearly everything happen that can happen to an activity. */
export const eventful = async (made: Trio): Promise<void> => {
  const { ada, approve, body, clock, done, grace, reject, root, send, submit } = made
  const tag = (userTagName: string) => ['create_user_tag', { userTagName, userIds: [ada.userId] }] as const
  right(await approve(grace, await done(ada, ...tag('approved'))))
  right(await reject(grace, await done(ada, ...tag('rejected'))))
  right(await reject(ada, await done(ada, ...tag('taken back'))))
  await done(ada, ...tag('left open'))
  const [first, second] = [await done(ada, ...tag('twice')), await done(root, ...tag('twice'))]
  right(await approve(root, first))
  right(await approve(grace, second)) // fails: the name is taken by now
  const lapsing = await done(ada, ...tag('lapsed'))
  clock.pass(25 * HOUR_MS)
  right(await approve(grace, lapsing))
  right(await approve(root, lapsing))
  const shared = body(...tag('same body'))
  right(await send(ada, 'create_user_tag', shared))
  right(await send(root, 'create_user_tag', shared))
  const policy = {
    policyName: 'tags',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'USER'",
    consensus: 'true',
    notes: '',
  }
  right(await approve(grace, await done(root, 'create_policy', policy)))
  await done(ada, ...tag('by policy'))
  clock.pass(-4 * 60_000) // clocks do that
  const outsider = await newcomer(root, made)
  await submit(root, 'delete_policy', { policyId: ada.userId }) // refused: nothing of it is stored
  await submit(outsider, 'create_policy', { ...policy, policyName: 'denied' })
}

/** A log in which that has happened. */
export const eventfulLog = async (
  options: WorldOptions = {},
): Promise<{ readonly made: Trio; readonly honest: string }> => {
  const made = await trio(options)
  await eventful(made)
  return { made, honest: await exported(made.storage.store) }
}

/** A user with a key on another curve, whom a policy lets the root create alone. */
const newcomer = async (root: Person, { done }: World): Promise<Signer> => {
  const key = generateKey('API_KEY_CURVE_ED25519')
  const apiKeys = [{ apiKeyName: 'key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_ED25519' }]
  const user = { userName: 'newcomer', apiKeys, authenticators: [], oauthProviders: [], userTags: [] }
  await done(root, 'create_users', { users: [user] })
  return { key }
}

/** Begins another organization in the same store. */
export const neighbour = async (w: World): Promise<string> => (await begin(w)).organizationId
