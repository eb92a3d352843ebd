import { randomUUID } from 'node:crypto'
import * as t from 'io-ts'
import { closed, decode, Label, Uuid } from '../../core/codec/codec.ts'
import type { Engine } from '../../core/engine.ts'
import { CountersignError, run } from '../../core/countersign-error.ts'
import { failure } from '../../core/failure.ts'
import { hashOf } from '../../core/log/chain.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { E } from '../../core/prelude.ts'
import { nodeDigest } from '../digest/node-digest.ts'
import { organizationRequest } from '../organization-request.ts'
import { generateKey, type SigningKey } from '../signatures/signer.ts'
import { stampedRequest } from '../signatures/stamped-request.ts'
import { crashPoint } from '../crash-point.ts'
import { RootCredentials } from './credentials-file.ts'
import { keyOf, readJson, writeJson } from './credentials.ts'
import { unusable } from '../files/system-error.ts'
import { mustBeWritable, removeWhole, type Placing } from '../files/whole-file.ts'
import { underLease } from './under-lease.ts'

export type Begun = {
  readonly credentials: RootCredentials
  /** The hash of the second line of the organization's log, which completes its creation. An auditor can pin it. */
  readonly genesisHash: string
  /** Whether this process created the organization, or finished its creation. */
  readonly isNew: boolean
}

type Place = {
  readonly engine: Pick<Engine, 'createOrganization' | 'firstOrganization' | 'query'>
  readonly storage: Pick<Storage, 'store' | 'leases'>
  /** Gives the engine's time, in milliseconds. */
  readonly nowMs: () => number
  readonly file: string
  readonly organizationName: string
  /** Whether a file with another content may be replaced. The file of the store's own organization is never replaced. */
  readonly force?: boolean
}

/** The key and the id that are chosen before the organization exists. They are kept in a file beside the file until both are there. */
const Intended = closed({ organizationId: Uuid, apiPublicKey: t.string, apiPrivateKey: t.string })
type Intended = t.TypeOf<typeof Intended>

/**
 * Ensures that the store has an organization, and the file the key of its root user. If there is neither, it makes both. First it writes a
 * second file beside the file, with the key and the organization's id; then it creates the organization with that key; then it writes the
 * file; then it removes the second file. After a crash, the next call sees from these files how to go on. If several processes begin at once,
 * they do it one after the other, so there is one organization.
 */
export const begin = (place: Place): Promise<Begun> =>
  underLease(place.storage.leases, 'begin', () => beginAlone(place))

const beginAlone = async (place: Place): Promise<Begun> => {
  const { file, force = false } = place
  const { kept, intended } = await filesAt(file, force)
  if (kept !== undefined && (await hasLog(place, kept.organizationId))) return existing(place, kept, intended)
  if (kept !== undefined && !force)
    throw unusable(`the store does not have the organization that ${file} is for: ${OPEN_ANOTHER}`)
  const found = await run(place.engine.firstOrganization())
  const isThere = intended !== undefined && (await hasLog(place, intended.organizationId))
  if (found !== undefined && !isThere)
    throw new CountersignError(
      failure(
        'ALREADY_EXISTS',
        `the store has an organization already, but there is no file ${file} for it: ${PUT_IT_BACK}`,
      ),
    )
  const credentials = await makeBoth(place, intended, isThere)
  return { credentials, genesisHash: await genesisHashOf(place, credentials.organizationId), isNew: true }
}

const OPEN_ANOTHER = 'open the store that it belongs to, or move the file away'
const PUT_IT_BACK = 'put its credentials there, or name the file that has them'

type Files = { readonly kept: RootCredentials | undefined; readonly intended: Intended | undefined }

/** Throws if it is certain that `begin` would throw. It is called before a store is opened, so nothing has been made then. */
export const mustBegin = async (place: Pick<Place, 'file' | 'organizationName' | 'force'>): Promise<void> => {
  const { file, organizationName, force = false } = place
  const { kept, intended } = await filesAt(file, force)
  if (kept === undefined) mustBeName('--organization-name', organizationName)
  if (kept === undefined && intended === undefined) await mustBeWritable(pendingOf(file))
}

