import { Parameters, isBallotPath } from '../../../core/deciding/ballot.ts'
import { decode } from '../../../core/codec/codec.ts'
import type { Engine } from '../../../core/engine.ts'
import type { Failure, Json } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import { bodyOf, routesOf, type Known, type Route } from '../../campaigns/fuzz/routes.ts'
import { random } from '../../campaigns/simulate/random.ts'
import { EACH, idLeavesOf, isAt, kindOfId, memberOf, withText, type Leaf } from '../../core/resources/leaves.ts'

/** A request that can name anything at one of its places, and is valid otherwise. */
export type Probe = {
  readonly kind: 'submit' | 'query'
  readonly path: string
  /** For people: the path, the type and the place. */
  readonly name: string
  /** What kind of thing its place names. */
  readonly idKind: string
  readonly body: (text: string) => { readonly [member: string]: Json }
}

const DRAWS = 400

/** Places of ids that the caller chooses, or another service: they name nothing that is there. */
const CHOSEN =
  /^set_payment_method paymentMethodId$|^update_auth_proxy_config | (?:clientId|projectId|productId|orbPlanId|emailCustomization\.templateId)$/

/**
 * A probe for each place of each request of the engine where an id can stand. What is added to the engine is found by its
 * codecs; where they do not suffice to make a valid body, this throws and says of which.
 */
export const probesOf = (engine: Engine, known: Known): readonly Probe[] =>
  routesOf(engine.catalogue.operations, engine.queries).flatMap((route) =>
    route.types.length === 0
      ? probesAt(engine, route, undefined, route.schema, ['organizationId'], known)
      : route.types.flatMap(({ type, schema }) => probesAt(engine, route, type, schema, [], known)),
  )

const probesAt = (
  engine: Engine,
  { path: route }: Route,
  type: string | undefined,
  schema: Route['schema'],
  except: Leaf,
  known: Known,
): readonly Probe[] => {
  const kind = type === undefined ? 'query' : 'submit'
  const path = route.slice(route.lastIndexOf('/') + 1)
  const read = reader(engine, kind, path, type)
  const leaves = idLeavesOf(schema).filter(
    (leaf) => leaf.join() !== except.join() && !CHOSEN.test(`${path} ${leaf.join('.')}`),
  )
  const found = new Map<string, Probe>()
  let refusal = 'none was drawn'
  for (let seed = 0; seed < DRAWS && found.size < leaves.length; seed += 1) {
    const drawn = bodyOf(
      { path: route, types: type === undefined ? [] : [{ type, schema }], schema },
      known,
      random(seed),
    )
    const asked = type === undefined ? drawn : (drawn.parameters ?? null)
    const decoded = read(asked)
    if (E.isLeft(decoded)) refusal = decoded.left.message
    else
      for (const leaf of leaves.filter((one) => isAt(asked, one)))
        found.set(leaf.join(), found.get(leaf.join()) ?? probe(kind, path, type, drawn, leaf))
  }
  const missing = leaves.find((leaf) => !found.has(leaf.join()))
  if (missing === undefined) return [...found.values()]
  throw new Error(
    `no valid body could be made for ${path} ${type ?? ''} with a value at ${missing.join('.')}: ${refusal}. ` +
      'Give its example a value there.',
  )
}

const reader = (
  { catalogue, queries }: Engine,
  kind: Probe['kind'],
  path: string,
  type = '',
): ((asked: Json) => E.Either<Failure, unknown>) => {
  if (kind === 'submit' && isBallotPath(path)) return decode(Parameters, 'parameters')
  const version = catalogue.byType(type)?.version
  if (kind === 'submit' && version !== undefined) return version.decodeIntent
  const codec = queries.find((query) => query.path === path)?.codecs.request
  if (codec === undefined) throw new Error(`the engine has no ${kind} ${path}`)
  return decode(codec, 'request body')
}

const probe = (
  kind: Probe['kind'],
  path: string,
  type: string | undefined,
  drawn: { readonly [member: string]: Json },
  leaf: Leaf,
): Probe => {
  const place = type === undefined ? leaf : ['parameters', ...leaf]
  return {
    kind,
    path,
    name: [path, type, leaf.join('.').replaceAll(`.${EACH}`, EACH)].filter((word) => word !== undefined).join(' '),
    idKind: kindOfId(memberOf(leaf)),
    body: (text) => {
      const changed = withText(drawn, place, text)
      if (typeof changed !== 'object' || changed === null || Array.isArray(changed)) throw new Error('no object')
      return changed as { readonly [member: string]: Json } // an object, as `drawn` is
    },
  }
}
