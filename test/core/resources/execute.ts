import { languageOf } from '../../../core/policy/expression.ts'
import { p256 } from '@noble/curves/nist.js'
import { sha512 } from '@noble/hashes/sha2.js'
import * as assert from 'uvu/assert'
import { encodeUtf8 } from '../../../core/bytes.ts'
import type { Failure, FieldViolation, Json } from '../../../core/failure.ts'
import { intlTimeZones } from '../../../adapters/time-zones/intl-time-zones.ts'
import { knownKeyring } from '../world/keyring.ts'
import { sandboxPorts, testPorts } from '../world/ports.ts'
import { defaultLimits } from '../world/with-host.ts'
import { inspectedBy, inspectServices } from '../../../core/definition/inspect-services.ts'
import type { Limits } from '../../../core/definition/limits.ts'
import type { AdmitContext, DecodedIntent, Operation, Version } from '../../../core/definition/operation.ts'
import type { Parts } from '../../../core/log/parts.ts'
import { createOrganization } from '../../../core/resources/organization/create-organization.ts'
import { initial, type Draft, type Organization } from '../../../core/organization/state.ts'
import { flatten } from '../../../core/organization/snapshot.ts'
import { E, TE } from '../../../core/prelude.ts'
import type { Keyring } from '../../../core/ports/keyring.ts'
import { publicHalf } from '../../../core/resources/deployment-key/deployment-keys.ts'
import { DAY_SECRETS, type DaySecrets } from '../../../core/resources/deployment-key/day-secrets.ts'

export type Executed = { readonly echo: Json; readonly result: Json; readonly change: Json }
export type Circumstances = {
  readonly type?: string
  readonly atMs?: number
  readonly limits?: Limits
  /** What the work of the operation brought. */
  readonly performed?: Json
}

/** An organization on which operations are tried one after the other, as the command bus would. */
export type Tried = {
  readonly state: Draft
  /** Reads the parameters, executes, and works the change into the state, as replay would: out of its JSON. */
  readonly submit: (
    operation: Operation,
    parameters: Json,
    circumstances?: Circumstances,
  ) => E.Either<Failure, Executed>
  /** The same with what has to be found out before, whether passkeys are what they say, and with work inside. */
  readonly inspected: (
    operation: Operation,
    parameters: Json,
    circumstances?: Circumstances,
  ) => Promise<E.Either<Failure, Executed>>
  /** The same where it must succeed. */
  readonly execute: (operation: Operation, parameters: Json, circumstances?: Circumstances) => Executed
  /** The same where it must be refused, and change nothing. */
  readonly refuse: (operation: Operation, parameters: Json, circumstances?: Circumstances) => Failure
  /** The state that the changes so far make when they are folded anew. */
  readonly replayed: () => Draft
}

export const NOW = 1_700_000_000_000

/** Seals nothing: these tests are of what is made, not of who sees it. */
const openly: DaySecrets = {
  seal: (use, text) => TE.right(`${use} ${text}`),
  open: (use, sealed) => (sealed.startsWith(`${use} `) ? sealed.slice(use.length + 1) : undefined),
  derive: (sealed, label) => sha512(encodeUtf8(`${sealed} ${label}`)),
  take: () => TE.right(true),
  nameOf: (text) => text,
  close: () => Promise.resolve(),
}

/** What `admit` gets, in the plain language. */
export const admitting = (organization: Organization, atMs = NOW): AdmitContext => ({
  organization,
  atMs,
  language: languageOf({}),
  timeZones: intlTimeZones(),
  sender: { publicKey: undefined, address: null },
})

const servicesOf = async (keyring: Keyring) => {
  const verification = await publicHalf(keyring, 'verification')()
  return inspectServices({ ...testPorts(), verificationKeys: E.isRight(verification) ? [verification.right] : [] })
}