/** @param what  where the name comes from, for the message */
const mustBeName = (what: string, organizationName: string): void => {
  const name = decode(Label, 'name')(organizationName)
  if (E.isLeft(name)) throw unusable(`${what}: ${name.left.message}`)
}

/** Reads the file, and the second file beside it. */
const filesAt = async (file: string, force: boolean): Promise<Files> => {
  const kept = readRootCredentials(file)
  return {
    kept: await (force ? kept.catch(() => undefined) : kept),
    intended: await readJson(Intended, pendingOf(file), 'file of a start that was interrupted'),
  }
}

const readRootCredentials = async (file: string): Promise<RootCredentials | undefined> => {
  const found = await readJson(RootCredentials, file, 'credentials file')
  if (found !== undefined) keyOf(file, found)
  return found
}

const pendingOf = (file: string): string => `${file}.pending`

const existing = async (place: Place, credentials: RootCredentials, intended: Intended | undefined): Promise<Begun> => {
  if (intended?.organizationId === credentials.organizationId) await removeWhole(pendingOf(place.file))
  return { credentials, genesisHash: await genesisHashOf(place, credentials.organizationId), isNew: false }
}

const makeBoth = async (place: Place, intended: Intended | undefined, isThere: boolean): Promise<RootCredentials> => {
  const { engine, nowMs, file, organizationName: name, force = false } = place
  const intention = intended ?? intend()
  const { organizationId } = intention
  const key = keyOf(pendingOf(file), intention)
  if (intended === undefined) {
    mustBeName('the name of the organization', name) // before anything is made
    await writeJson(pendingOf(file), intention, 'new')
  }
  crashPoint('init-after-file')
  if (!isThere)
    await run(engine.createOrganization(organizationRequest({ name, key, organizationId, timestampMs: nowMs() })))
  crashPoint('init-after-organization')
  const credentials = { baseUrl: null, ...intention, userId: await userIdOf(place, intention, key) }
  await writeCredentials(file, credentials, force ? 'replace' : 'new')
  crashPoint('init-after-credentials')
  await removeWhole(pendingOf(file))
  return credentials
}

/** Writes the file, with its members in the order in which people look for them. */
export const writeCredentials = async (file: string, credentials: RootCredentials, placing: Placing): Promise<void> => {
  const { baseUrl, organizationId, userId, apiPublicKey, apiPrivateKey } = credentials
  await writeJson(file, { baseUrl, organizationId, userId, apiPublicKey, apiPrivateKey }, placing)
}

const intend = (): Intended => {
  const { publicKey, privateKey } = generateKey('API_KEY_CURVE_P256')
  return { organizationId: randomUUID(), apiPublicKey: publicKey, apiPrivateKey: privateKey }
}

/** Asks the engine for the user of the key, so that the file has the same id as the engine. */
const userIdOf = async ({ engine, nowMs }: Place, { organizationId }: Intended, key: SigningKey): Promise<string> => {
  const body = { organizationId, timestampMs: String(nowMs()) } // the engine may require fresh queries
  const { userId } = await run(engine.query('whoami', stampedRequest(key, body)))
  if (typeof userId !== 'string') throw unusable('whoami answered without a userId')
  return userId
}

const hasLog = async ({ storage: { store } }: Place, organizationId: string): Promise<boolean> =>
  (await run(store.head(organizationId))) !== undefined

const genesisHashOf = async ({ storage: { store } }: Place, organizationId: string): Promise<string> => {
  const [completed] = await run(store.readLog(organizationId, 1n, 1))
  if (completed === undefined) throw unusable(`the log of organization ${organizationId} does not begin as it has to`)
  return hashOf(nodeDigest(), completed.line)
}
