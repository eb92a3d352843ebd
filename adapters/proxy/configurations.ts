import * as t from '../../core/codec/t.ts'
import { boundedMap } from '../../core/collections/bounded-map.ts'
import { failureOf } from '../../core/countersign-error.ts'
import { refusal } from '../../core/definition/refuse.ts'
import { failure, type Failure, type Json } from '../../core/failure.ts'
import { ProxyConfig } from './endpoint.ts'
import { SealedKey } from './opened-key.ts'
import { unreachable } from './passed-on.ts'

/** A configuration that is in force, with the key that acts for it. */
export type Configuration = { readonly config: ProxyConfig; readonly sealed: SealedKey }

export type ConfigurationsOptions = {
  /** The answer of `get_auth_proxy_config` for an organization, asked by the proxy's own key. */
  readonly ask: (organizationId: string) => Promise<Json>
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number
}

/** The configurations of all tenants, as the API gives them. What it said is kept for 30 seconds; of those that are not in force, for 5. */
export type Configurations = {
  /** @throws a refusal: 404 if there is no such configuration, 403 if it is disabled, 502 or 504 if the API does not say */
  readonly find: (id: string) => Promise<Configuration>
  /** Whether `find` asks the API nothing that it is not asked already. */
  readonly isAtHand: (id: string) => boolean
  /** Asks again next time. */
  readonly forget: (id: string) => void
}

const KEPT_MS = 30_000
const REFUSED_KEPT_MS = 5_000
/** Characters of JSON. */
const KEPT_WEIGHT_MAX = 16 * 1024 * 1024
const REFUSED_KEPT_MAX = 10_000

export const configurations = ({ ask, nowMs }: ConfigurationsOptions): Configurations => {
  const kept = boundedMap<string, Kept<Configuration>>(KEPT_WEIGHT_MAX, { weightOf: ({ weight }) => weight })
  const refused = boundedMap<string, Kept<Failure>>(REFUSED_KEPT_MAX)
  const questions = new Map<string, Promise<Configuration>>()

  const fresh = <A>({ of, atMs }: Kept<A>, forMs: number): A | undefined => {
    const ageMs = nowMs() - atMs
    return ageMs >= 0 && ageMs < forMs ? of : undefined // a clock may go back
  }
  const keptOf = (id: string): Configuration | Failure | undefined => {
    const [found, refusedOne] = [kept.get(id), refused.get(id)]
    return (found && fresh(found, KEPT_MS)) ?? (refusedOne && fresh(refusedOne, REFUSED_KEPT_MS))
  }
  /** The time of an answer is that of its question: what was changed meanwhile may be missing in it. */
  const learned = async (id: string): Promise<Configuration> => {
    const atMs = nowMs()
    try {
      const answer = await ask(id)
      const of = configurationIn(answer, id)
      kept.set(id, { of, atMs, weight: JSON.stringify(answer).length })
      return of
    } catch (error) {
      const of = refusalOf(error)
      if (of === undefined) throw error
      refused.set(id, { of, atMs, weight: 1 })
      throw refusal(of)
    }
  }

  return {
    find: async (id) => {
      const known = keptOf(id)
      if (known !== undefined) return inForce(known)
      const question = questions.get(id) ?? learned(id).finally(() => questions.delete(id))
      questions.set(id, question)
      return question
    },
    isAtHand: (id) => questions.has(id) || keptOf(id) !== undefined,
    forget: (id) => {
      kept.delete(id)
      refused.delete(id)
    },
  }
}

type Kept<A> = { readonly of: A; readonly atMs: number; readonly weight: number }

const inForce = (known: Configuration | Failure): Configuration => {
  if ('code' in known) throw refusal(known)
  return known
}

const Answer = t.fields({
  authProxyConfig: t.fields({ organizationId: t.string, configId: t.string, isEnabled: t.boolean }),
})
const InForce = t.fields({ authProxyConfig: ProxyConfig })
const Sealed = t.fields({ authProxyConfig: SealedKey })

const configurationIn = (answer: Json, id: string): Configuration => {
  const told = Answer.decode(answer)
  if (told._tag === 'Left') throw notUnderstood()
  const { organizationId, configId, isEnabled } = told.right.authProxyConfig
  if (organizationId !== id || configId !== id) throw unreachable('the API has answered about another organization')
  if (!isEnabled) throw refusal(disabled)
  const [config, sealed] = [InForce.decode(answer), Sealed.decode(answer)]
  if (config._tag === 'Left' || sealed._tag === 'Left') throw notUnderstood()
  return { config: config.right.authProxyConfig, sealed: sealed.right.authProxyConfig }
}

const notUnderstood = (): Error => unreachable('the configuration is in a form that is not understood')

export const unknown = failure('RESOURCE_NOT_FOUND', 'there is no auth proxy configuration with this id')
export const disabled = failure('REQUEST_NOT_AUTHORIZED', 'the auth proxy is disabled for this configuration')

/** What the API refuses for good, in words of the proxy: an organization where the proxy has no key has not enabled it, or has disabled it. */
const refusalOf = (error: unknown): Failure | undefined => {
  const code = failureOf(error)?.code
  if (code === 'ORGANIZATION_NOT_FOUND' || code === 'INVALID_ORGANIZATION_ID') return unknown
  return code === 'PUBLIC_KEY_NOT_FOUND' || code === 'REQUEST_NOT_AUTHORIZED' ? disabled : undefined
}