export const noOrganization = (): Tried => {
  const state = initial(ORGANIZATION)
  const changes: Changed[] = []
  const keyring = knownKeyring()
  const post = sandboxPorts()
  let created = 0
  const ids = (): string => uuid((created += 1))

  const submit: Tried['submit'] = (operation, parameters, circumstances = {}) =>
    E.flatMap((decoded: DecodedIntent) => concluded(operation, decoded, circumstances))(
      versionOf(operation, circumstances).decodeIntent(parameters),
    )
  const inspected: Tried['inspected'] = async (operation, parameters, circumstances = {}) => {
    const decoded = versionOf(operation, circumstances).decodeIntent(parameters)
    const { signal } = new AbortController()
    const needsNone = E.isLeft(decoded) || operation.inspect === undefined || !operation.inspects(decoded.right)
    const found = needsNone ? decoded : await inspectedBy(await servicesOf(keyring), operation, decoded.right, signal)
    if (E.isLeft(found)) return found
    if (operation.perform?.outside !== false || !operation.performs(found.right.intent))
      return concluded(operation, found.right, circumstances)
    let next = created
    const again = (): string => uuid((next += 1)) // it draws the ids that `execute` will draw
    const checked = operation.check(found.right.intent, { ...contextOf(circumstances, again), attempt: 1 })
    if (E.isLeft(checked)) return checked
    const context = { activityId: uuid(0), requester: uuid(1), atMs: NOW, attempt: 1, signal }
    const ports = { keyring, [DAY_SECRETS]: openly, ...post }
    const performed = await operation.run(found.right.intent, checked.right, { ...context, ports })()
    return E.flatMap((brought: Json) => concluded(operation, found.right, { ...circumstances, performed: brought }))(
      performed,
    )
  }

  const contextOf = ({ atMs = NOW, limits = {} }: Circumstances, drawn: () => string) => ({
    organization: state,
    activityId: uuid(0),
    requester: uuid(1),
    atMs,
    ids: drawn,
    limits: { ...defaultLimits, ...limits },
    language: languageOf({}),
    others: new Map(),
  })

  const concluded = (
    operation: Operation,
    decoded: DecodedIntent,
    circumstances: Circumstances,
  ): E.Either<Failure, Executed> => {
    const { atMs = NOW, performed } = circumstances
    const version = versionOf(operation, circumstances)
    const executed = operation.execute(decoded.intent, { ...contextOf(circumstances, ids), performed })
    if (E.isLeft(executed)) return executed
    const { result, change, parts: given } = executed.right
    const parts: Parts = new Map(Object.entries(given ?? {}))
    for (const json of [decoded.echo, result, change]) assert.equal(JSON.parse(JSON.stringify(json)), json)
    const changed = { operation, change, parts, atMs, sequence: BigInt(changes.length + 1) }
    changes.push(changed)
    evolve(state, changed)
    const whole = {
      result: version.encodeResult(result, parts, (text) => openly.open('result', text) ?? ''),
      change: operation.personal.change(change, parts),
    }
    return E.right({ echo: decoded.echo, ...whole })
  }

  return {
    state,
    submit,
    inspected,
    execute: (operation, parameters, circumstances) => {
      const submitted = submit(operation, parameters, circumstances)
      if (E.isLeft(submitted)) throw new Error(`${operation.type} is refused: ${submitted.left.message}`)
      return submitted.right
    },
    refuse: (operation, parameters, circumstances) => {
      const before: unknown = JSON.parse(JSON.stringify(flatten(state)))
      const submitted = submit(operation, parameters, circumstances)
      if (E.isRight(submitted)) throw new Error(`${operation.type} is not refused`)
      assert.equal(flatten(state), before)
      return submitted.left
    },
    replayed: () => {
      const draft = initial(ORGANIZATION)
      for (const changed of changes) evolve(draft, changed)
      return draft
    },
  }
}

const versionOf = (operation: Operation, { type = operation.type }: Circumstances): Version => {
  const version = operation.versions.find((one) => one.type === type)
  if (version === undefined) throw new Error(`${operation.type} has no version ${type}`)
  return version
}

/** A change as the log has it, with its parts. */
type Changed = {
  readonly operation: Operation
  readonly change: Json
  readonly parts: Parts
  readonly atMs: number
  readonly sequence: bigint
}

const evolve = (draft: Draft, { operation, change, parts, atMs, sequence }: Changed): void => {
  const json: unknown = JSON.parse(JSON.stringify(change))
  const evolved = operation.evolve(draft, json as Json, { activityId: uuid(0), sequence, atMs, parts }) // just parsed
  if (E.isLeft(evolved)) throw new Error(evolved.left.message)
}

/** An organization with two root users of whom either may act: Ada (id 1, key 2) and Grace (id 3, key 4). */
export const anyOrganization = (): Tried => {
  const tried = noOrganization()
  tried.execute(createOrganization, {
    organizationName: 'Analytical Engines',
    rootUsers: [
      { userName: 'Ada', apiKeys: [anyApiKey(1)] },
      { userName: 'Grace', apiKeys: [anyApiKey(2)] },
    ],
    rootQuorumThreshold: 1,
  })
  return tried
}

/** The id that the n-th call for one gives. */
export const uuid = (n: number): string => `00000000-0000-8000-8000-${n.toString(16).padStart(12, '0')}`

export const ORGANIZATION = uuid(0xabc)
export const [ADA, ADAS_KEY, GRACE, GRACES_KEY] = [uuid(1), uuid(2), uuid(3), uuid(4)]
export const NOBODY = uuid(0xffff)

/** The n-th of as many P-256 public keys as are needed. */
export const publicKey = (n: number): string => {
  const key = publicKeys.get(n) ?? p256.Point.BASE.multiply(BigInt(n)).toHex(true)
  publicKeys.set(n, key)
  return key
}
const publicKeys = new Map<number, string>()

export const anyApiKey = (n: number, more: { readonly [member: string]: Json } = {}) => ({
  apiKeyName: `key ${n}`,
  publicKey: publicKey(n),
  curveType: 'API_KEY_CURVE_P256',
  ...more,
})

/** The fields that a refusal names. */
export const fieldsOf = ({ details }: Failure): readonly string[] => {
  const [badRequest] = (details ?? []) as readonly { readonly fieldViolations: readonly FieldViolation[] }[] // as `codec.ts` makes it
  return badRequest?.fieldViolations.map(({ field }) => field) ?? []
}
