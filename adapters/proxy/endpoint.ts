import type { JsonObject } from '../../core/codec/codec.ts'
import * as t from '../../core/codec/t.ts'
import type { Json } from '../../core/failure.ts'
import { settingsMembers, type AuthMethod } from '../../core/organization/auth-proxy.ts'
import type { DeepReadonly } from '../../core/organization/state.ts'

const { allowedOrigins, ...others } = settingsMembers

/** What a tenant has configured: the answer of `get_auth_proxy_config`, without what only the proxy itself needs. What is not set is left out. */
export const ProxyConfig = t.fields(
  { configId: t.string, organizationId: t.string, organizationName: t.string, isEnabled: t.boolean, allowedOrigins },
  others,
)
export type ProxyConfig = DeepReadonly<t.TypeOf<typeof ProxyConfig>>

/** What the proxy does for a client on one path. */
export type Endpoint<A> = {
  /** Such as `/v1/otp_init`. */
  readonly path: string
  readonly request: t.Type<A, unknown, unknown>
  /** Which of `allowedAuthMethods` has to be there; `undefined`: none. */
  readonly methodOf?: (request: A) => AuthMethod | undefined
  /** The e-mail address or the number that it is about, in one spelling: limits count by it. */
  readonly contactOf?: (request: A) => string | undefined
  /** Whether a captcha is wanted where the configuration wants captchas; `always`: so nobody has to read the request first. */
  readonly needsCaptcha?: 'always' | ((request: A) => boolean)
  /** @throws a refusal */
  readonly answer: (request: A, call: Call) => Promise<Json>
}

/** One request of a client, and what may be asked of the API for it. */
export type Call = {
  readonly config: ProxyConfig
  /** Of the caller. */
  readonly address: string | null
  readonly atMs: number
  /** Submits an activity, waits for its end, and gives this member of its result; other ends are refusals. */
  readonly submit: (activity: {
    readonly type: string
    readonly path: string
    readonly organizationId: string
    readonly parameters: Json
    readonly resultName: string
    /** Whether the result gets `appProofs`, too, if the activity has some. */
    readonly withProofs?: boolean
  }) => Promise<Json>
  /** The answer of a query. Its body names the organization. */
  readonly query: (path: string, body: JsonObject) => Promise<Json>
}
