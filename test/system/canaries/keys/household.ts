import { nodeKeyring } from '../../../../adapters/keyring/node-keyring.ts'
import { nodeIds } from '../../../../adapters/ids/node-ids.ts'
import { generateKey } from '../../../../adapters/signatures/signer.ts'
import type { Services } from '../../../../core/definition/port.ts'
import type { Engine } from '../../../../core/engine.ts'
import { failure, type Failure, type Json } from '../../../../core/failure.ts'
import type { Keystore } from '../../../../core/ports/keystore.ts'
import type { Storage } from '../../../../core/ports/storage.ts'
import type { SealedRow, SealedRows } from '../../../../core/ports/sealed-rows.ts'
import { E } from '../../../../core/prelude.ts'
import type { Request } from '../../../../core/request.ts'
import type { SubmittedView } from '../../../../core/view/activity-view.ts'
import { genesisBody, placeIn, right, stamped, type Place } from '../../../core/world/world.ts'
import { openErasedHost, type ErasedHost } from '../erased/host.ts'
import { sealedOf } from '../../../sealed-of.ts'

/** An organization of a server on a disk, asked by HTTP, and all that the server answers. */
export type Household = Place & {
  readonly host: ErasedHost
  readonly inside: Inside
  readonly answers: string[]
  readonly sealed: SealedRows
}
type Inside = Parameters<typeof placeIn>[0]

export type HouseholdOptions = {
  readonly path: string
  /** Undefined for a server without one. */
  readonly keystore: Keystore | undefined
  readonly say: (text: string) => void
  readonly random?: (length: number) => Uint8Array
  /** Sends mails and short messages. */
  readonly post?: Services
}

/** Begins an organization; or goes on with one that has begun, as its root user. */
export const openHousehold = async (
  { path, keystore, say, random, post }: HouseholdOptions,
  before?: Pick<Place, 'organizationId' | 'root'>,
): Promise<Household> => {
  const keyringOf = ({ sealed }: Storage) =>
    keystore === undefined || sealed === undefined
      ? undefined
      : nodeKeyring({ sealed, keystore, ...(random && { random }) })
  const host = await openErasedHost(path, say, keyringOf, post)
  const answers: string[] = []
  const inside = { engine: overHttp(host, answers), clock: { now: () => Date.now() } }
  const { organizationId, root } = before ?? (await begun(host.engine))
  return { ...placeIn(inside, organizationId, root), host, inside, answers, sealed: sealedOf(host.storage) }
}

const begun = async (engine: Engine): Promise<Pick<Place, 'organizationId' | 'root'>> => {
  const key = generateKey('API_KEY_CURVE_P256')
  const organizationId = nodeIds().uuid()
  const body = genesisBody(organizationId, key, Date.now())
  const { activity } = right(await engine.createOrganization(stamped({ key }, body))())
  return { organizationId, root: { key, userId: activity.votes[0]?.userId ?? '', apiKeyId: '' } }
}

/** The engine as its server answers for it. A refusal has the whole answer as its message. */
const overHttp = ({ url, engine }: ErasedHost, answers: string[]): Inside['engine'] => {
  const post = async (path: string, { headers, body }: Request): Promise<E.Either<Failure, Json>> => {
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    const response = await fetch(`${url}/public/v1/${path}`, {
      method: 'POST',
      headers: given,
      body: Buffer.from(body),
    })
    const text = await response.text()
    answers.push(`${[...response.headers].join('\n')}\n${text}`)
    return response.ok
      ? E.right(JSON.parse(text) as Json) // of our own server
      : E.left(failure('INTERNAL', text))
  }
  return {
    ...engine,
    submit: (path, request) => async () =>
      E.map((answer: Json) => (answer as { readonly activity: SubmittedView }).activity)(
        await post(`submit/${path}`, request),
      ),
    query: (path, request) => async () =>
      E.map((answer: Json) => answer as { readonly [member: string]: Json })(await post(`query/${path}`, request)),
  }
}

/** All rows that the store has. */
export const rowsIn = async (sealed: SealedRows): Promise<readonly SealedRow[]> =>
  right(await sealed.list(undefined, 10_000)()).filter((row): row is SealedRow => !('isGone' in row))
