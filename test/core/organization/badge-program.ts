import { generateKey, stamp } from '../../../adapters/signatures/signer.ts'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import type { Auditor, Where } from '../../../core/audit/audited-log.ts'
import { checkStamp } from '../../../core/audit/check-request.ts'
import { verifications } from '../../../core/audit/verifications.ts'
import { encodeHex, encodeUtf8 } from '../../../core/bytes.ts'
import { authenticate } from '../../../core/command/authenticate.ts'
import { stampHeadersOf } from '../../../core/command/read-request.ts'
import type { Basis } from '../../../core/log/decision.ts'
import { Credential } from '../../../core/organization/credential.ts'
import { addCredential, isTaken, nameOf, removeCredential } from '../../../core/organization/credentials.ts'
import { stampOf } from '../../../core/organization/stamp.ts'
import { users } from '../../../core/organization/users.ts'
import { approverOf } from '../../../core/policy/approvers.ts'
import { E } from '../../../core/prelude.ts'
import { parseApiKeyStamp } from '../../../core/stamp/api-key-stamp.ts'
import type { Cell } from '../../../core/writing/cell.ts'
import type { Organizations } from '../../../core/writing/organizations.ts'
import { anyOrganization } from '../policy/any.ts'
import type { Badge } from './badge.ts'

/*
 * Uses a badge in a copy of the library whose list of kinds has badges, and prints what each part says of it. It does not import their
 * definition: the library has to find it by the header of a stamp, and by the kind of a credential.
 */

const key = generateKey('API_KEY_CURVE_P256')
const created: Badge = {
  kind: 'badge',
  credentialId: 'ada-badge',
  userId: 'ada',
  label: '',
  number: '7',
  publicKey: key.publicKey,
  createdAtMs: 1_000,
  expirationSeconds: 60,
}
const decoded = Credential.decode(created)
if (E.isLeft(decoded)) throw new Error('badges are no kind of credential here')
const credential = decoded.right

const organization = anyOrganization({ users: { ada: { keys: [] } } })
const ada = users.in(organization).get('ada')
if (ada === undefined) throw new Error('ada is missing')
addCredential(organization, ada, credential)

const signatures = nodeSignatures()
const text = JSON.stringify({ organizationId: '0b0f1f6e-7a57-4c0a-9d5e-5a3d1f1b2c3d' })
const body = encodeUtf8(text)
const signed = parseApiKeyStamp(stamp(key, body))
if (E.isLeft(signed)) throw new Error(signed.left.message)
const signature = encodeHex(signed.right.signature)
const requestOf = (number: string, bytes = body) => ({
  headers: { 'x-stamp-attested': `${number}.${signature}` },
  body: bytes,
  address: null,
})

const { organizationId } = organization
const cell: Pick<Cell, 'organizationId' | 'state' | 'timeAt'> = {
  organizationId,
  state: organization,
  timeAt: (ms) => ms,
}
const asking: Pick<Organizations, 'load' | 'confirm'> = {
  load: () => Promise.resolve(E.right(cell as Cell)), // authenticating reads no more of it
  confirm: () => Promise.resolve(E.right(true)),
}
const organizations = asking as Organizations // authenticating asks them nothing else
const asked = async (nowMs: number, request: ReturnType<typeof requestOf>): Promise<unknown> => {
  const clock = { now: () => nowMs, after: () => () => undefined }
  const found = await authenticate({ organizations, signatures, clock, telemetry: undefined }, 'query')(request)
  if (E.isLeft(found)) return `${found.left.code} ${found.left.message}`
  const caller = found.right.callerIn({ organization, home: organization }, nowMs)
  return E.isRight(caller) ? caller.right.credentialId : caller.left.code
}

/** What an audit finds in the request, and how many stamps it counts as verified. */
const audited = async (scheme: string): Promise<unknown> => {
  const findings: string[] = []
  const running = verifications(1)
  const basis = { credential: 'ada-badge', scheme, at: '1970-01-01T00:00:02.000Z' } as Basis // all that is read of it
  const { headers } = requestOf('7')
  const request = { header: 'X-Stamp-Attested', stamp: headers['x-stamp-attested'], body } as const
  const logged = { event: { organization: organizationId } } as Where['logged'] // as above
  const where: Pick<Where, 'complain' | 'logged'> = { complain: (code) => void findings.push(code), logged }
  const counts = { stamps: 0 } as Auditor['counts'] // the check of a stamp counts nothing else
  const catalogue: Pick<Auditor['catalogue'], 'byType'> = { byType: () => undefined }
  const auditor = { signatures, verifications: running, counts, catalogue } as Auditor // as above
  checkStamp(auditor, where as Where, request, { userId: 'ada', basis }, organization)
  await running.done()
  return [findings, counts.stamps]
}

const texts = stampHeadersOf(requestOf('7'))
const found = E.isLeft(texts) ? texts : stampOf('query')(texts.right)
const written = users.encode(users.of(organization))
const taken = (kind: string) =>
  isTaken(organization, { ...nameOf(credential), kind: kind as Credential['kind'] }, 'ada')

const answers = {
  name: E.isRight(found) && nameOf(found.right.stamp),
  caller: await asked(2_000, requestOf('7')),
  otherBody: await asked(2_000, requestOf('7', encodeUtf8(`${text} `))),
  otherNumber: await asked(2_000, requestOf('8')),
  expired: await asked(61_000, requestOf('7')),
  audited: await audited('SIGNATURE_SCHEME_BADGE'),
  otherScheme: await audited('SIGNATURE_SCHEME_TK_WEBAUTHN'),
  facts: approverOf(ada).credentials.map(({ type, credential_id }) => [type, credential_id]),
  taken: [taken('badge'), taken('api-key')],
  snapshot: JSON.stringify(users.encode(users.decode(1, written)?.value)) === JSON.stringify(written),
}
removeCredential(organization, ada, 'ada-badge')
console.log(JSON.stringify({ ...answers, removed: await asked(2_000, requestOf('7')) }))
