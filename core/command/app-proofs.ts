import { textWantsProofs } from '../activity/envelope.ts'
import type { Failure } from '../failure.ts'
import { encodeUtf8 } from '../bytes.ts'
import { decodeEvent, type Event } from '../log/event.ts'
import { hashOf } from '../log/chain.ts'
import type { Digest } from '../ports/digest.ts'
import type { EventStore, Recorded } from '../ports/event-store.ts'
import type { Keyring } from '../ports/keyring.ts'
import { E } from '../prelude.ts'
import { publicHalf, signedBy } from '../resources/deployment-key/deployment-keys.ts'
import type { ActivityView } from '../view/activity-view.ts'
import type { AppProof, ProvedAddress } from '../view/app-proof.ts'
import type { LiveActivity } from '../deciding/live-activity.ts'
import type { Catalogue } from '../definition/catalogue.ts'
import type { LiveActivities } from '../writing/live-activities.ts'
import type { Organizations } from '../writing/organizations.ts'
import type { CommandPorts } from './bus.ts'
import type { Decision } from '../log/decision.ts'
import { noParts } from '../log/parts.ts'

type Ports = {
  readonly catalogue: Catalogue
  readonly digest: Digest
  readonly store: Pick<EventStore, 'readActivity' | 'readLog'>
  readonly organizations: Pick<Organizations, 'fresh'>
  readonly activities: Pick<LiveActivities, 'find'>
}

/**
 * Shows activities with app proofs, if they are completed and the body of a vote, such as that of the requester, asks for them. Proofs follow from
 * the activity and the deployment's key: they are made when they are shown, and stand in no log.
 *
 * @param keyring  without one, nobody can ask for proofs
 */
export const proving = ({
  keyring,
  ...ports
}: Ports & { readonly keyring: Keyring | undefined }): Pick<CommandPorts, 'provesActivities' | 'proved'> => ({
  provesActivities: keyring !== undefined,
  proved: async (view) => {
    const isAsked =
      view.status === 'ACTIVITY_STATUS_COMPLETED' && view.votes.some(({ message }) => textWantsProofs(message))
    if (!isAsked || keyring === undefined) return E.right(view)
    const cell = await ports.organizations.fresh(view.organizationId)
    const live = E.isLeft(cell) ? cell : await ports.activities.find(cell.right, view.id)
    if (E.isLeft(live)) return live
    if (live.right === undefined) return E.right(view)
    const payloads = await payloadsOf(ports, view, live.right)
    if (E.isLeft(payloads)) return payloads
    const appProofs = await signedProofs(keyring, payloads.right)
    return E.map((proofs: readonly AppProof[]) => ({ ...view, appProofs: proofs }))(appProofs)
  },
})

const signedProofs = async (
  keyring: Keyring,
  payloads: readonly string[],
): Promise<E.Either<Failure, readonly AppProof[]>> => {
  const publicKey = await publicHalf(keyring, 'app-proof')()
  if (E.isLeft(publicKey)) return publicKey
  const proofs: AppProof[] = []
  for (const proofPayload of payloads) {
    const signed = await signedBy(keyring, 'app-proof', encodeUtf8(proofPayload))()
    if (E.isLeft(signed)) return signed
    const { r, s } = signed.right
    proofs.push({
      scheme: 'SIGNATURE_SCHEME_EPHEMERAL_KEY_P256',
      publicKey: publicKey.right,
      proofPayload,
      signature: `${r}${s}`,
    })
  }
  return E.right(proofs)
}

/** The texts that are signed: one for each address, and one for the decision. */
const payloadsOf = async (
  ports: Ports,
  view: ActivityView,
  live: LiveActivity,
): Promise<E.Either<Failure, readonly string[]>> => {
  const { store, digest } = ports
  const lines = await store.readActivity(view.organizationId, view.id, { parts: false })()
  if (E.isLeft(lines)) return lines
  const decided = decidedBy(lines.right)
  if (decided === undefined) return E.right([]) // it is durable, so it is there
  const parent = await parentDigest(ports, decided)
  if (E.isLeft(parent)) return parent
  const timestampMs = String(view.updatedAtMs)
  const { organizationId } = view
  const addresses = addressesOf(ports.catalogue, live).map(
    ({ walletId, derivationPath, address, organizationId: of }) => ({
      type: 'APP_PROOF_TYPE_ADDRESS_DERIVATION',
      timestampMs,
      addressDerivationProof: { organizationId: of ?? organizationId, walletId, derivationPath, address },
    }),
  )
  const outcome = {
    type: 'APP_PROOF_TYPE_POLICY_OUTCOME',
    timestampMs,
    policyOutcomeProof: {
      organizationId,
      outcome: 'OUTCOME_ALLOW',
      decisionContextDigest: hashOf(digest, decided.line),
      organizationDataDigest: decided.event.previous,
      parentOrganizationDataDigest: parent.right,
      userRequestApprovals: view.votes
        .filter(({ selection }) => selection === 'VOTE_SELECTION_APPROVED')
        .map(({ scheme, publicKey, message, signature }) => ({ scheme, publicKey, message, signature })),
    },
  }
  return E.right([...addresses, outcome].map((payload) => JSON.stringify(payload)))
}

const addressesOf = (catalogue: Catalogue, { activity, decoded }: LiveActivity): readonly ProvedAddress[] => {
  const { type, result, parts = noParts } = activity
  const operation = catalogue.byType(type)?.operation
  return operation === undefined || decoded === undefined || result === undefined
    ? []
    : operation.addresses(decoded.intent, operation.personal.result(result, parts))
}

type Decided = { readonly event: Event; readonly decision: Decision; readonly line: Uint8Array }

/** The last line with a decision: the one that allowed the activity. */
const decidedBy = (lines: readonly Recorded[]): Decided | undefined => {
  for (const { line } of lines.toReversed()) {
    const event = decodeEvent(line)
    if (E.isRight(event) && 'decision' in event.right.data)
      return { event: event.right, decision: event.right.data.decision, line }
  }
  return undefined
}

/** The hash of the parent's last line that the decision has read; empty where it has read none. */
const parentDigest = async (
  { store, digest }: Ports,
  { event, decision }: Decided,
): Promise<E.Either<Failure, string>> => {
  const parent = decision.basis.read.find(({ organization }) => organization !== event.organization)
  if (parent === undefined) return E.right('')
  const lines = await store.readLog(parent.organization, BigInt(parent.sequence) - 1n, 1, { parts: false })()
  return E.map((found: readonly Recorded[]) => (found[0] === undefined ? '' : hashOf(digest, found[0].line)))(lines)
}
